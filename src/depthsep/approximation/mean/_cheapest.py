"""The cheapest path through a band of pieces, each at a price."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep.approximation.mean._piece_band import NEVER, UNITS, Band

_least = np.minimum.reduce  # without the wrappers of `min`


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
    opens = np.minimum(band.opens[: end + 1], end + 1).tolist()
    long, hop = (costs[: end + 1].tolist() for costs in (band.long, band.hop))
    first, closed = np.maximum(first, start).tolist(), closed.tolist()
    back = band.short[:, :0:-1]  # from the widest piece to each knot to the shortest
    ended[start] = paid = 0
    for j in range(start, end + 1):
        if j > start:
            reach = min(widest, j - start)
            costs = ended[j - reach : j] + back[j, widest - reach :]
            far = inside[first[j] : j + 1]
            ended[j] = paid = price + int(min(_least(costs), _least(far)))
        within = int(inside[j])
        for cost, to in ((paid + long[j], opens[j]), (within + hop[j], closed[j])):
            if cost < inside[to]:
                inside[to] = cost
    return Path(int(ended[end]), price)
