r"""Networks on R^d against radial functions that end: sup errors, L2 by the law.

Read are networks whose first layer looks at one coordinate a unit and whose second
layer looks at one combination S = sum_i q_i(x_i) of these units. Each q_i is measured
against z^2 on [-rho, rho], rho the nearer of its last kinks; outwards from there it
must not fall. So where all |x_i| <= rho, S lies in |x|^2 + [low, high]; elsewhere S >=
rho^2 + low and, if rho is beyond the support, the target is 0. The rest of the network,
F(S), is measured against s -> G(unit sqrt(s)) up to the support's end, and against 0
from there to infinity.

Where G jumps, windows around the jumps are left out of the sup; in L2 each costs
its mass times the square of the largest error in it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, UndecidedError
from depthsep.analysis._examine_box import signed_range
from depthsep.analysis._lines import on_interval
from depthsep.analysis._one_sum import one_sum
from depthsep.analysis._ridges import Ridge
from depthsep.evidence import Enclosure, Inapplicable, Rigour
from depthsep.exact import (
    PiecewiseAffine,
    ball_upper,
    dyadic_near,
    rational,
    sqrt_upper,
)
from depthsep.laws import AbstractLaw, AbstractRadialLaw, Uniform
from depthsep.networks import RELU, Affine, Network
from depthsep.problems import Problem
from depthsep.targets import Radial, interval_ball

PRECISION = 128
BITS = 60
Measure = Callable[[Network, Problem], Enclosure | Inapplicable]
SQUARE = [fmpq(0), fmpq(0), fmpq(1)]
KEPT = 8
SHELLS = 32
CELLS, FEW_WINDOWS = 64, 4  # masses are known cell by cell in few windows
ROOM = 0.51  # of the accuracy, for the sup outside of windows


@dataclass(frozen=True)
class _Read:
    """S as one network for each coordinate, and the network after it."""

    parts: list[Network]
    outer: Network


@dataclass(frozen=True)
class _Window:
    """Left out of the sup: s from start to stop, around a jump."""

    start: fmpq
    stop: fmpq


def radial_error(
    network: Network, problem: Problem, measure: Measure
) -> Enclosure | Inapplicable:
    """The error, enclosed: the sup over R^d, which bounds l1 and l2, or L2 by windows.

    Args:
        measure: the linf distance of a network of one input to a target of one input.
    """
    try:
        return _error(network, problem, measure)
    except (HypothesisError, UndecidedError) as refusal:
        return Inapplicable(str(refusal))


def _error(
    network: Network, problem: Problem, measure: Measure
) -> Enclosure | Inapplicable:
    target = problem.target
    assert isinstance(target, Radial)
    read = _read(network)
    if read is None:
        return Inapplicable(
            "against radial functions, networks are examined whose first layer reads "
            "one coordinate a unit and whose second reads one combination of them"
        )
    end = target.along.end
    squares = _squares(read.parts, end, problem, measure)
    if isinstance(squares, Inapplicable):
        return squares
    low, high, reach = squares
    middle, spread = (low + high) / 2, (high - low) / 2
    far = _beyond(read.outer, reach + low)
    if far is None:
        return Inapplicable("the network grows without end: cut its squares off")
    moved = _moved(read.outer, middle)
    f = on_interval(read.outer, low, reach + high)
    steepest = max((abs(s) for s in f.slopes.tolist()), default=fmpq(0))
    line = _Line(target, moved, fmpq(0), reach)
    return line.error(problem, measure, steepest * spread, far, network)


def _read(network: Network) -> _Read | None:
    if network.depth < 3 or any(a is not RELU for a in network.activations):
        return None
    first, second = network.layers[:2]
    if any((row != 0).sum() != 1 for row in first.weight):
        return None
    coordinates = [int(np.flatnonzero(row != 0)[0]) for row in first.weight]
    found = one_sum(second)
    if found is None:
        return None
    ahead, factors = found
    if _sum_at_end(first, ahead) < 0:
        ahead, factors = -ahead, [-f for f in factors]
    parts = []
    for i in range(network.in_dim):
        units = [j for j, c in enumerate(coordinates) if c == i]
        if not units:
            return None
        inner = Affine(first.weight[units][:, [i]], first.bias[units])
        parts.append(Network([inner, Affine(ahead[None, units], [0])]))
    column = Affine(np.array(factors)[:, None], second.bias)
    return _Read(parts, Network([column, *network.layers[2:]]))


def _sum_at_end(first: Affine, ahead: np.ndarray) -> fmpq:
    """S at the farthest kink along the first axis, less S(0): rows may be negative."""
    rows = first.rational_rows()
    places = [-b / w for ws, b in rows for w in ws[:1] if w != 0]
    far = max((abs(p) for p in places), default=fmpq(1))
    inputs = len(first.weight[0])
    ends = ([far, *[fmpq(0)] * (inputs - 1)], [fmpq(0)] * inputs)
    sums = []
    for x in ends:
        values = [max(v, fmpq(0)) for v in first(x)]
        sums.append(
            sum((rational(a) * v for a, v in zip(ahead, values, strict=True)), fmpq(0))
        )
    return sums[0] - sums[1]


def _squares(
    parts: list[Network], end: fmpq, problem: Problem, measure: Measure
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
            known[key] = _one_square(part, problem, measure)
        found = known[key]
        if isinstance(found, Inapplicable):
            return found
        low, high = low + found[0], high + found[1]
        reach = found[2] if reach is None else min(reach, found[2])
    assert reach is not None
    if reach**2 < end:
        return Inapplicable("the squares are cut off within the target's support")
    return low, high, reach**2


def _one_square(
    part: Network, problem: Problem, measure: Measure
) -> tuple[fmpq, fmpq, fmpq] | Inapplicable:
    """low, high of q(z) - z^2 on [-rho, rho], and rho; q must not fall beyond."""
    left, right = _last_kinks(part)
    rho = min(-left, right)
    if rho <= 0:
        return Inapplicable("a coordinate is not read on both sides of 0")
    f = on_interval(part, left - 1, right + 1)
    knots, slopes = f.knots.tolist(), f.slopes.tolist()
    falls = any(
        (stop > rho and slope < 0) or (start < -rho and slope > 0)
        for (start, stop), slope in zip(pairwise(knots), slopes, strict=True)
    )
    if falls:
        return Inapplicable("the squares fall beyond the nearer of their last kinks")
    found = signed_range(
        Ridge((1,), part, Uniform(-rho, rho)), SQUARE, problem, measure
    )
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
            raise HypothesisError("a kink of the network lies too far out")


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


def _moved(outer: Network, by: fmpq) -> Network:
    """s -> F(s + by)."""
    first = outer.layers[0]
    return Network([Affine(first.weight, first([by])), *outer.layers[1:]])


@dataclass(frozen=True)
class _Line:
    """F(s + m) against G(unit sqrt(s)) on [start, stop]."""

    target: Radial
    network: Network
    start: fmpq
    stop: fmpq

    def error(
        self,
        problem: Problem,
        measure: Measure,
        slack: fmpq,
        far: tuple[fmpq, fmpq],
        network: Network,
    ) -> Enclosure | Inapplicable:
        """All together.

        Args:
            slack: what the squares cost.
            far: the least and the largest |F| beyond them.
        """
        if self.target.jumps and problem.norm == "linf":
            return Inapplicable(f"{self.target} is not proved to be continuous; use l2")
        windows = self._windows(problem.accuracy, slack) if self.target.jumps else []
        (least, upper), at = far, self.start
        for window in [*windows, None]:
            stop = self.stop if window is None else window.start
            if stop > at:
                on = Problem(
                    self.target.along, Uniform(at, stop), accuracy=problem.accuracy
                )
                found = measure(self.network, on)
                if isinstance(found, Inapplicable):
                    return found
                upper = max(upper, found.upper + slack)
            at = self.stop if window is None else window.stop
        lower = fmpq(0)
        if problem.norm == "linf":
            lower = min(_from_below(network, self.target, self.stop), upper)
        if windows:
            law = problem.law
            assert isinstance(law, AbstractRadialLaw)
            cost = self._cost(windows, slack, law)
            upper = sqrt_upper(upper**2 + cost)
        if problem.norm == "l2" and upper > problem.accuracy:
            lower = self._mean_from_below(problem.law, slack, least)
        return Enclosure(min(lower, upper), upper, Rigour.ENCLOSED)

    def _mean_from_below(self, law: AbstractLaw, slack: fmpq, least: fmpq) -> fmpq:
        """The L2 error from below: shells, each with its mass and its smallest error.

        Args:
            least: of the error where |x|^2 is beyond `stop`.
        """
        assert isinstance(law, AbstractRadialLaw)
        f = on_interval(self.network, self.start, self.stop)
        step, whole, before = self.stop / SHELLS, fmpq(0), fmpq(0)
        for k in range(SHELLS):
            a, b = k * step, (k + 1) * step
            low, high = _range_of(f, a, b)
            with ctx.workprec(PRECISION):
                truth = self.target.along.jet(interval_ball(a, b)).value
                gap = abs(truth - arb(low - slack).union(arb(high + slack)))
                after = _within(b, law, -1)
                smallest = -ball_upper(-gap.abs_lower()) if gap.is_finite() else fmpq(0)
            whole += smallest**2 * max(after - before, fmpq(0))
            with ctx.workprec(PRECISION):
                before = _within(b, law, 1)
        whole += least**2 * max(1 - before, fmpq(0))
        return whole / sqrt_upper(whole) if whole > 0 else fmpq(0)

    def _windows(self, accuracy: fmpq, slack: fmpq) -> list[_Window]:
        """Around each jump, what float64 finds off by more than the sup may be."""
        f = on_interval(self.network, self.start, self.stop)
        room = ROOM * float(accuracy.p) / float(accuracy.q)
        room -= float(slack.p) / float(slack.q)
        with ctx.workprec(PRECISION):
            unit = self.target.unit()
            at = [
                dyadic_near(_middle((arb(j) / unit) ** 2), BITS)
                for j in self.target.jumps
            ]
        windows: list[_Window] = []
        for k, s in enumerate(at):
            left = (at[k - 1] + s) / 2 if k else s / 2
            right = (s + at[k + 1]) / 2 if k + 1 < len(at) else self.stop
            window = _Window(
                self._edge(f, s, left, room), self._edge(f, s, right, room)
            )
            if windows and windows[-1].stop >= window.start:
                window = _Window(windows.pop().start, window.stop)
            windows.append(window)
        return windows

    def _edge(self, f: PiecewiseAffine, jump: fmpq, limit: fmpq, room: float) -> fmpq:
        """Where, from the limit towards the jump, the error first exceeds the room."""
        grid = np.linspace(0.0, 1.0, 513)[1:]
        start, length = float(arb(jump)), float(arb(limit - jump))
        knots = np.array([float(arb(k)) for k in f.knots.tolist()])
        values = np.array([float(arb(v)) for v in f.values.tolist()])
        far = 1.0
        for _ in range(4):
            s = start + length * far * grid
            off = np.abs(np.interp(s, knots, values) - self.target.along.floats(s))
            bad = np.flatnonzero(off > room)
            if not len(bad):
                far *= float(grid[0])
                continue
            edge = min(int(bad[-1]) + 1, len(grid) - 1)
            if grid[edge] > 0.5:
                far *= float(grid[edge])
                break
            far *= float(grid[edge])
        share = fmpq(int(far * (1 + 2.0**-8) * 2**40) + 1, 1 << 40)
        return jump + (limit - jump) * min(share, fmpq(1))

    def _cost(
        self, windows: list[_Window], slack: fmpq, law: AbstractRadialLaw
    ) -> fmpq:
        """Mass times the largest error squared, over windows or their cells."""
        whole = fmpq(0)
        for window in windows:
            f = on_interval(self.network, window.start, window.stop)
            with ctx.workprec(PRECISION):
                worst = self._worst(window, f)
                parts = [(max(worst), 0, CELLS)]
                if len(windows) <= FEW_WINDOWS:
                    parts = [(e, k, k + 1) for k, e in enumerate(worst)]
                step = (window.stop - window.start) / CELLS
                for most, a, b in parts:
                    cell = _Window(window.start + a * step, window.start + b * step)
                    whole += _mass(cell, law) * (most + slack) ** 2
        return whole

    def _worst(self, window: _Window, f: PiecewiseAffine) -> list[fmpq]:
        """The largest error in each of CELLS cells of a window."""
        worst = []
        step = (window.stop - window.start) / CELLS
        for k in range(CELLS):
            a, b = window.start + k * step, window.start + (k + 1) * step
            truth = self.target.along.jet(interval_ball(a, b)).value
            ends = _range_of(f, a, b)
            values = arb(ends[0]).union(arb(ends[1]))
            worst.append(ball_upper(abs(truth - values)))
        return worst


def _range_of(f: PiecewiseAffine, a: fmpq, b: fmpq) -> tuple[fmpq, fmpq]:
    """The least and the largest value of f on [a, b]."""
    knots = [k for k in f.knots.tolist() if a < k < b]
    values = [f(x) for x in (a, *knots, b)]
    return min(values), max(values)


def _mass(window: _Window, law: AbstractRadialLaw) -> fmpq:
    """A bound of the law's mass in a window of |x|^2."""
    return max(_within(window.stop, law, 1) - _within(window.start, law, -1), fmpq(0))


def _within(s: fmpq, law: AbstractRadialLaw, side: int) -> fmpq:
    """P(|x|^2 <= s), rounded up (side 1) or down (-1)."""
    radius = dyadic_near(_middle(arb(s).sqrt()), BITS) + side * fmpq(2) ** (8 - BITS)
    mass = law.cdf(radius)
    return ball_upper(mass) if side > 0 else max(-ball_upper(-mass), fmpq(0))


def _from_below(network: Network, target: Radial, stop: fmpq) -> fmpq:
    """The largest error at rational points of the first axis, evaluated exactly."""
    far = float(arb(stop)) ** 0.5 * 1.25
    radii = np.linspace(0, far, 4097)
    points = np.zeros((len(radii), target.dim))
    points[:, 0] = radii
    off = np.abs(network.floats(points)[:, 0] - target.floats(points))
    worst = fmpq(0)
    with ctx.workprec(PRECISION):
        for k in np.argsort(np.nan_to_num(off))[-KEPT:].tolist():
            r = fmpq(*float(radii[k]).as_integer_ratio())
            truth = target.along.jet(arb(r * r)).value
            value = network([r, *[fmpq(0)] * (target.dim - 1)])[0]
            error = abs(arb(value) - truth)
            if error.is_finite():
                worst = max(worst, -ball_upper(-error))
    return worst


def _middle(ball: arb) -> fmpq:
    man, exp = ball.mid().man_exp()
    return fmpq(int(man)) * fmpq(2) ** int(exp)
