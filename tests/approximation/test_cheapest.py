"""Cheapest paths through bands: against a recursion over all pieces."""

import numpy as np
import pytest

from depthsep.approximation.mean._cheapest import cheapest
from depthsep.approximation.mean._piece_band import NEVER, Band

PRICES = [1, 40, 900, 10**9]


def drawn(count, widest, seed):
    """Short pieces up to where they close, further for later knots; then long ones."""
    rng = np.random.default_rng(seed)
    reach = np.arange(count) + rng.integers(1, widest + 1, count)
    closed = np.minimum(np.maximum.accumulate(reach), count - 1)
    cells = closed - np.arange(count)
    short = np.full((count, int(cells.max()) + 1), NEVER, dtype=np.int64)
    for i, most in enumerate(cells):
        for width in range(1, most + 1):
            short[i + width, width] = rng.integers(0, 100) * width
    opens = np.where(closed < count - 1, closed, count)
    long, hop = rng.integers(50, 300, size=(2, count))
    return Band(short, long, opens, hop, closed)


def plain(band, price, start, stop):
    """The least over all ways to the last knot, from the first one on."""
    ended, inside = {start: 0}, {}
    for j in range(start, stop + 1):
        ways = [
            ended[j - width] + int(cost)
            for width, cost in enumerate(band.short[j])
            if j - width in ended and cost < NEVER
        ]
        # a long piece ends anywhere on its hop
        ways += [paid for k, paid in inside.items() if k <= j <= band.closed[k]]
        if ways:
            ended[j] = price + min(ways)
        onwards = []
        if j in inside:
            onwards.append((int(band.closed[j]), inside[j] + int(band.hop[j])))
        if j in ended:
            onwards.append((int(band.opens[j]), ended[j] + int(band.long[j])))
        for to, paid in (way for way in onwards if way[0] < len(band.closed)):
            inside[to] = min(inside.get(to, NEVER), paid)
    return ended[stop]


@pytest.mark.parametrize("seed", range(12))
def test_paths_are_those_of_a_recursion_at_every_price(seed):
    count = 9 + 3 * seed
    band = drawn(count, 2 + seed % 5, seed)
    for start, stop in ((0, count - 1), (0, count // 2), (count // 3, count - 2)):
        found = cheapest(band, PRICES, start, stop)
        assert [path.price for path in found] == PRICES
        totals = [plain(band, price, start, stop) for price in PRICES]
        assert [path.total for path in found] == totals
    assert cheapest(band, PRICES) == cheapest(band, PRICES, 0, count - 1)


def test_a_price_alone_and_beside_others_is_the_same():
    band = drawn(40, 6, 3)
    alone = [cheapest(band, [price])[0] for price in PRICES]
    assert cheapest(band, PRICES) == alone
