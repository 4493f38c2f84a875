"""Numbers with few digits."""

from flint import fmpq

from depthsep.exact._decimals import decimal, nearest_float, plain, readable
from depthsep.exact._rational import rational

MOST_DIGITS = 60
SHOWN = 40  # digits of a number that is written out


def shortest_between(low: fmpq, high: fmpq) -> fmpq:
    """The decimal of fewest places in [low, high], the nearest to its middle.

    `low` itself where the interval is a point that is no decimal.
    """
    middle = (low + high) / 2
    for places in range(MOST_DIGITS):
        near = rounded(middle, places)
        if low <= near <= high:
            return near
    return low


def rounded(value: fmpq, places: int) -> fmpq:
    """To a multiple of 10**-places."""
    unit = fmpq(1, 10**places) if places >= 0 else fmpq(10**-places)
    return (value / unit + fmpq(1, 2)).floor() * unit


def shown(value: fmpq) -> str:
    """All digits of a decimal or a float; else a fraction, or about what it is."""
    float64 = nearest_float(value)
    if rational(float64) == value:
        return plain(decimal(value, 17))
    near = decimal(value, SHOWN)
    exact = rational(near) == value
    return plain(near) if exact else readable(value)
