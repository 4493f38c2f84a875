r"""A function of s = |x|^2 against a radial function: sup, or L2 under a radial law.

Where G jumps, windows around the jumps are left out of the sup; in L2 each costs its
mass times the square of the largest error in it. Float64 chooses the windows, nothing
rests on the choice.
"""

from dataclasses import dataclass

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.analysis.line._examine import line_error
from depthsep.analysis.line.pieces._enumerate import on_interval
from depthsep.evidence import Enclosure, Inapplicable, Rigour
from depthsep.exact import (
    PiecewiseAffine,
    ball_upper,
    dyadic_near,
    midpoint,
    nearest_float,
    sqrt_upper,
)
from depthsep.laws import AbstractRadialLaw, Segment
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.targets import RadialLine, interval_ball

PRECISION = 128
BITS = 60
SHELLS = 32
CELLS, FEW_WINDOWS = 64, 4  # masses are known cell by cell in few windows
ROOM = 0.51  # of the accuracy, for the sup outside of windows


@dataclass(frozen=True)
class _Window:
    """Left out of the sup: s from start to stop, around a jump."""

    start: fmpq
    stop: fmpq


@dataclass(frozen=True)
class RadialComparison:
    """N(s) against G(unit sqrt(s)) up to s = stop, beyond which G is 0 or not asked.

    Attributes:
        line: G(unit sqrt(s)), with the jumps of G that count.
        slack: how far a network of |x|^2 may be from N, for |x|^2 up to `stop`.
        far: the least and the largest size of that network beyond.
    """

    line: RadialLine
    jumps: tuple[fmpq, ...]
    network: Network
    stop: fmpq
    slack: fmpq
    far: tuple[fmpq, fmpq]

    def error(self, problem: Problem) -> Enclosure | Inapplicable:
        """The error from above: of the sup, or in L2 by windows; L2 from below too."""
        if self.jumps and problem.norm == "linf":
            target = self.line.radial
            return Inapplicable(f"{target} is not proved to be continuous; use l2")
        windows = self._windows(problem.accuracy) if self.jumps else []
        (least, upper), at = self.far, fmpq(0)
        for window in [*windows, None]:
            stop = self.stop if window is None else window.start
            if stop > at:
                on = Problem(self.line, Segment(at, stop), accuracy=problem.accuracy)
                found = line_error(self.network, on)
                if isinstance(found, Inapplicable):
                    return found
                upper = max(upper, found.upper + self.slack)
            at = self.stop if window is None else window.stop
        lower = fmpq(0)
        if windows:
            cost = self._cost(windows, problem.law_as(AbstractRadialLaw))
            upper = sqrt_upper(upper**2 + cost)
        if problem.norm == "l2" and upper > problem.accuracy:
            lower = self._mean_from_below(problem.law_as(AbstractRadialLaw), least)
        return Enclosure(min(lower, upper), upper, Rigour.ENCLOSED)

    def _mean_from_below(self, law: AbstractRadialLaw, least: fmpq) -> fmpq:
        """The L2 error from below: shells, each with its mass and its smallest error.

        Args:
            least: of the error where |x|^2 is beyond `stop`.
        """
        f = on_interval(self.network, fmpq(0), self.stop)
        step, whole, before = self.stop / SHELLS, fmpq(0), fmpq(0)
        for k in range(SHELLS):
            a, b = k * step, (k + 1) * step
            low, high = _range_of(f, a, b)
            with ctx.workprec(PRECISION):
                truth = self.line.jet(interval_ball(a, b)).value
                gap = abs(truth - arb(low - self.slack).union(arb(high + self.slack)))
                after = _within(b, law, -1)
                smallest = -ball_upper(-gap.abs_lower()) if gap.is_finite() else fmpq(0)
            whole += smallest**2 * max(after - before, fmpq(0))
            with ctx.workprec(PRECISION):
                before = _within(b, law, 1)
        whole += least**2 * max(1 - before, fmpq(0))
        return whole / sqrt_upper(whole) if whole > 0 else fmpq(0)

    def _windows(self, accuracy: fmpq) -> list[_Window]:
        """Around each jump, what float64 finds off by more than the sup may be."""
        f = on_interval(self.network, fmpq(0), self.stop)
        room = ROOM * nearest_float(accuracy) - nearest_float(self.slack)
        with ctx.workprec(PRECISION):
            unit = self.line.radial.unit()
            at = [dyadic_near(midpoint((arb(j) / unit) ** 2), BITS) for j in self.jumps]
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
            off = np.abs(np.interp(s, knots, values) - self.line.floats(s))
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

    def _cost(self, windows: list[_Window], law: AbstractRadialLaw) -> fmpq:
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
                    whole += _mass(cell, law) * (most + self.slack) ** 2
        return whole

    def _worst(self, window: _Window, f: PiecewiseAffine) -> list[fmpq]:
        """The largest error in each of CELLS cells of a window."""
        worst = []
        step = (window.stop - window.start) / CELLS
        for k in range(CELLS):
            a, b = window.start + k * step, window.start + (k + 1) * step
            truth = self.line.jet(interval_ball(a, b)).value
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
    radius = dyadic_near(midpoint(arb(s).sqrt()), BITS) + side * fmpq(2) ** (8 - BITS)
    mass = law.cdf(radius)
    return ball_upper(mass) if side > 0 else max(-ball_upper(-mass), fmpq(0))
