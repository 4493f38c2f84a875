r"""Networks on R^d against radial functions that end: sup errors, L2 by the law.

Read are networks whose first layer looks at one coordinate a unit and whose second
layer looks at one combination S = sum_i q_i(x_i) of these units. Each q_i is measured
against z^2 on [-rho, rho], rho the nearer of its last kinks; outwards from there it
must not fall. So where all |x_i| <= rho, S lies in |x|^2 + [low, high]; elsewhere S >=
rho^2 + low and, if rho is beyond the support, the target is 0. The rest of the network,
F(S), is measured against s -> G(unit sqrt(s)) up to the support's end, and against 0
from there to infinity. Under a law on the unit ball all ends at s = 1, unless G jumps
before.
"""

from itertools import pairwise

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis.box._ridge_error import signed_range
from depthsep.analysis.box._ridges import Ridge
from depthsep.analysis.line._examine import Effort, Examination, examination
from depthsep.analysis.line.pieces._enumerate import on_interval
from depthsep.analysis.symmetric._one_sum import OneSum, largest_error, moved, read_sum
from depthsep.analysis.symmetric._radial_profile import RadialComparison
from depthsep.analysis.symmetric._sphere_ridges import ball_ridges_error
from depthsep.evidence import Enclosure, Inapplicable, Rigour
from depthsep.exact import nearest_float, rational
from depthsep.laws import AbstractRadialLaw, Segment
from depthsep.networks import RELU, Network
from depthsep.problems import Problem
from depthsep.targets import Radial, RadialLine

PRECISION = 128
POINTS = 4097
SQUARE = [fmpq(0), fmpq(0), fmpq(1)]


def examine_radial(
    network: Network, problem: Problem, effort: Effort
) -> Examination | Inapplicable:
    """The error, enclosed: the sup over R^d bounds l1 and l2; or L2 by windows."""
    return examination("radial", lambda: _error(network, problem))


def _error(network: Network, problem: Problem) -> Enclosure | Inapplicable:
    """From below in linf only: at points."""
    if network.depth == 2:
        return _on_the_ball(network, problem)
    read = _read(network)
    if read is None:
        return Inapplicable(
            "for radial targets, all hidden units must be ReLUs, each unit of the "
            "first layer must depend on exactly one coordinate, and the second layer "
            "must depend on one linear combination of these units"
        )
    compared = _compared(read, problem)
    if isinstance(compared, Inapplicable):
        return compared
    found = compared.error(problem)
    if isinstance(found, Inapplicable) or problem.norm != "linf":
        return found
    law = problem.law_as(AbstractRadialLaw)
    ends_at_1 = problem.target_as(Radial).line_on_ball(law) is not None
    radii = _radii_of(law, fmpq(1) if ends_at_1 else 2 * compared.stop)
    lower = min(_from_below(network, compared.line, radii), found.upper)
    return Enclosure(lower, found.upper, Rigour.ENCLOSED)


def _compared(read: OneSum, problem: Problem) -> RadialComparison | Inapplicable:
    """F against the profile, up to where the law or the profile ends, and beyond."""
    target = problem.target_as(Radial)
    on_ball = target.line_on_ball(problem.law)
    line = on_ball or target.along
    squares = _squares(read.parts, fmpq(1) if on_ball else line.end, problem)
    if isinstance(squares, Inapplicable):
        return squares
    low, high, reach = squares
    far = (fmpq(0), fmpq(0)) if on_ball else _beyond(read.outer, reach + low)
    if far is None:
        return Inapplicable(
            "the network does not become constant where the sum of its parts that "
            "approximate squares is large; make it constant there"
        )
    reach = fmpq(1) if on_ball else reach
    f = on_interval(read.outer, low, reach + high)
    steepest = max((abs(s) for s in f.slopes.tolist()), default=fmpq(0))
    jumps, outer = () if on_ball else target.jumps, moved(read.outer, (low + high) / 2)
    spread = (high - low) / 2
    return RadialComparison(line, jumps, outer, reach, steepest * spread, far)


def _on_the_ball(network: Network, problem: Problem) -> Enclosure | Inapplicable:
    """Ridges, for laws on the unit ball."""
    if not problem.law_as(AbstractRadialLaw).is_in_unit_ball:
        return Inapplicable(
            "networks of one hidden layer are examined only on the unit ball"
        )
    return ball_ridges_error(network, problem)


def _read(network: Network) -> OneSum | None:
    first = network.layers[0]
    if network.depth < 3 or any(a is not RELU for a in network.activations):
        return None
    if any((row != 0).sum() != 1 for row in first.weight):
        return None
    coordinates = [int(np.flatnonzero(row != 0)[0]) for row in first.weight]
    if max(coordinates) + 1 < network.in_dim:
        return None
    inputs = first.weight[np.arange(len(coordinates)), coordinates]
    return read_sum(network, coordinates, inputs, _at_last_kink)


def _at_last_kink(part: Network) -> tuple[fmpq, fmpq]:
    far = max(abs(k) for k in _last_kinks(part))
    return part([far])[0] - part([fmpq(0)])[0], far * far


def _squares(
    parts: list[Network], end: fmpq, problem: Problem
) -> tuple[fmpq, fmpq, fmpq] | Inapplicable:
    """low and high of S - |x|^2 on the cube, and rho^2, at least `end`."""
    low = high = fmpq(0)
    reach, known = None, {}
    for part in parts:
        key = tuple(
            (tuple(map(str, layer.weight.ravel())), tuple(map(str, layer.bias)))
            for layer in part.layers
        )
        if key not in known:
            known[key] = _one_square(part, problem)
        found = known[key]
        if isinstance(found, Inapplicable):
            return found
        low, high = low + found[0], high + found[1]
        reach = found[2] if reach is None else min(reach, found[2])
    assert reach is not None
    if reach**2 < end:
        return Inapplicable(
            "a part of the network approximates the square of a coordinate, but its "
            "first or last kink is nearer to 0 than the radius at which the profile "
            "or the law ends; give a network with kinks at that radius or beyond on "
            "both sides of 0"
        )
    return low, high, reach**2


def _one_square(
    part: Network, problem: Problem
) -> tuple[fmpq, fmpq, fmpq] | Inapplicable:
    """low, high of q(z) - z^2 on [-rho, rho], and rho; q must not fall beyond."""
    left, right = _last_kinks(part)
    rho = min(-left, right)
    if rho <= 0:
        return Inapplicable(
            "for some coordinate, the first-layer units that depend on "
            "it do not have kinks on both sides of 0"
        )
    f = on_interval(part, left - 1, right + 1)
    knots, slopes = f.knots.tolist(), f.slopes.tolist()
    falls = any(
        (stop > rho and slope < 0) or (start < -rho and slope > 0)
        for (start, stop), slope in zip(pairwise(knots), slopes, strict=True)
    )
    if falls:
        return Inapplicable(
            "for some coordinate z, the part of the network that approximates z^2 "
            "decreases somewhere as |z| grows beyond R, where R is the smaller of the "
            "distances from 0 of this part's first and last kinks"
        )
    found = signed_range(Ridge((1,), part, Segment(-rho, rho)), SQUARE, problem)
    return found if isinstance(found, Inapplicable) else (*found, rho)


def _last_kinks(part: Network) -> tuple[fmpq, fmpq]:
    """The least and the largest kink of a network of one hidden layer."""
    kinks = [-b / w[0] for w, b in part.layers[0].rational_rows() if w[0] != 0]
    return min(kinks, default=fmpq(0)), max(kinks, default=fmpq(0))


def _beyond(outer: Network, start: fmpq) -> tuple[fmpq, fmpq] | None:
    """The range of |F| from `start` on; None if F is not constant in the end."""
    last = _last_bend(outer, start)
    f = on_interval(outer, start, last + 1)
    if f.slopes[-1] != 0:
        return None
    values = f.values.tolist()
    crosses = min(values) <= 0 <= max(values)
    sizes = [abs(v) for v in values]
    return (fmpq(0) if crosses else min(sizes)), max(sizes)


def _last_bend(outer: Network, start: fmpq) -> fmpq:
    """A number beyond which F, of one hidden layer or a deepened one, has no kink."""
    step = max(abs(start), fmpq(1))
    while True:
        # all units of the first hidden layer are on or off for good; later layers see
        # a function that is affine, so their last kink is a root of an affine map
        far = start + step
        if _is_straight_beyond(outer, far):
            return far
        step *= 2
        if step > fmpq(2) ** 200:
            raise HypothesisError("a kink of the network lies too far from 0")


def _is_straight_beyond(outer: Network, at: fmpq) -> bool:
    """Whether no unit changes sign beyond `at`: each is a + b (S - at), a b >= 0."""
    values, slopes = [at], [fmpq(1)]
    for layer in outer.layers[:-1]:
        rows = layer.rational_rows()
        sums = [
            (
                sum((w * v for w, v in zip(row, values, strict=True)), bias),
                sum((w * s for w, s in zip(row, slopes, strict=True)), fmpq(0)),
            )
            for row, bias in rows
        ]
        if any((v > 0 and s < 0) or (v < 0 and s > 0) for v, s in sums):
            return False
        on = [v > 0 or (v == 0 and s > 0) for v, s in sums]
        values = [v if k else fmpq(0) for (v, _), k in zip(sums, on, strict=True)]
        slopes = [s if k else fmpq(0) for (_, s), k in zip(sums, on, strict=True)]
    return True


def _radii_of(law: AbstractRadialLaw, stop: fmpq) -> np.ndarray:
    """Radii inside the law's support, |x|^2 up to `stop`; none if it is not known."""
    if law.support is None:
        return np.empty(0)
    low, high = law.support
    far = float(arb(stop)) ** 0.5
    end = far if high is None else min(far, nearest_float(high))
    radii = np.linspace(nearest_float(low), end, POINTS).tolist()
    ends = low, (rational(far) if high is None else high)
    return np.array([r for r in radii if ends[0] <= rational(r) <= ends[1]])


def _from_below(network: Network, line: RadialLine, radii: np.ndarray) -> fmpq:
    """The largest error at rational points of the first axis, evaluated exactly."""
    if not len(radii):
        return fmpq(0)
    target = line.radial
    points = np.zeros((len(radii), target.dim))
    points[:, 0] = radii

    def exact(k: int) -> tuple[list[fmpq], arb]:
        r = rational(float(radii[k]))
        truth = line.jet(arb(r * r)).value
        return [r, *[fmpq(0)] * (target.dim - 1)], truth

    with ctx.workprec(PRECISION):
        return largest_error(network, target, points, exact)
