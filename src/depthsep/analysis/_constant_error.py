r"""Networks that are constant: their error by the law's mass in cells.

On a cell f lies in a ball, and the cell has a mass: the mean of |f - c| (or its square)
lies between the sums of mass times the least and the largest value. Cells are cut
into four or more until the accuracy is decided, or there are too many.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from itertools import product as cartesian

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import ball_upper, dyadic_near, midpoint, sqrt_upper
from depthsep.laws import AbstractRadialLaw, SpherePair
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget, InnerProduct, Radial, interval_ball

PRECISION = 96
BITS = 60
FIRST, FINER, ROUNDS = 64, 4, 4
MOST_CELLS = 20_000

Cell = tuple[fmpq, fmpq, arb]
"""Bounds of its mass from below and above, and the ball in which f lies."""


def constant_of(network: Network) -> fmpq | None:
    """The value of a network of which some layer reads nothing; None for others."""
    if any(not np.any(layer.weight != 0) for layer in network.layers):
        return network([fmpq(0)] * network.in_dim)[0]
    return None


def constant_error(value: fmpq, problem: Problem) -> Enclosure | None:
    """The error of a constant, enclosed; None where nothing special is known."""
    make = CELLS.get(problem.law.setting)
    if make is None:
        return None
    count, found = FIRST, None
    for _ in range(ROUNDS):
        with ctx.workprec(PRECISION):
            try:
                cells = make(problem, count)
            except HypothesisError:  # masses or values that are not enclosed so far out
                break
            if cells is None:
                break
            found = _enclosed(cells, value, problem.norm)
        if found is None:
            break
        if found.is_at_most(problem.accuracy) or found.is_above(problem.accuracy):
            break
        count *= FINER
    return found


def _enclosed(cells: Iterable[Cell], value: fmpq, norm: str) -> Enclosure | None:
    """None where f is not bounded; in linf, from below, only cells that have mass."""
    power = 2 if norm == "l2" else 1
    low = high = worst = least = fmpq(0)
    for less, more, ball in cells:
        off = abs(ball - arb(value))
        if not off.is_finite():
            return None
        top, bottom = ball_upper(off), max(fmpq(0), -ball_upper(-off))
        worst, least = max(worst, top), max(least, bottom if less > 0 else fmpq(0))
        low, high = low + less * bottom**power, high + more * top**power
    if norm == "linf":
        return Enclosure(least, worst, Rigour.ENCLOSED)
    if norm == "l2":
        low, high = (low / sqrt_upper(low) if low > 0 else low), sqrt_upper(high)
    return Enclosure(low, min(high, worst), Rigour.ENCLOSED)


def _between(
    cumulated: Callable[[fmpq], arb], ends: list[fmpq]
) -> Iterable[tuple[fmpq, fmpq]]:
    """Bounds of the mass between neighbours, given that below each."""
    masses = [cumulated(x) for x in ends]
    for before, after in pairwise(masses):
        mass = after - before
        yield max(fmpq(0), -ball_upper(-mass)), max(fmpq(0), ball_upper(mass))


def _on_spheres(problem: Problem, count: int) -> Iterable[Cell]:
    """t = <x, x'> has a density proportional to (1 - t^2)^((d - 3)/2)."""
    target, dim = problem.target_as(InnerProduct), problem.law_as(SpherePair).dim
    half = arb(fmpq(dim - 1, 2))
    ends = [fmpq(2 * k, count) - 1 for k in range(count + 1)]

    def below(t: fmpq) -> arb:
        return arb((1 + t) / 2).beta_lower(half, half, regularized=True)

    masses = _between(below, ends)
    return [
        (*mass, target.profile.jet(interval_ball(a, b)).value)
        for mass, (a, b) in zip(masses, pairwise(ends), strict=True)
    ]


def _radial(problem: Problem, count: int) -> Iterable[Cell]:
    """Shells up to the end of the profile, beyond which it is 0."""
    target, law = problem.target_as(Radial), problem.law_as(AbstractRadialLaw)
    line = target.line_on_ball(law) or target.along
    end = dyadic_near(midpoint(arb(line.end).sqrt()), BITS)
    far = end * fmpq(1 + 2**20, 2**20)
    if law.is_in_unit_ball:
        far = min(far, fmpq(1))
    ends = [far * k / count for k in range(count + 1)]
    cells = [
        (*mass, line.jet(interval_ball(a**2, b**2)).value)
        for mass, (a, b) in zip(_between(law.cdf, ends), pairwise(ends), strict=True)
    ]
    rest = 1 - law.cdf(far)
    most, least = max(fmpq(0), ball_upper(rest)), max(fmpq(0), -ball_upper(-rest))
    return [*cells, (least, most, arb(0))] if most > 0 else cells


def _on_box(problem: Problem, count: int) -> Iterable[Cell] | None:
    """A grid of equal boxes, in l1 and l2."""
    target, box = problem.target_as(AbstractBoxTarget), problem.law.box
    dim = box.in_dim
    steps = round(count ** (1 / 2)) if dim == 2 else max(2, round(count ** (1 / dim)))
    if (
        problem.norm == "linf"
        or problem.is_weighted
        or dim > 8
        or steps**dim > MOST_CELLS
    ):
        return None
    formula = target.as_formula()
    mass = fmpq(1, steps**dim)
    sides = [
        [
            interval_ball(*(s.start + s.length * fmpq(k + e, steps) for e in (0, 1)))
            for k in range(steps)
        ]
        for s in box.sides
    ]
    nothing = [0] * dim
    return [
        (mass, mass, formula.along(nothing, cell).value) for cell in cartesian(*sides)
    ]


CELLS: Mapping[str, Callable[[Problem, int], Iterable[Cell] | None]] = {
    "spheres": _on_spheres,
    "radial": _radial,
    "box": _on_box,
}
"""For the settings whose examiners measure constants by their sup alone, or not."""
