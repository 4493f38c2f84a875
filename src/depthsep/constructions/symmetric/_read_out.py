"""Parts of networks that compute one number first, then a function of it."""

from flint import fmpq

from depthsep.exact import ceil_root
from depthsep.networks import Network

SHORT = 8


def short_below(square: fmpq) -> fmpq:
    """A number of 8 bits just below the square root, at most 1."""
    unit = fmpq(1)
    while (unit * 2**SHORT) ** 2 > square * 4:
        unit /= 2
    while True:
        count = ceil_root(square / unit**2, 2)
        count -= fmpq(count) ** 2 * unit**2 > square
        if count >= 1:
            return min(count * unit, fmpq(1))
        unit /= 2


def read_out_units(network: Network) -> tuple[list[fmpq], list[fmpq], list[fmpq], fmpq]:
    """Units weight * relu(sign t + offset) as three lists, and a constant.

    A unit without a slope joins the constant.
    """
    first, last = network.layers
    ((row, constant),) = last.rational_rows()
    signs, offsets, weights = [], [], []
    for (slopes, bias), weight in zip(first.rational_rows(), row, strict=True):
        size = abs(slopes[0])
        if size == 0:
            constant += weight * max(bias, fmpq(0))
            continue
        signs.append(slopes[0] / size)
        offsets.append(bias / size)
        weights.append(weight * size)
    return signs, offsets, weights, constant
