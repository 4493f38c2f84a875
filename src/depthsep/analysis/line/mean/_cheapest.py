"""The cheapest path through a band of pieces, each at a price."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep.analysis.line.mean._piece_band import NEVER, UNITS, Band


@dataclass(frozen=True)
class Path:
    """The cheapest path, when every piece costs `price` more."""

    total: int
    price: int

    @property
    def bound(self) -> fmpq:
        """Pieces that an error of UNITS needs."""
        return fmpq(self.total - UNITS, self.price)


def cheapest(band: Band, price: int, start: int = 0, stop: int | None = None) -> Path:
    """Between two knots; from the first to the last unless they are given."""
    end = len(band.long) - 1 if stop is None else stop
    widest = band.short.shape[1] - 1
    # to each knot as the end of a piece, and inside of a long piece
    ended, inside = np.full((2, end + 2), NEVER, dtype=np.int64)
    closed = np.minimum(band.closed[: end + 1], end + 1)
    first = np.searchsorted(np.maximum.accumulate(closed), np.arange(end + 1))
    ended[start] = 0
    for j in range(start, end + 1):
        if j > start:
            reach = min(widest, j - start)
            costs = ended[j - reach : j][::-1] + band.short[j, 1 : reach + 1]
            far = inside[max(start, int(first[j])) : j + 1]
            ended[j] = price + min(costs.min(), far.min())
        for paid, cost, to in (
            (ended[j], band.long[j], min(int(band.opens[j]), end + 1)),
            (inside[j], band.hop[j], int(closed[j])),
        ):
            inside[to] = min(inside[to], paid + cost)
    return Path(int(ended[end]), price)
