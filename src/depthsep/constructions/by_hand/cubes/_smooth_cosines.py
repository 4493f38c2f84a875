r"""Ridge cosines by units of another activation, with proved errors.

Any smooth sigma with all derivatives up to N nonzero at b: powers are differences,
r^k ~ sum_j (-1)^(k-j) C(k, j) sigma(b + (j - k/2) h r) / (sigma^(k)(b) h^k), within
k/24 h^2 |r|^(k+2) sup |sigma^(k+2)| / |sigma^(k)(b)|; all of them share 2 N + 1 units.
Sigmoids: steep steps, whose weights stay small.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.constructions.by_hand.cubes._fejer_korovkin import (
    Values,
    cosine_coefficients,
    fejer_korovkin_bound,
    ridge_cosines,
)
from depthsep.exact import ball_upper, dyadic_near, midpoint, rational, total
from depthsep.networks import ERF, SIGMOID, TANH, Activation, Affine, Network
from depthsep.networks import derivatives as activation_derivatives

PRECISION = 2048
BITS = 400
MAX_DEGREE = 60
MAX_UNITS = 1 << 18
BASES = tuple(fmpq(k, 4) for k in (1, 2, 3, 0, 5, 6, -1, -2))
# (scale, shift, c): (sigma(z) + shift) scale is within e^-cz of 1 for z >= 0
SIGMOIDS = {
    SIGMOID.name: (fmpq(1), fmpq(0), 1),
    TANH.name: (fmpq(1, 2), fmpq(1), 2),
    ERF.name: (fmpq(1, 2), fmpq(1), 1),
}


@dataclass(frozen=True)
class SmoothUniversal:
    """One hidden layer of a smooth activation, and a bound on [0, 1]^d.

    The bound holds for the network's exact (rational) weights and values given exactly;
    coefficients of the mean are float64. Weights by differences are huge: evaluate the
    network in balls.

    Attributes:
        bound: |network - f|, the mean's error included.
        cosine_error: of that, what replacing the cosines adds.
    """

    network: Network
    bound: fmpq
    cosine_error: fmpq


def smooth_universal_network(
    values: Values,
    dim: int,
    degree: int,
    lipschitz: object,
    tolerance: object,
    activation: Activation,
) -> SmoothUniversal:
    """Theorem 2.5 for a smooth activation: the Fejer-Korovkin mean, then cosines.

    Sigmoid, tanh and erf by steep steps; others by differences.

    Args:
        values: (m, d) points to (m,) values, for a rho-Lipschitz function (l2).
        tolerance: delta, what replacing the cosines may add.

    Raises:
        HypothesisError: an activation without derivatives, a tolerance <= 0.
        TooLargeError: more than 2^18 units, or degrees beyond 60.
    """
    room = rational(tolerance, name="the tolerance")
    if room <= 0:
        raise HypothesisError(f"the tolerance is {room}; it must be positive")
    mean = fejer_korovkin_bound(degree, dim, lipschitz).upper
    directions, weights = ridge_cosines(cosine_coefficients(values, dim, degree))
    exact = [rational(float(c)) for c in weights]
    size = total(abs(c) for c in exact) or fmpq(1)
    parts = [
        _Part(tuple(int(k) for k in w), c)
        for w, c in zip(directions, exact, strict=True)
    ]
    steep = activation.name in SIGMOIDS
    if steep:  # a unit for every jump
        steps = (_steps(part, room / size) for part in parts)
        _check_units(sum(max(count - 1, 0) for count in steps))
    build = _by_steps if steep else _by_differences
    rows, offsets, outer, constant, error = [], [], [], fmpq(0), fmpq(0)
    for part in parts:
        flat, units, off = build(part, room / size, activation)
        constant, error = constant + part.weight * flat, error + abs(part.weight) * off
        for factor, offset, weight in units:
            rows.append([factor * k for k in part.direction])
            offsets.append(offset)
            outer.append(part.weight * weight)
        _check_units(len(rows))
    if not rows:
        return SmoothUniversal(
            Network([Affine([[0] * dim], [constant])]), mean + error, error
        )
    network = Network(
        [
            Affine(rows, offsets),
            Affine([outer], [constant]),
        ],
        [activation],
    )
    return SmoothUniversal(network, mean + error, error)


def _check_units(count: int) -> None:
    if count > MAX_UNITS:
        raise TooLargeError(
            f"at least {count} units are needed; at most {MAX_UNITS} are built. Choose "
            "a larger tolerance or a smaller degree"
        )


@dataclass(frozen=True)
class _Part:
    """weight * cos(pi direction . x) on the cube."""

    direction: tuple[int, ...]
    weight: fmpq

    @property
    def ends(self) -> tuple[int, int]:
        """The range of direction . x."""
        return sum(min(k, 0) for k in self.direction), sum(
            max(k, 0) for k in self.direction
        )


# (factor, offset, outer weight): outer * sigma(factor * r + offset)
Unit = tuple[fmpq, fmpq, fmpq]
Built = tuple[fmpq, list[Unit], fmpq]


def _by_steps(part: _Part, room: fmpq, activation: Activation) -> Built:
    r"""Steps of width s and steepness K: within pi s + e^(-K s / 2) sum |jumps|.

    Near a jump the value lies between two neighbours of the staircase, each taken at
    most s away; other jumps are at least s / 2 away.
    """
    low, high = part.ends
    if low == high:
        return fmpq(1), [], fmpq(0)
    scale, lift, rate = SIGMOIDS[activation.name]
    count = _steps(part, room)
    step = fmpq(high - low, count)
    with ctx.workprec(PRECISION):
        heights = [
            _near((arb(low + step * (i + fmpq(1, 2)))).cos_pi()) for i in range(count)
        ]
        jumps = [b - a for a, b in pairwise(heights)]
        swing = total(abs(j) for j in jumps)
        steep = fmpq(1)
        while ball_upper((-arb(steep * step * rate / 2)).exp()) * swing > room / 4:
            steep *= 2
        tail = ball_upper((-arb(steep * step * rate / 2)).exp()) * swing
        error = ball_upper(arb.pi() * arb(step)) + tail + fmpq(1, 1 << BITS)
    units = [
        (steep, -steep * (low + step * (i + 1)), scale * jump)
        for i, jump in enumerate(jumps)
    ]
    return heights[0] + scale * lift * total(jumps), units, error


def _steps(part: _Part, room: fmpq) -> int:
    """So many that pi times their width is at most half of what there is room for."""
    low, high = part.ends
    return int((fmpq(high - low) * fmpq(355, 113) * 2 / room).ceil())


def _by_differences(part: _Part, room: fmpq, activation: Activation) -> Built:
    """cos(pi (c + t)) by its Taylor polynomial at the middle c, |t| <= R."""
    low, high = part.ends
    if low == high:
        return fmpq(1), [], fmpq(0)
    reach, centre = fmpq(high - low, 2), fmpq(high + low, 2)
    with ctx.workprec(PRECISION):
        degree, rest = _taylor_degree(reach, room / 4)
        shape = [_taylor(centre, k) for k in range(degree + 1)]
        base, at = _base(activation, degree)
        h, error = _spacing(shape, reach, room / 2, activation, base, at)
        weights = [fmpq(0)] * (2 * degree + 1)
        for k in range(1, degree + 1):
            front = shape[k] / (at[k] * arb(h) ** k)
            for j in range(k + 1):
                sign = -1 if (k - j) % 2 else 1
                weights[2 * j - k + degree] += sign * comb(k, j) * _near(front)
        # each weight is a sum of at most N rounded terms, |sigma| <= `largest` there
        span = arb(base).union(arb(base)) + arb(0, 1) * arb(h * reach * degree / 2)
        largest = ball_upper(abs(activation_derivatives(activation, span, 0)[0]))
        rounding = (
            total(fmpq(comb(k, j)) for k in range(1, degree + 1) for j in range(k + 1))
            * largest
            / fmpq(2) ** BITS
        )
        flat = _near(shape[0])
    units = [
        (h * fmpq(m - degree, 2), base - h * fmpq(m - degree, 2) * centre, w)
        for m, w in enumerate(weights)
        if w != 0
    ]
    return flat, units, error + rest + rounding + fmpq(1, 1 << BITS)


def _taylor_degree(reach: fmpq, room: fmpq) -> tuple[int, fmpq]:
    """N with (pi R)^(N+1) / (N+1)! within the room."""
    size = arb.pi() * arb(reach)
    for degree in range(1, MAX_DEGREE + 1):
        rest = ball_upper(size ** (degree + 1) / arb(degree + 2).gamma())
        if rest <= room:
            return degree, rest
    raise TooLargeError(
        f"no Taylor polynomial of degree up to {MAX_DEGREE} was proved "
        "to approximate the cosines within the tolerance; choose a "
        "larger tolerance or a smaller degree of the mean"
    )


def _taylor(centre: fmpq, k: int) -> arb:
    """The k-th coefficient of t -> cos(pi (c + t))."""
    turned = arb(centre + fmpq(k, 2)).cos_pi()
    return arb.pi() ** k * turned / arb(k + 1).gamma()


def _base(activation: Activation, degree: int) -> tuple[fmpq, list[arb]]:
    """b, and the derivatives there, of which the smallest is largest."""
    best: tuple[arb, fmpq, list[arb]] | None = None
    for base in BASES:
        found = activation_derivatives(activation, arb(base), degree)
        least = min(abs(v).lower() for v in found[1:])
        if least > 0 and (best is None or least > best[0]):
            best = least, base, found
    if best is None:
        raise HypothesisError(
            "at every point that was tried, some derivative of "
            f"{activation.name} up to order {degree} is 0 or could not "
            "be proved to differ from 0; choose another activation"
        )
    return best[1], best[2]


def _spacing(
    shape: Sequence[arb],
    reach: fmpq,
    room: fmpq,
    activation: Activation,
    base: fmpq,
    at: Sequence[arb],
) -> tuple[fmpq, fmpq]:
    """h, a power of two, and what all differences together are off by."""
    degree, h = len(shape) - 1, fmpq(1)
    while True:
        span = arb(base) + arb(0, 1) * arb(h * reach * degree / 2)
        over = activation_derivatives(activation, span, degree + 2)
        lost = arb(0)
        for k in range(1, degree + 1):
            power = arb(reach) ** (k + 2) * arb(h) ** 2 * k / 24
            lost += abs(shape[k]) * power * abs(over[k + 2]) / abs(at[k])
        if lost.is_finite() and ball_upper(lost) <= room:
            return h, ball_upper(lost)
        h /= 2


def _near(ball: arb) -> fmpq:
    """A rational within 2^-400 of a narrow ball."""
    if ball.rad() > arb(2) ** (-BITS - 2):
        raise TooLargeError(
            "a weight cannot be computed accurately enough with "
            f"{PRECISION} bits; choose a larger tolerance"
        )
    return dyadic_near(midpoint(ball), BITS + 1)
