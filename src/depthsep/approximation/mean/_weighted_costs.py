r"""What one affine piece costs under a density: lower bounds, as in `_piece_costs`.

The density is replaced by a constant w on each cell that is nowhere above it. With

    s_k = int w x^k,  b_k = int w x^k h,  c = int w h^2,  d = s_0 s_2 - s_1^2

*l2* is c - (s_2 b_0^2 - 2 s_1 b_0 b_1 + s_0 b_1^2) / d: exact.

*l1.* A sign pattern sigma is made orthogonal to affine functions: with
phi = sigma - (alpha + beta x) the cost is at least |int w h phi| / max |phi|. Floats
propose sigma: two changes, where half of the mass lies between them and the first
moments agree, are best where h is convex or concave; elsewhere those of the uniform
law are tried too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import fmpq

from depthsep.approximation.mean._grid_function import GridFunction
from depthsep.approximation.mean._piece_costs import (
    MARGIN,
    AbsoluteCosts,
    BySigns,
    Pattern,
    Priced,
    SquareCosts,
    by_pattern,
)

NEWTON = 12
NEAR = 2.0**-20  # of half of the mass: how far a change of signs may be off
ROUNDING = 2.0**-46  # of moments in floats, for the mass 1
_NOTHING = np.zeros(1, dtype=object)
Sums = tuple[np.ndarray, ...]


def _sums(parts: np.ndarray) -> np.ndarray:
    return np.concatenate([_NOTHING, np.cumsum(parts)])


@dataclass(frozen=True, eq=False)
class _Weighted:
    """What both norms need of a grid function under weights."""

    h: GridFunction

    @property
    def weights(self) -> np.ndarray:
        """Of the cells."""
        assert self.h.weights is not None
        return self.h.weights

    @cached_property
    def sums(self) -> Sums:
        """s_0, 2 s_1, 3 s_2, 2 b_0 and 6 b_1 up to each knot."""
        x, y, w = self.h.knots, self.h.values, self.weights * self.h.gaps
        (s, t), (v, u) = (x[:-1], x[1:]), (y[:-1], y[1:])
        parts = (
            w,
            w * (s + t),
            w * (s * s + s * t + t * t),
            w * (v + u),
            w * (v * (2 * s + t) + u * (s + 2 * t)),
        )
        return tuple(_sums(part) for part in parts)

    def known(self, found: Priced, i: np.ndarray, j: np.ndarray) -> Priced:
        """No slopes for pieces with fewer than two cells that weigh something."""
        heavy = np.concatenate([[0], np.cumsum(self.weights > 0)])
        slopes = np.where(heavy[j] - heavy[i] < 2, np.nan, found.slopes)
        return found._replace(slopes=slopes)

    def between(self, i: np.ndarray, j: np.ndarray) -> Sums:
        """The sums over pieces, and 12 d."""
        s0, s1, s2, b0, b1 = (m[j] - m[i] for m in self.sums)
        return s0, s1, s2, b0, b1, 4 * s0 * s2 - 3 * s1 * s1


def _quotient(top: np.ndarray, bottom: np.ndarray, unit: fmpq) -> np.ndarray:
    """Rounded down, in the unit; 0 where there is no weight."""
    some = np.where(bottom > 0, bottom * int(unit.p), 1)
    return np.where(bottom > 0, top * int(unit.q) // some, 0)


@dataclass(frozen=True, eq=False)
class WeightedSquareCosts(_Weighted):
    """The costs of pieces in the weighted mean square."""

    power = 2

    @cached_property
    def _squares(self) -> np.ndarray:
        """3 c up to each knot."""
        v, u = self.h.values[:-1], self.h.values[1:]
        return _sums(self.weights * self.h.gaps * (v * v + v * u + u * u))

    def of(self, i: np.ndarray, j: np.ndarray, unit: fmpq) -> Priced:
        """The pieces from knots i to knots j."""
        s0, s1, s2, b0, b1, d = self.between(i, j)
        c = self._squares[j] - self._squares[i]
        top = c * d - (3 * b0 * (s2 * b0 - s1 * b1) + s0 * b1 * b1)
        rise = (2 * s0 * b1 - 3 * s1 * b0) * self.h.unit
        slopes = (rise / np.where(d > 0, d, 1)).astype(float)
        found = Priced(_quotient(top, 3 * d, unit), slopes, MARGIN * np.abs(slopes))
        return self.known(found, i, j)

    def bend(
        self, cell: np.ndarray, d: np.ndarray, first: np.ndarray, stop: np.ndarray
    ) -> np.ndarray:
        """K, as `SquareCosts.bend` says: d^2 W v / (2 (v + t^2)), 0 without weight.

        W, v: mass and variance between the knots; t: how far the cell is from the mean.
        All quotients are of whole numbers: a mass may be tiny beside that of the rest.
        """
        s0, s1, _, _, _, spread = self.between(first, stop)
        some = np.where(s0 > 0, s0, 1)
        v = (spread / (12 * some * some)).astype(float)
        ends = [
            ((2 * some * self.h.knots[k] - s1) / (2 * some)).astype(float)
            for k in (cell, cell + 1)
        ]
        outside = (ends[0] > 0) == (ends[1] > 0)
        t = np.where(outside, np.minimum(*np.abs(ends)), 0.0)
        mass = (s0 / self.h.unit).astype(float)
        share = np.where(v > 0, v / np.where(v > 0, v + t * t, 1.0), 0.0)
        return np.where(self.weights[cell] > 0, d * d * mass * share / 2, 0.0)


@dataclass(frozen=True, eq=False)
class WeightedAbsoluteCosts(_Weighted, BySigns):
    """Lower bounds of the costs of pieces in the weighted mean."""

    def of_two_changes(self, i: np.ndarray, j: np.ndarray, unit: fmpq) -> Priced:
        changes, slopes, off = self._two_changes(i, j)
        found = Priced(self._by(changes, i, j, unit), slopes, off)
        return self.known(found, i, j)

    def of_pattern(
        self, pattern: Pattern, i: np.ndarray, j: np.ndarray, unit: fmpq
    ) -> np.ndarray:
        return self._by(self.changes(pattern, i, j), i, j, unit)

    def bend(
        self, cell: np.ndarray, d: np.ndarray, first: np.ndarray, stop: np.ndarray
    ) -> np.ndarray:
        """K, as `SquareCosts.bend` says: w d, with the weight w of the cell."""
        return d * self.weights[cell].astype(float)

    def likely_best(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        x, until = self.h.places, self._floats
        s0, s1, b0, s2, b1 = (m[j] - m[i] for m in until)
        there = self._at_place(self.all_changes(i, j))
        t0, t1, c = (
            by_pattern(m, at, i, j) for m, at in zip(until[:3], there, strict=True)
        )
        # phi = sigma - level - rise (x - middle)
        some = np.where(s0 > 0, s0, 1)
        middle, level = s1 / some, t0 / some
        spread = s2 - middle * s1
        rise = (t1 - middle * t0) / np.where(spread > 0, spread, 1)
        ends = [np.abs(level + rise * (x[k] - middle)) for k in (i, j)]
        found = np.abs(c - level * b0 - rise * (b1 - middle * b0))
        return (found / (1 + np.maximum(*ends))).argmax(axis=0)

    @cached_property
    def _floats(self) -> Sums:
        """s_0, s_1, b_0, s_2 and b_1 up to each knot, for the length 1 and the mass 1.

        Rounded once: the changes of signs are looked for in them.
        """
        (s0, s1, s2, b0, b1), unit = self.sums, self.h.unit
        whole, base = max(1, s0[-1]), self.h.values[0]
        found = (
            s0 / whole,
            s1 / (2 * whole * unit),
            (b0 - 2 * base * s0) / (2 * whole),
            s2 / (3 * whole * unit * unit),
            (b1 - 3 * base * s1) / (6 * whole * unit),
        )
        return tuple(sums.astype(float) for sums in found)

    def _at_place(self, x: np.ndarray) -> Sums:
        """s_0, s_1 and b_0 up to these places, in floats."""
        h, (mass, first, area, *_) = self.h, self._floats
        k = self.cell_near(x)
        past = (x - h.places[k]) * (np.diff(mass) / np.diff(h.places))[k]
        y = self.heights[k] + h.slopes[k] * (x - h.places[k]) / 2
        return (
            mass[k] + past,
            first[k] + past * (h.places[k] + x) / 2,
            area[k] + past * y,
        )

    def _two_changes(
        self, i: np.ndarray, j: np.ndarray
    ) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
        """Where the mass and its first moment between the changes are half of all.

        Half of the mass lies between the masses u and u + half; the first moment in
        between grows with u, at the rate of the distance of the two places.

        Returns:
            The places; the slope of h from one to the other, and by how much it is off
            at most where h is convex or concave. NaN where that is not known.
        """
        mass, first, *_ = self._floats
        low, half = mass[i], (mass[j] - mass[i]) / 2
        wanted, high = (first[j] - first[i]) / 2, low + half
        u, ends = low + half / 2, (low.copy(), high.copy())

        def off(u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            (x, before), (y, after) = self._at_mass(u), self._at_mass(u + half)
            return after - before - wanted, x, y

        for _ in range(NEWTON):
            gap, x, y = off(u)
            ends = np.where(gap < 0, u, ends[0]), np.where(gap < 0, ends[1], u)
            with np.errstate(all="ignore"):
                step = u - gap / (y - x)
            inside = (step >= ends[0]) & (step <= ends[1])
            u = np.where(inside, step, (ends[0] + ends[1]) / 2)
        _, x, y = off(u)
        # the right masses lie between those a little before and those a little after,
        # and the right places between those of twice as much, rounding included
        near = half * NEAR
        found = (off(u - near)[0] < -ROUNDING) & (off(u + near)[0] > ROUNDING)
        least, most = off(u - 2 * near)[1:], off(u + 2 * near)[1:]
        slopes, rounded = self._chords(x, y)
        (before, _), (after, _) = self._chords(*least), self._chords(*most)
        apart = np.maximum(np.abs(before - slopes), np.abs(after - slopes))
        slopes = np.where(found & (y > x), slopes, np.nan)
        return [self._knot(place, i, j) for place in (x, y)], slopes, apart + rounded

    def _chords(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The slopes of h from places x to y, and what rounding may change."""
        left, size, steep = self._heights_at(x)
        right, more, steeper = self._heights_at(y)
        with np.errstate(all="ignore"):
            slopes = (right - left) / (y - x)
            error = (size + more + steep + steeper) / np.abs(y - x)
        return slopes, MARGIN * (error + np.abs(slopes))

    def _heights_at(self, x: np.ndarray) -> Sums:
        """h at places, what it is the sum of, and its slopes there."""
        h = self.h
        k = self.cell_near(x)
        rise, base = h.slopes[k] * (x - h.places[k]), self.heights[k]
        return base + rise, np.abs(base) + np.abs(rise), np.abs(h.slopes[k])

    def _knot(self, place: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """A place in units of the knots, not beyond those of the piece."""
        whole = np.rint(place * float(self.h.unit)).astype(np.int64).astype(object)
        return np.minimum(np.maximum(whole, self.h.knots[i]), self.h.knots[j])

    def _at_mass(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The place below which the mass is u, and the first moment there."""
        mass, first, *_ = self._floats
        x = np.interp(u, mass, self.h.places)
        k = np.clip(np.searchsorted(mass, u, "right") - 1, 0, len(mass) - 2)
        return x, first[k] + (u - mass[k]) * (self.h.places[k] + x) / 2

    def _by(
        self, changes: Sequence[np.ndarray], i: np.ndarray, j: np.ndarray, unit: fmpq
    ) -> np.ndarray:
        """|int w h phi| / max |phi|, for the signs that change at these knots."""
        s0, s1, s2, b0, b1, d = self.between(i, j)
        sign = (-1) ** len(changes)
        t0, t1, c = [sign * m[j] - m[i] for m in (self.sums[k] for k in (0, 1, 3))]
        slack = np.zeros(len(i), dtype=object)
        for k, at in enumerate(changes):
            parts, off = self._until(at)
            twice = [(-1) ** k * 2 * part for part in parts]
            t0, t1, c = t0 + twice[0], t1 + twice[1], c + twice[2]
            slack = slack + 2 * off
        alpha, beta = 4 * s2 * t0 - 3 * s1 * t1, 6 * (s0 * t1 - s1 * t0)
        ends = [np.abs(alpha + beta * self.h.knots[k]) for k in (i, j)]
        top = np.abs(3 * c * d - 3 * alpha * b0 - beta * b1) - 3 * slack * d
        return _quotient(np.maximum(top, 0), 6 * (d + np.maximum(*ends)), unit)

    def _until(self, at: np.ndarray) -> tuple[Sums, np.ndarray]:
        """s_0, 2 s_1 and 2 b_0 up to these places, and how far b_0 is rounded down."""
        h = self.h
        k = self.cell_of(at)
        w, past = self.weights[k], at - h.knots[k]
        bend = h.rises[k] * past * past // h.gaps[k]
        s0, s1, _, b0, _ = (m[k] for m in self.sums)
        found = (
            s0 + w * past,
            s1 + w * past * (h.knots[k] + at),
            b0 + w * (2 * h.values[k] * past + bend),
        )
        return found, w


Costs = SquareCosts | AbsoluteCosts | WeightedSquareCosts | WeightedAbsoluteCosts


def costs_in(norm: str, h: GridFunction) -> Costs:
    """For l1 or l2, under the uniform law or the weights of the grid."""
    if h.weights is None:
        return AbsoluteCosts(h) if norm == "l1" else SquareCosts(h)
    return WeightedAbsoluteCosts(h) if norm == "l1" else WeightedSquareCosts(h)
