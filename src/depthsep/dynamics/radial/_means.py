r"""Means of a radial function times a relu, and times its gradient.

E g(x) relu(v.x) = c_d |v| E[|x| g] and E g(x) relu'(v.x) x = c_d E[|x| g] v / |v|: as
functions of v both are radial, whatever the radial function g and the radial law.
"""

from dataclasses import dataclass

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep._inputs import Numbers, floats, whole
from depthsep.dynamics.radial._constants import relu_mean
from depthsep.evidence import Enclosure, Rigour, enclosure
from depthsep.exact import ball_upper, rational
from depthsep.laws import AbstractRadialLaw, law_from_text
from depthsep.targets import Radial

CELLS = 2048
PRECISION = 96
SAMPLES = 1 << 20
SMALLEST = 1e-100


@dataclass(frozen=True)
class RadialMeans:
    """Both means at one v: `enclosed`.

    Attributes:
        moment: E[|x| g].
        value: E g relu(v.x).
        size: the number that multiplies v / |v| in E g relu'(v.x) x.
        direction: v / |v|, in float64.
    """

    moment: Enclosure
    value: Enclosure
    size: Enclosure
    direction: np.ndarray
    rigour: Rigour = Rigour.ENCLOSED


@dataclass(frozen=True)
class SampledMeans:
    """The same as averages over samples: `sampled`.

    Attributes:
        value, gradient: E g relu(v.x), and E g relu'(v.x) x, (dim,).
        value_error, gradient_error: their standard errors.
    """

    value: float
    value_error: float
    gradient: np.ndarray
    gradient_error: np.ndarray
    rigour: Rigour = Rigour.SAMPLED


def radial_means(
    target: Radial | str,
    law: AbstractRadialLaw | str,
    v: Numbers,
    *,
    cells: int = CELLS,
) -> RadialMeans:
    """E g relu(v.x) and E g relu'(v.x) x for a radial g, enclosed.

    Args:
        target: g, such as ``radial:relu``; it is 0 beyond some radius.
        v: (dim,), not 0.
        cells: of the radius. Where |x| has a density and g is continuous, the
            enclosures shrink like 1 / cells; an atom of |x| on a jump of g keeps them
            as wide as the jump.

    Raises:
        HypothesisError: another dimension than the law's, v = 0.

    Source:
        The lemma on radial g in Ren, Zhou and Ge (notes, 5.2.1).
    """
    law = read_law(law)
    g, direction = _read(target, law, v)
    whole(cells, "cells", least=1, most=10**6)
    with ctx.workprec(PRECISION):
        moment = first_moment(g, law, cells)
        exact = [rational(float(x)) for x in np.asarray(v, dtype=np.float64)]
        length = arb(sum((x * x for x in exact), fmpq(0))).sqrt()
        size = relu_mean(g.dim) * moment
        value = enclosure(size * length)
        return RadialMeans(enclosure(moment), value, enclosure(size), direction)


def first_moment(g: Radial, law: AbstractRadialLaw, cells: int = CELLS) -> arb:
    """E[|x| g] under a radial law, enclosed at flint's current precision.

    On a cell of radii |x| g lies within its ball; the cell has its mass.
    """
    last = _last_radius(g)
    total, below = arb(0), arb(0)
    for k in range(1, cells + 1):
        left, right = last * (k - 1) / cells, last * k / cells
        upto = law.cdf(right)
        square = arb(left * left).union(arb(right * right))
        here = arb(left).union(arb(right)) * g.along.jet(square).value
        total += (upto - below).max(arb(0)) * here
        below = upto
    return total


def _last_radius(g: Radial) -> fmpq:
    """A rational radius from which on g is 0."""
    far = ball_upper(arb(g.along.end).sqrt())
    return (far * 1024).ceil() / fmpq(1024)


def sample_radial_means(
    target: Radial | str,
    law: AbstractRadialLaw | str,
    v: Numbers,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
) -> SampledMeans:
    """The same two means over independent samples, with standard errors.

    Raises:
        HypothesisError: as `radial_means`.
    """
    law = read_law(law)
    g, _ = _read(target, law, v)
    whole(samples, "samples", least=2, most=10**8)
    x = law.sample(samples, whole(seed, "seed"))
    at = x @ np.asarray(v, dtype=np.float64)
    values = g.floats(x)
    value, gradient = values * np.maximum(at, 0), (values * (at > 0))[:, None] * x
    root = samples**0.5
    return SampledMeans(
        float(value.mean()),
        float(value.std(ddof=1) / root),
        gradient.mean(axis=0),
        gradient.std(axis=0, ddof=1) / root,
    )


def read_law(law: AbstractRadialLaw | str) -> AbstractRadialLaw:
    """A radial law, or the one that a text denotes.

    Raises:
        HypothesisError: not a radial law.
    """
    found = law_from_text(law) if isinstance(law, str) else law
    if not isinstance(found, AbstractRadialLaw):
        raise HypothesisError(f"{law} is not a radial law; give one such as ball:3")
    return found


def _read(
    target: Radial | str, law: AbstractRadialLaw, v: Numbers
) -> tuple[Radial, np.ndarray]:
    g = target
    if isinstance(target, str):
        g = Radial(target.removeprefix("radial:"), law.dim)
    if not isinstance(g, Radial) or g.dim != law.dim:
        raise HypothesisError(f"{target} is not a radial function in R^{law.dim}")
    given = np.asarray(floats(v, "v", ndim=1), dtype=np.float64)
    most = float(np.abs(given).max(initial=0.0))
    if len(given) != law.dim or not SMALLEST <= most <= 1 / SMALLEST:
        raise HypothesisError(
            f"the number of entries of v is {len(given)}; it must be {law.dim}, and "
            "the largest entry must have an absolute value from 1e-100 to 1e100"
        )
    return g, given / np.linalg.norm(given)
