"""The cheapest paths through a band of pieces, each at a price."""

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


def cheapest(
    band: Band, prices: list[int], start: int = 0, stop: int | None = None
) -> list[Path]:
    """One path for each price; all of them are followed together, knot by knot.

    Args:
        start, stop: knots between which they go; the first and the last by default.
    """
    end = len(band.long) - 1 if stop is None else stop
    widest = band.short.shape[1] - 1
    price = np.array(prices, dtype=np.int64)
    # to each knot as the end of a piece, and inside of a long piece: a row for a price
    ended, inside = np.full((2, len(prices), end + 2), NEVER, dtype=np.int64)
    closed = np.minimum(band.closed[: end + 1], end + 1)
    first = np.searchsorted(np.maximum.accumulate(closed), np.arange(end + 1))
    opens = np.minimum(band.opens[: end + 1], end + 1).tolist()
    long, hop = (costs[: end + 1].tolist() for costs in (band.long, band.hop))
    first, closed = np.maximum(first, start).tolist(), closed.tolist()
    back = band.short[:, :0:-1]  # from the widest piece to each knot to the shortest
    ended[:, start] = 0
    some_inside = False
    for j in range(start, end + 1):
        if j > start:
            reach = min(widest, j - start)
            costs = ended[:, j - reach : j] + back[j, widest - reach :]
            paid = _least(costs, axis=1)
            if some_inside:
                paid = np.minimum(paid, _least(inside[:, first[j] : j + 1], axis=1))
            ended[:, j] = paid + price
        if some_inside:
            within, to = inside[:, j] + hop[j], closed[j]
            inside[:, to] = np.minimum(inside[:, to], within)
        if (to := opens[j]) <= end:
            inside[:, to] = np.minimum(inside[:, to], ended[:, j] + long[j])
            some_inside = True
    totals = ended[:, end].tolist()
    return [Path(total, p) for total, p in zip(totals, prices, strict=True)]
