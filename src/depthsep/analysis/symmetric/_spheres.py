r"""Networks on two points of a sphere, against functions of their inner product.

Read are networks whose first layer looks at sums x_i + x'_i only, one coordinate a
unit, and whose second layer looks at one combination S of these units: S = sum_i
phi_i(x_i + x'_i). On the spheres sum_i (x_i + x'_i)^2 / 2 = 1 + <x, x'>; each phi_i is
measured against z^2 / 2 on [-2, 2], and the rest of the network, G(S), against f.
Other networks of ReLUs are followed over cells of points of R^2 and R^3.
"""

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.analysis.box._ridge_error import signed_range
from depthsep.analysis.box._ridges import Ridge
from depthsep.analysis.line._examine import Effort, Examination, examination, line_error
from depthsep.analysis.line.pieces._enumerate import on_interval
from depthsep.analysis.symmetric._one_sum import (
    OneSum,
    largest_error,
    moved,
    read_deep_sum,
    read_sum,
)
from depthsep.analysis.symmetric._sphere_ridges import sphere_ridges_error
from depthsep.analysis.symmetric.followed._errors import followed_error
from depthsep.approximation import steepest_slope
from depthsep.evidence import Enclosure, Inapplicable, Rigour
from depthsep.exact import rational
from depthsep.laws import Box, Segment, SpherePair
from depthsep.networks import RELU, Network, shift
from depthsep.problems import Problem
from depthsep.targets import InnerProduct

PRECISION = 128
HALF_SQUARE = [fmpq(0), fmpq(0), fmpq(1, 2)]
ANGLES = 192


def examine_spheres(
    network: Network, problem: Problem, effort: Effort
) -> Examination | Inapplicable:
    """The sup error, enclosed, which bounds l1 and l2 too; or the norm's own, followed.

    |G(S) - f(u)| <= Lip(G) delta + |G(1 + u + m) - f(u)|, S in 1 + u + [m - delta,
    m + delta]; or Lip(f) delta, where G is near f a little beyond [-1, 1].
    """
    return examination("spheres", lambda: _error(network, problem, effort))


def _error(
    network: Network, problem: Problem, effort: Effort
) -> Enclosure | Inapplicable:
    target, _ = problem.target_as(InnerProduct), problem.law_as(SpherePair)
    read = _read(network, target.dim)
    if read is not None:
        return _of_one_sum(network, read, problem)
    if network.depth == 2:
        found = sphere_ridges_error(network, problem)
        if not isinstance(found, Inapplicable):
            return _not_below(network, found, problem)
    found = followed_error(network, problem, effort)
    if isinstance(found, Inapplicable) and network.depth > 2:
        return Inapplicable(
            "on spheres a network is examined if its first layers compute functions "
            "of the sums x_i + x'_i and the next layer depends on one linear "
            "combination of these functions; this network has another form, so "
            f"another method was tried: {found.reason}"
        )
    return found


def _not_below(network: Network, found: Enclosure, problem: Problem) -> Enclosure:
    """The sup error from below, where only the upper end was proved."""
    if problem.norm != "linf":
        return found
    lower = min(_from_below(network, problem.target_as(InnerProduct)), found.upper)
    return Enclosure(lower, found.upper, Rigour.ENCLOSED)


def _of_one_sum(
    network: Network, read: OneSum, problem: Problem
) -> Enclosure | Inapplicable:
    target = problem.target_as(InnerProduct)
    low = high = fmpq(0)
    for part in read.parts:
        ridge = Ridge((1,), part, Segment(-2, 2))
        found = signed_range(ridge, HALF_SQUARE, problem)
        if isinstance(found, Inapplicable):
            return found
        low, high = low + found[0], high + found[1]
    middle, spread = (low + high) / 2, (high - low) / 2
    f = on_interval(read.outer, low, 2 + high)
    steepest = max((abs(s) for s in f.slopes.tolist()), default=fmpq(0))
    line_network = moved(read.outer, 1 + middle)
    line = Problem(target.profile, Segment(-1, 1), accuracy=problem.accuracy)
    error = line_error(line_network, line)
    if isinstance(error, Inapplicable):
        return error
    upper = error.upper + steepest * spread
    if upper > problem.accuracy:
        upper = min(upper, _by_slopes_of_target(line_network, line, spread) or upper)
    if problem.norm == "linf":
        lower = min(_from_below(network, target), upper)
    elif upper <= problem.accuracy:
        lower = fmpq(0)
    else:
        least = _least_size(line_network, line, error.upper)
        lower = max(fmpq(0), least - steepest * spread)
    return Enclosure(lower, upper, Rigour.ENCLOSED)


def _by_slopes_of_target(network: Network, line: Problem, spread: fmpq) -> fmpq | None:
    """|G(u + r) - f(u)| <= |G - f|(u + r) + Lip(f) |r|, |r| <= spread."""
    reach = 1 + spread
    slope = steepest_slope(line.line_target, reach)
    if slope is None:
        return None
    wider = Problem(line.target, Segment(-reach, reach), accuracy=line.accuracy)
    error = line_error(network, wider)
    return None if isinstance(error, Inapplicable) else error.upper + slope * spread


def _least_size(network: Network, line: Problem, most: fmpq) -> fmpq:
    """A bound from below of |network - f| on the line: it bounds every mean."""
    ends = []
    for sign in (1, -1):
        found = line_error(shift(network, sign * most), line)
        if isinstance(found, Inapplicable):
            return fmpq(0)
        ends.append(sign * (found.upper - most))
    # network - f lies between ends[1] and ends[0]
    return max(ends[1], -ends[0], fmpq(0))


def _read(network: Network, dim: int) -> OneSum | None:
    if network.depth < 2 or any(a is not RELU for a in network.activations):
        return None
    first = network.layers[0].weight
    left, right = first[:, :dim], first[:, dim:]
    if not ((left == right).all() and ((left != 0).sum(axis=1) == 1).all()):
        return None
    two = _read_two(network, dim) if network.depth > 2 else None
    return two or _read_deep(network, dim)


def _read_deep(network: Network, dim: int) -> OneSum | None:
    """A sum that a later layer reads, or the second in any multiples."""
    sides = Box([Segment(-1, 1)] * (2 * dim))
    axes = np.hstack([np.eye(dim, dtype=int)] * 2)
    directions = [tuple(row) for row in axes.tolist()]
    return read_deep_sum(network, sides, directions, _size_of_square)


def _size_of_square(part: Network) -> fmpq:
    """c with part / c as near to z^2 / 2 on [-2, 2], up to a constant, as can be."""
    z = np.linspace(-2, 2, 2049)
    with np.errstate(all="ignore"):
        values = part.floats(z[:, None])[:, 0]
    first = values[[0, -1]].mean() - values[len(z) // 2]
    if not np.isfinite(values).all() or first == 0:
        return fmpq(0)

    def spread(times: float) -> float:
        return float(np.ptp(values * times - z * z / 2))

    times, step = 2 / first, abs(1 / first)
    for _ in range(60):  # convex in `times`
        times = min((times - step, times, times + step), key=spread)
        step *= 0.6
    return 1 / rational(times)


def _read_two(network: Network, dim: int) -> OneSum | None:
    """A sum that the second layer reads."""
    first, coordinates = network.layers[0], []
    for row in first.weight:
        used = [i for i in range(dim) if row[i] != 0 or row[dim + i] != 0]
        if len(used) != 1 or row[used[0]] != row[dim + used[0]]:
            return None
        coordinates.append(used[0])
    if max(coordinates) + 1 < dim:
        return None
    inputs = first.weight[np.arange(len(coordinates)), coordinates]
    return read_sum(network, coordinates, inputs, lambda part: (part([2])[0], fmpq(2)))


def _from_below(network: Network, target: InnerProduct) -> fmpq:
    """The largest error at pairs of rational points of one great circle.

    Evaluated exactly at the few where float64 finds it largest.
    """
    points = [
        _pair(target.dim, fmpq(k, ANGLES), sign)
        for k in range(-ANGLES, ANGLES + 1)
        for sign in (1, -1)
    ]
    rounded = np.array([[int(v.p) / int(v.q) for v in x] for x in points])

    def exact(k: int) -> tuple[list[fmpq], arb]:
        return points[k], target.profile.jet(arb(points[k][target.dim])).value

    with ctx.workprec(PRECISION):
        return largest_error(network, target, rounded, exact)


def _pair(dim: int, s: fmpq, sign: int) -> list[fmpq]:
    """e_1 and a rational point of the circle through e_1 and e_2."""
    x = [fmpq(0)] * (2 * dim)
    x[0] = fmpq(1)
    x[dim], x[dim + 1] = sign * (1 - s * s) / (1 + s * s), 2 * s / (1 + s * s)
    return x
