r"""Functions of an inner product on circles: how many arcs a network needs there.

Let u and w be orthonormal, x = cos(s) u + sin(s) w and x' = cos(s) u - sin(s) w: both
are on the sphere, and <x, x'> = cos 2 s goes through [-1, 1] four times. On that circle
what a unit of the first layer reads is a trigonometric polynomial of degree 1, with
two zeros at most; and so is, on each arc on which the units before are such
polynomials, what any later unit reads.
"""

from collections.abc import Callable, Sequence
from math import prod

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.exact import ball_upper, least
from depthsep.lower_bounds.symmetric._alternation import (
    Alternation,
    alternating_points,
    changes_for,
)
from depthsep.targets import InnerProduct, Wave, interval_ball

PRECISION = 128
CELLS = 4096  # of [-1, 1], for functions that are not waves
POINTS = 8193
LEVELS = 33
TRIED = 400  # numbers of half-waves


def most_arcs(widths: Sequence[int]) -> int:
    """P: arcs on which a network with these widths is a + b cos s + c sin s.

    Skip connections from any layer and from the inputs are allowed.
    """
    return 2 * widths[0] * prod(1 + 2 * m for m in widths[1:])


def least_width_of_arcs(arcs: int, layers: int) -> int:
    """The least equal width with so many arcs."""
    return least(lambda m: most_arcs((m,) * layers) >= arcs, -1, max(1, arcs))


def least_units_of_arcs(arcs: int, layers: int) -> int:
    """The fewest hidden units together.

    2 m_1 prod (1 + 2 m_i) is largest when the layers are as equal as can be: moving a
    unit from one to another that has two fewer makes the product larger.
    """
    most = layers * least_width_of_arcs(arcs, layers)
    return least(lambda units: _most_by_units(units, layers) >= arcs, -1, most)


def _most_by_units(units: int, layers: int) -> int:
    share, more = divmod(units, layers)
    # the first layer's factor is the smaller one: it takes a unit that is left first
    return most_arcs((share + 1,) * more + (share,) * (layers - more))


def arcs_of_wave(wave: Wave, dim: int, accuracy: fmpq, norm: str) -> int:
    """Arcs that a network within the accuracy of a sine or cosine needs."""
    with ctx.workprec(PRECISION):
        a, error = wave.argument(PRECISION), arb(accuracy / wave.amplitude)
        turns = a / arb.pi()
        if norm == "linf":
            exact = wave.half_turns()
            known = turns if exact is None else arb(exact)
            return _arcs_in_linf(wave.shape, known) if error < 1 else 0
        # half-waves on [-T, T] for one sign of sin s: 2 k, or 2 k + 1 about 0
        odd = int(wave.shape == "cos")
        most = int(((turns - arb(odd) / 2).lower()).floor().unique_fmpz() or 0)

        def proved(k: int) -> int:
            reach = (arb(k) + arb(odd) / 2) / turns
            weight = _least_density(dim, reach) * arb.pi() / (4 * a)
            return changes_for(2 * k + odd, weight, error**2)

        return _largest(proved, most)


def _arcs_in_linf(shape: str, turns: arb) -> int:
    """Twice one less than there are extrema on [-1, 1]."""
    if shape == "sin":
        return 2 * max(0, 2 * _whole(turns + arb(1) / 2) - 1)
    return 4 * _whole(turns)


def _whole(x: arb) -> int:
    """The integer part, or one less where that is not decided."""
    return int(ball_upper(x.floor().lower()).floor())


def _largest(proved: Callable[[int], int], most: int) -> int:
    """Over evenly spread numbers first, then near the best of them."""
    if most < 1:
        return 0
    step = max(1, most // TRIED)
    coarse = range(1, most + 1, step)
    best = max(coarse, key=proved)
    near = range(max(1, best - step), min(most, best + step) + 1, max(1, step // TRIED))
    return max(proved(best), *(proved(k) for k in near))


def _least_density(dim: int, reach: arb) -> arb:
    """The least density of <x, x'> on [-reach, reach], with respect to length."""
    half = arb(dim - 1) / 2
    top = (half + arb(1) / 2).gamma() / (arb.pi().sqrt() * half.gamma())
    if dim <= 3:  # it does not fall away from 0
        return top
    return (
        top
        * (1 - reach * reach) ** ((dim - 3) // 2)
        * ((1 - reach * reach).sqrt() if dim % 2 == 0 else arb(1))
    )


def arcs_of_profile(target: InnerProduct, accuracy: fmpq, norm: str) -> int:
    """The same for any other function of the inner product, about its best level."""
    t = np.linspace(-1, 1, POINTS)
    f = target.profile.floats(t)
    if not np.isfinite(f).all():
        return 0
    levels = np.quantile(f, np.linspace(0.1, 0.9, LEVELS))
    with ctx.workprec(PRECISION):
        if norm == "linf":

            def proved(level: float) -> int:
                return alternating_points(
                    t, f, lambda x: target.profile.jet(arb(x)).value, level, accuracy
                )

            return 2 * max(0, max(proved(float(c)) for c in levels) - 1)
        level = fmpq(round(float(np.median(f)) * 2**20), 2**20)
        return alternation(target, level).changes(arb(accuracy) ** 2)


def alternation(target: InnerProduct, level: fmpq) -> Alternation:
    """Intervals of one sign after the other, as balls on cells show them."""
    step = fmpq(2, CELLS)

    def cell(k: int) -> tuple[arb, arb]:
        a, b = -1 + k * step, -1 + (k + 1) * step
        value = target.profile.jet(interval_ball(a, b)).value - level
        far = max(abs(a), abs(b)) if target.dim > 3 else fmpq(0)
        return value, _least_density(target.dim, arb(far)) * arb(step) / 2

    return Alternation.on_cells(cell(k) for k in range(CELLS))
