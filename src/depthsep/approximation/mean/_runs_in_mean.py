"""Runs of convexity in the mean: what n pieces leave on each kind of run together."""

from dataclasses import dataclass

import numpy as np

from depthsep.approximation.mean._cheapest import cheapest
from depthsep.approximation.mean._grid_function import GridFunction
from depthsep.approximation.mean._piece_band import UNITS
from depthsep.approximation.mean._pieces_in_mean import PiecesInMean

SPAN, PRICES = 8.0, 41  # prices from 1/SPAN to SPAN times that of the whole
DEAR = UNITS << 10  # a price at which one piece has to do
LEAST_SHARE = 1e-4  # of the error allowed: what one piece leaves on a run that counts
ROUNDING = 1 + 2.0**-30


@dataclass(frozen=True, eq=False)
class RunsInMean:
    """Runs on which the interpolant is convex, and others on which it is concave.

    Attributes:
        prices: of a piece, rising, from 0 on.
        totals: for the convex and for the concave runs, shape (2, prices): at each
            price the cheapest paths through all of them, together.
        counts: how many runs there are of the two kinds.
        most: pieces that are needed in any case.
    """

    prices: np.ndarray
    totals: np.ndarray
    counts: tuple[int, int]
    most: int

    @property
    def are_mixed(self) -> bool:
        """Whether there are inflections."""
        return min(self.counts) > 0

    def allow(self, up: int, down: int, cells: int) -> bool:
        """Whether so many units that bend up or down may do, after so many cells.

        With C_J cuts in a run J there are at most (C_J + 1)(m^s + 1) pieces on it, and
        all C_J together are at most cells - 1. For every mu > 0 the error is at least
        the sum over J of L_J(mu / (m^s + 1)) - mu, less mu (cells - 1). L is concave:
        between two prices it lies above its chord.
        """
        mu = self.prices[1:] * (min(up, down) + 1)
        total = -mu * (sum(self.counts) + cells - 1)
        for kind, units in enumerate((up, down)):
            total = total + np.interp(mu / (units + 1), self.prices, self.totals[kind])
        return bool(total.max() <= UNITS * ROUNDING)


def runs_in_mean(pieces: PiecesInMean) -> RunsInMean:
    """All runs that one piece does not follow well."""
    band = pieces.band
    runs = [
        (start, stop, sign)
        for start, stop, sign in convex_runs_of(pieces.h)
        if cheapest(band, [DEAR], start, stop)[0].total - DEAR > UNITS * LEAST_SHARE
    ]
    steps = np.geomspace(1 / SPAN, SPAN, PRICES)
    prices = [0, *sorted({max(1, int(pieces.price * s)) for s in steps})]
    totals = np.zeros((2, len(prices)))
    for start, stop, sign in runs:
        paths = cheapest(band, prices[1:], start, stop)
        totals[int(sign < 0), 1:] += [path.total for path in paths]
    signs = [sign for *_, sign in runs]
    counts = signs.count(1), signs.count(-1)
    return RunsInMean(np.array(prices, dtype=float), totals, counts, pieces.fewest)


def convex_runs_of(h: GridFunction) -> list[tuple[int, int, int]]:
    """First and last knot, and 1 for convex or -1 for concave."""
    rising, falling = h.monotone_until
    runs, cell = [], 0
    while cell < len(h.gaps):
        last = int(max(rising[cell], falling[cell]))
        runs.append((cell, last + 1, 1 if rising[cell] == last else -1))
        cell = last + 1
    return runs
