r"""Functions of an inner product on circles: how many arcs a network needs there.

Fix x and a unit vector w orthogonal to it; x' = cos(s) x + sin(s) w is on the sphere,
and <x, x'> = cos s. On that circle what a unit of the first layer reads is a
trigonometric polynomial of degree 1, with two zeros at most; and so is, on each arc on
which the units before are such polynomials, what any later unit reads.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.exact import ball_upper, least, nearest_float
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


@dataclass(frozen=True)
class Alternation:
    """Places where f - c alternates, from -1 to 1, and what each weighs at least.

    Attributes:
        weights: the integral of (f - c)^2 over an interval on which it has one sign,
            for half of the law of <x, x'>.
    """

    weights: tuple[arb, ...]

    def arcs(self, allowed: arb) -> int:
        """The most that some of them in a row ask for.

        A function with 2 P changes of sign on the circle, which has c such intervals
        on either side, has the wrong sign on all of c - 1 - 2 P of them at least.
        """
        best = 0
        sizes = np.array([float(w.lower()) for w in self.weights])
        for start in range(len(sizes)):
            weakest = np.minimum.accumulate(sizes[start:])
            counts = np.arange(1, len(weakest) + 1)
            with np.errstate(divide="ignore"):
                guess = (counts - 1 - float(allowed.upper()) / weakest) / 2
            k = int(np.argmax(guess))
            if guess[k] > best:
                weight = reduce(arb.min, self.weights[start : start + k + 1])
                best = max(best, arcs_for(k + 1, weight, allowed))
        return best


def arcs_for(count: int, weight: arb, allowed: arb) -> int:
    """P >= (c - 1 - E^2 / weight) / 2."""
    needed = (arb(count - 1) - allowed / weight) / 2
    return max(0, -int(ball_upper(-needed).floor())) if needed.is_finite() else 0


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
            return arcs_for(2 * k + odd, weight, error**2)

        return _largest(proved, most)


def _arcs_in_linf(shape: str, turns: arb) -> int:
    """One less than there are extrema on [-1, 1]."""
    if shape == "sin":
        return max(0, 2 * _whole(turns + arb(1) / 2) - 1)
    return 2 * _whole(turns)


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
    f = target.profile.floats(np.linspace(-1, 1, POINTS))
    if not np.isfinite(f).all():
        return 0
    levels = np.quantile(f, np.linspace(0.1, 0.9, LEVELS))
    with ctx.workprec(PRECISION):
        if norm == "linf":
            return max(_alternating_points(target, float(c), accuracy) for c in levels)
        level = fmpq(round(float(np.median(f)) * 2**20), 2**20)
        return alternation(target, level).arcs(arb(accuracy) ** 2)


def _alternating_points(target: InnerProduct, level: float, accuracy: fmpq) -> int:
    """Points where f is above and below the level by more than E, less one."""
    t = np.linspace(-1, 1, POINTS)
    off = target.profile.floats(t) - level
    centre, runs = fmpq(round(level * 2**20), 2**20), []
    far = np.flatnonzero(np.abs(off) > nearest_float(accuracy))
    for k in far:
        if runs and np.sign(off[runs[-1]]) == np.sign(off[k]):
            if abs(off[k]) > abs(off[runs[-1]]):
                runs[-1] = k
        else:
            runs.append(k)
    proved, last = 0, 0
    for k in runs:
        ball = target.profile.jet(arb(float(t[k]))).value - centre
        sign = 1 if ball > accuracy else -1 if ball < -accuracy else 0
        if sign and sign != last:
            proved, last = proved + 1, sign
    return max(0, proved - 1)


def alternation(target: InnerProduct, level: fmpq) -> Alternation:
    """Intervals of one sign after the other, as balls on cells show them."""
    found: list[tuple[int, arb]] = []
    step = fmpq(2, CELLS)
    for k in range(CELLS):
        a, b = -1 + k * step, -1 + (k + 1) * step
        value = target.profile.jet(interval_ball(a, b)).value - level
        sign = 1 if value > 0 else -1 if value < 0 else 0
        if not sign or not value.is_finite():
            continue
        far = max(abs(a), abs(b)) if target.dim > 3 else fmpq(0)
        density = _least_density(target.dim, arb(far))
        part = arb(value.abs_lower()) ** 2 * density * arb(step) / 2
        if found and found[-1][0] == sign:
            part += found.pop()[1]
        found.append((sign, part))
    return Alternation(tuple(weight for _, weight in found))
