"""Chains of affine maps and activations, as other libraries stack them."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import FileFormatError, HypothesisError
from depthsep.exact import perfect_sqrt, rational, rationals
from depthsep.interop.forms._exact_arrays import exact_product, exact_sum, stored
from depthsep.interop.forms._forms import (
    Block,
    Form,
    activated,
    form_of,
    image,
    plus,
    times,
)
from depthsep.interop.forms._layers import network_of
from depthsep.networks import Activation, Affine, Network


@dataclass(frozen=True, eq=False)
class Scaling:
    """x -> factor * x + offset, entry by entry; `is_exact` if nothing was rounded."""

    factor: np.ndarray
    offset: np.ndarray
    is_exact: bool = True


Step = Affine | Scaling | Activation


def affine(weight: np.ndarray, bias: np.ndarray | None) -> Affine:
    """A layer of a library, where a bias may be missing."""
    return Affine(weight, np.zeros(len(weight)) if bias is None else bias)


def chain(steps: Iterable[Step]) -> Network:
    """The network of steps one after another; affine maps that meet fuse exactly.

    Raises:
        HypothesisError: no layer that says how many inputs there are, or sizes that do
            not fit.
    """
    try:
        given = list(steps)
        form = form_of(Block(_inputs(given)))
        for step in given:
            form = _after(form, step)
        return network_of(form)
    except FileFormatError as error:  # without its subject, as readers of files add it
        raise HypothesisError(f"the network {error}") from error


def normalising(
    mean: np.ndarray,
    variance: np.ndarray,
    epsilon: float,
    factor: np.ndarray | None,
    offset: np.ndarray | None,
) -> Scaling:
    """Batch normalisation with fixed statistics, folded.

    A factor, factor / sqrt(variance + epsilon), is rounded to float64 where the root is
    irrational, which `Scaling.is_exact` reports; all else is exact.
    """
    given = [x for x in (mean, variance, factor, offset) if x is not None]
    if not all(np.isfinite(x).all() for x in given if x.dtype != object):
        raise HypothesisError("a batch normalisation holds NaN or infinity")
    squares = rationals(variance) + rational(epsilon)
    if not (squares > 0).all():
        raise HypothesisError(
            "in a batch normalisation, variance + epsilon is not positive"
        )
    roots = [perfect_sqrt(s) for s in squares.tolist()]
    ones = [fmpq(1)] * len(roots)
    factors = ones if factor is None else rationals(factor).tolist()
    scale = np.empty(len(roots), dtype=object)
    scale[:] = [
        f / r if r is not None else _rounded_ratio(f, s)
        for f, r, s in zip(factors, roots, squares.tolist(), strict=True)
    ]
    folded = stored(scale)
    moved = exact_product(exact_product(mean, np.array([-1.0])), folded)
    whole = moved if offset is None else exact_sum(moved, offset)
    return Scaling(folded, whole, is_exact=None not in roots)


def _rounded_ratio(factor: fmpq, square: fmpq) -> fmpq:
    """factor / sqrt(square) as a float64 next to it, as a rational."""
    with ctx.workprec(128):
        return rational(float((arb(factor) / arb(square).sqrt()).mid()))


def _inputs(steps: list[Step]) -> int:
    for step in steps:
        if isinstance(step, Affine):
            return step.shape[1]
        if isinstance(step, Scaling):
            return len(step.factor)
    raise HypothesisError("no layer says how many inputs there are; add a linear one")


def _after(form: Form, step: Step) -> Form:
    if isinstance(step, Activation):
        return activated(form, step)
    size = step.shape[1] if isinstance(step, Affine) else len(step.factor)
    if size != form.size:
        raise HypothesisError(
            f"a layer takes {size} values, but the one before it gives {form.size}"
        )
    if isinstance(step, Scaling):
        return plus(times(form, step.factor), Form({}, step.offset))
    return plus(image(step.weight, form), Form({}, step.bias))
