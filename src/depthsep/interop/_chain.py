"""Chains of affine maps and activations, as other libraries stack them."""

from collections.abc import Iterable

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.interop._exact_arrays import exact_product, exact_sum
from depthsep.interop._forms import Block, Form, activated, form_of, image, plus, times
from depthsep.interop._layers import network_of
from depthsep.networks import Activation, Affine, Network


class Scaling:
    """x -> factor * x + offset, entry by entry."""

    def __init__(self, factor: np.ndarray, offset: np.ndarray) -> None:
        self.factor, self.offset = factor, offset


Step = Affine | Scaling | Activation


def chain(steps: Iterable[Step]) -> Network:
    """The network of steps one after another; affine maps that meet fuse exactly.

    Raises:
        HypothesisError: no layer that says how many inputs there are, or sizes that do
            not fit.
    """
    given = list(steps)
    form = form_of(Block(_inputs(given)))
    for step in given:
        form = _after(form, step)
    return network_of(form)


def normalising(
    mean: np.ndarray,
    variance: np.ndarray,
    epsilon: float,
    factor: np.ndarray | None,
    offset: np.ndarray | None,
) -> Scaling:
    """Batch normalisation with fixed statistics, folded.

    The factors, factor / sqrt(variance + epsilon), are rounded to float64; all else is
    exact.
    """
    given = [x for x in (mean, variance, factor, offset) if x is not None]
    if not all(np.isfinite(x).all() for x in given):
        raise HypothesisError("a batch normalisation holds NaN or infinity")
    if not (variance + epsilon > 0).all():
        raise HypothesisError("a variance plus epsilon is not positive")
    scale = 1 / np.sqrt(variance + epsilon)
    if factor is not None:
        scale = scale * factor
    moved = exact_product(-mean, scale)
    return Scaling(scale, moved if offset is None else exact_sum(moved, offset))


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
            f"a layer takes {size} values, the one before it gives {form.size}"
        )
    if isinstance(step, Scaling):
        return plus(times(form, step.factor), Form({}, step.offset))
    return plus(image(step.weight, form), Form({}, step.bias))
