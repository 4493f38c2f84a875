"""Find good piecewise-affine approximations in float64, for the examiner to judge."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from flint import fmpq

from depthsep.approximation import (
    LIGHTEST,
    ClosedTunnels,
    best_approximant,
    best_values,
    lengths_around,
    tunnel_links,
)
from depthsep.evidence import Inapplicable
from depthsep.exact import least, nearest_float
from depthsep.problems import Problem

SAMPLES_A_PIECE = 48
MAX_PIECES = 20_000
COARSE = 8192
WIDER, MOST_OF_TUNNELS = 8, 200  # tunnels tried in l1 and l2, for so few pieces
MAX_SAMPLES = 1 << 22
MOST_MOVED = 20  # pieces whose knots are moved: a few seconds
MOST_FLAT, MOST_TURNS = 300, 8
FLAT_LEVELS = (0.999, -0.999, 0.5, -0.5, 0.0)  # of the error, above the target
CLOSE = 1e-9
REST = 1e-3  # of the accuracy, for what lies far out on a whole line
STEEPEST = 1e6  # of a density, where it has a pole
SMALLEST_SHARE = 1e-12  # of a density, below which a tunnel is no wider
JUMPS = Inapplicable(
    "no continuous piecewise affine function stays within the accuracy: "
    "the target jumps"
)
LEAST_ACCURACY = fmpq(1, 10**100)  # its square is a float64 too


@dataclass(frozen=True, eq=False)
class Interpolant:
    """A continuous piecewise-affine function through (knots, values), float64.

    Compared by identity, so that what is derived from one can be cached.
    """

    knots: np.ndarray
    values: np.ndarray

    @property
    def pieces(self) -> int:
        """Gaps between knots."""
        return len(self.knots) - 1

    @property
    def flat(self) -> int | None:
        """The number of a piece whose ends have one value, if there is one."""
        found = np.flatnonzero(np.diff(self.values) == 0)
        return int(found[0]) if len(found) else None


@lru_cache(maxsize=64)
def interpolant(problem: Problem, safety: float = 2.5e-3) -> Interpolant | Inapplicable:
    """A function with few pieces whose error on the samples is within the accuracy.

    linf: as few as possible, up to sampling (fewest links in a tunnel). l1 and l2: the
    knots follow the curvature, or are those of a tunnel (where there are kinks, or
    where few pieces are needed); the values are the best for the knots.

    Args:
        problem: a target of one variable on an interval.
        safety: share of the accuracy kept for what lies between the samples.
    """
    if problem.accuracy < LEAST_ACCURACY:
        return Inapplicable(
            "the target is sampled in float64, which needs an allowed "
            "error of 1e-100 or more"
        )
    grid = _Grid.of(problem)
    if not np.isfinite(grid.values).all():
        bad = grid.x[~np.isfinite(grid.values)][0]
        return Inapplicable(f"in float64, the target is not finite near x = {bad:.6g}")
    estimate = grid.pieces_estimate(problem.norm, nearest_float(problem.accuracy))
    if estimate > MAX_PIECES:
        return Inapplicable(
            f"about {estimate:.3g} pieces are needed; at most {MAX_PIECES} are built"
        )
    samples = grid.refined(problem, int(SAMPLES_A_PIECE * estimate) + 1000)
    error = nearest_float(problem.accuracy) * (1 - safety)
    if problem.norm == "linf":
        flat = nearest_float(problem.accuracy) * safety / 2
        found = _by_tunnel(samples.flattened(problem, flat), error)
        jumps = found.knots[-1] < grid.x[-1]
        return JUMPS if jumps else found
    found = _by_density(samples, problem.norm, error, int(estimate))
    if isinstance(found, Inapplicable) or found.pieces > MOST_OF_TUNNELS:
        return found
    found = _of_tunnels(samples, problem.norm, error, found.pieces - 1) or found
    if problem.norm == "l1" or problem.is_weighted or found.pieces > MOST_MOVED:
        return found
    return _with_moved_knots(problem, found)


def _with_moved_knots(problem: Problem, found: Interpolant) -> Interpolant:
    """Fewer pieces, where the best knots and values that are found allow that."""
    target, on = problem.line_target, problem.interval
    while found.pieces > 1:
        best = best_approximant(target, found.pieces - 1, problem.norm, on)
        if not best.error.is_at_most(problem.accuracy):
            break
        points = (best.function.knots.tolist(), best.function.values.tolist())
        found = Interpolant(*(np.array(list(map(nearest_float, v))) for v in points))
    return found


@lru_cache(maxsize=64)
def flat_interpolant(problem: Problem, safety: float = 2.5e-3) -> Interpolant | None:
    """One of as few pieces as `interpolant`, in linf, with a flat piece among them.

    Tried at the ends of the interval and where the target turns, at levels within the
    accuracy: a tunnel that is closed at two samples there is crossed by a flat piece.
    """
    found = interpolant(problem, safety)
    if isinstance(found, Inapplicable) or problem.norm != "linf":
        return None
    if not 1 < found.pieces <= MOST_FLAT:
        return None
    grid = _Grid.of(problem)
    error = nearest_float(problem.accuracy) * (1 - safety)
    samples = grid.refined(problem, SAMPLES_A_PIECE * found.pieces + 1000)
    flat = nearest_float(problem.accuracy) * safety / 2
    samples = samples.flattened(problem, flat)
    for at, level in samples.flat_places(error, found.pieces):
        tried = _by_tunnel(samples, error, closed=(at, level))
        if tried.pieces <= found.pieces and tried.flat is not None:
            return tried
    return None


@dataclass(frozen=True)
class _Grid:
    """Samples of the target, and the density of knots that its curvature asks for.

    Attributes:
        law: the density of the inputs at the samples; None if it is 1.
    """

    x: np.ndarray
    values: np.ndarray
    law: np.ndarray | None = None

    @staticmethod
    def of(problem: Problem) -> "_Grid":
        """Evenly spread samples, as far out as they matter."""
        on = problem.interval
        x = np.linspace(nearest_float(on.start), nearest_float(on.stop), COARSE + 1)
        whole = _Grid.at(problem, x)
        if not problem.law.has_open_ends:
            return whole
        return _Grid.at(problem, np.linspace(*whole.reach(problem), COARSE + 1))

    def reach(self, problem: Problem) -> tuple[float, float]:
        """Ends beyond which the target adds hardly anything to the norm."""
        power = 1 if problem.norm == "l1" else 2
        small = (REST * nearest_float(problem.accuracy)) ** power
        parts = np.abs(self.values) ** power * self.weights / len(self.x)
        left, right = np.cumsum(parts), np.cumsum(parts[::-1])[::-1]
        some = np.flatnonzero((left >= small) & (right >= small))
        first, last = (some[0], some[-1]) if len(some) > 1 else (0, -1)
        return float(self.x[first]), float(self.x[last])

    @staticmethod
    def at(problem: Problem, x: np.ndarray) -> "_Grid":
        """Samples at these places."""
        law, weight = None, problem.weight
        if weight is not None:
            # relative to the uniform law between the samples
            share = (x[-1] - x[0]) / nearest_float(weight.interval.length)
            law = weight.density_floats(x) * share
            law = np.nan_to_num(law, posinf=STEEPEST).clip(0, STEEPEST)
        return _Grid(x, problem.target.floats(x), law)

    @property
    def weights(self) -> np.ndarray:
        """The density of the inputs."""
        return np.ones(len(self.x)) if self.law is None else self.law

    def curvature(self) -> np.ndarray:
        """|f''| at evenly spread samples, by second differences."""
        h = self.x[1] - self.x[0]
        second = np.abs(np.diff(self.values, 2))
        # rounding makes a straight line bend: that is not curvature
        noise = 4 * np.finfo(float).eps * self._sizes()
        second = np.where(second > noise, second, 0.0) / h**2
        return np.concatenate([second[:1], second, second[-1:]])

    def _sizes(self) -> np.ndarray | float:
        """What rounding is relative to: near each sample, where weights differ."""
        size = np.abs(self.values)
        if self.law is None:
            return float(size.max())
        moved = np.abs(self.x * np.gradient(self.values, self.x))
        return (size + moved)[1:-1]

    def pieces_estimate(self, norm: str, error: float) -> float:
        """From the error of the best N pieces with equal shares in each piece."""
        bend, length = self.curvature(), self.x[-1] - self.x[0]
        if norm == "linf":
            return 1 + float(np.trapezoid(np.sqrt(bend / 16), self.x)) / error**0.5
        power, rate = (1 / 3, 1 / 32) if norm == "l1" else (2 / 5, 1 / 720**0.5)
        share = self.weights ** (1 / 3 if norm == "l1" else 1 / 5)
        whole = float(np.trapezoid((rate * bend) ** power * share, self.x))
        if norm == "l1":
            return 1 + (whole**3 / (error * length)) ** 0.5
        return 1 + (whole**5 / (error**2 * length)) ** 0.25

    def best_values(self, knots: np.ndarray, norm: str) -> np.ndarray:
        """The best values at given knots."""
        weights, lightest = lengths_around(self.x), 1.0
        if self.law is not None:
            weights, lightest = weights * self.law, LIGHTEST
        return best_values(self.x, self.values, weights, knots, norm, lightest)

    def room(self, norm: str) -> np.ndarray:
        """How wide a tunnel is at each sample, about, when all pieces cost the same.

        A piece in balance leaves an error of density^(-2/3) in l1, density^(-2/5) in
        l2; without weights 1.
        """
        power, order = (1, 2 / 3) if norm == "l1" else (2, 2 / 5)
        if self.law is None:
            return np.ones(len(self.x))
        weights = np.maximum(self.law, SMALLEST_SHARE)
        shape = weights**-order
        mean = np.trapezoid(shape**power * weights, self.x) / (self.x[-1] - self.x[0])
        return shape / mean ** (1 / power)

    def turns(self) -> list[int]:
        """Samples at the ends and where the values turn, each with a next one."""
        steps = np.sign(np.diff(self.values))
        inner = np.flatnonzero(steps[1:] * steps[:-1] <= 0)[:MOST_TURNS]
        return [0, *inner.tolist(), len(self.x) - 2]

    def flat_places(self, error: float, most: int) -> Iterator[tuple[int, float]]:
        """Turns, with levels, where a flat piece fits among at most `most` pieces."""
        walls = (self.values - error).tolist(), (self.values + error).tolist()
        tunnels = ClosedTunnels(self.x.tolist(), *walls)
        for at in self.turns():
            for share in FLAT_LEVELS:
                level = float(self.values[at] + share * error)
                if tunnels.links(at, level) <= most:
                    yield at, level

    def refined(self, problem: Problem, count: int) -> "_Grid":
        """More samples where the curvature is larger, and what is weighed more."""
        density = np.sqrt(self.curvature() * self.weights)
        density = density + 0.1 * density.mean() + 1e-9
        mass = np.concatenate(
            [[0.0], np.cumsum((density[1:] + density[:-1]) / 2 * np.diff(self.x))]
        )
        x = np.unique(np.interp(np.linspace(0, mass[-1], count), mass, self.x))
        x[0], x[-1] = self.x[0], self.x[-1]
        return _Grid.at(problem, x)

    def flattened(self, problem: Problem, deviation: float) -> "_Grid":
        """More samples where chords between neighbours miss the target, as at cusps."""
        x, values = self.x, self.values
        doubtful = np.ones(len(x) - 1, dtype=bool)
        while doubtful.any() and len(x) < MAX_SAMPLES:
            gaps = np.flatnonzero(doubtful)
            # two points: a chord may meet the target in one of them by chance
            inner = x[gaps] + np.outer([0.382, 0.618], x[gaps + 1] - x[gaps])
            there = problem.target.floats(inner.ravel()).reshape(inner.shape)
            off = np.abs(there - np.interp(inner, x, values))
            off[(inner <= x[gaps]) | (inner >= x[gaps + 1])] = 0.0
            worst, columns = off.argmax(axis=0), np.arange(len(gaps))
            far = off[worst, columns] > deviation
            chosen = worst[far], columns[far]
            gaps = gaps[far]
            x = np.insert(x, gaps + 1, inner[chosen])
            values = np.insert(values, gaps + 1, there[chosen])
            doubtful = np.zeros(len(x) - 1, dtype=bool)
            new = gaps + np.arange(len(gaps))
            for near in (-1, 0, 1, 2):  # neighbours too: a cusp may hide on a chord
                doubtful[np.clip(new + near, 0, len(doubtful) - 1)] = True
        return _Grid(x, values)


def _by_tunnel(
    grid: _Grid, error: float | np.ndarray, closed: tuple[int, float] | None = None
) -> Interpolant:
    """Fewest links in the tunnel; `closed`: a level at a sample and the next one."""
    x, low, high = grid.x.tolist(), grid.values - error, grid.values + error
    if closed is not None:
        at, level = closed
        low[at : at + 2] = high[at : at + 2] = level
    links = tunnel_links(x, low.tolist(), high.tolist(), continuous=True)
    knots = np.array([x[0], *(link.stop for link in links)], dtype=np.float64)
    ends = [links[0].line.at(x[0]), *(link.line.at(link.stop) for link in links)]
    values = np.array(ends, dtype=np.float64)
    if closed is not None:  # the flat piece, without what rounding left of its slope
        values[np.abs(values - closed[1]) <= CLOSE * error] = closed[1]
    increasing = np.append(True, np.diff(knots) > 0)
    return Interpolant(knots[increasing], values[increasing])


def _by_density(
    grid: _Grid, norm: str, error: float, estimate: int
) -> Interpolant | Inapplicable:
    """The least N, by growth and bisection, whose sampled error is small enough."""

    def fits(pieces: int) -> bool:
        return _sampled_error(grid, _fitted(grid, norm, pieces), norm) <= error

    low, high = 0, max(1, estimate)
    while not fits(high):
        low, high = high, high + max(1, high // 4)
        if high > min(MAX_PIECES, len(grid.x)):
            return Inapplicable(
                f"{low} pieces were not enough, and the next number to "
                "be tried is above the limit; allow a larger error"
            )
    return _fitted(grid, norm, least(fits, low, high))


def _of_tunnels(grid: _Grid, norm: str, error: float, most: int) -> Interpolant | None:
    """The best values for knots of the widest tunnel that will do.

    Widths are doubled, then bisected, from the error itself: that tunnel would do in
    every norm. None if no tunnel of at most `most` pieces does.
    """
    best, low, high, shape = None, 1.0, None, grid.room(norm)
    for _ in range(WIDER):
        times = 2 * low if high is None else (low * high) ** 0.5
        knots = _by_tunnel(grid, times * error * shape).knots
        if len(knots) - 1 > most and best is None:
            low = times
            continue
        found = Interpolant(knots, grid.best_values(knots, norm))
        if _sampled_error(grid, found, norm) <= error:
            low = times
            if best is None or found.pieces < best.pieces:
                best = found
        else:
            high = times
    return best


def _fitted(grid: _Grid, norm: str, pieces: int) -> Interpolant:
    power = 1 / 3 if norm == "l1" else 2 / 5
    gaps = np.diff(grid.x)
    second = np.abs(np.diff(np.diff(grid.values) / gaps)) / ((gaps[1:] + gaps[:-1]) / 2)
    bend = np.concatenate([second[:1], second, second[-1:]])
    needed = bend**power * grid.weights ** (1 / 3 if norm == "l1" else 1 / 5)
    density = needed + 1e-6 * needed.mean() + 1e-300
    steps = (density[1:] + density[:-1]) / 2 * gaps
    mass = np.concatenate([[0.0], np.cumsum(steps)])
    knots = np.interp(np.linspace(0, mass[-1], pieces + 1), mass, grid.x)
    knots[0], knots[-1] = grid.x[0], grid.x[-1]
    knots = np.unique(knots)
    return Interpolant(knots, grid.best_values(knots, norm))


def _sampled_error(grid: _Grid, found: Interpolant, norm: str) -> float:
    r = np.abs(np.interp(grid.x, found.knots, found.values) - grid.values)
    length, weights = grid.x[-1] - grid.x[0], grid.weights
    if norm == "l1":
        return float(np.trapezoid(r * weights, grid.x) / length)
    return float(np.sqrt(np.trapezoid(r * r * weights, grid.x) / length))
