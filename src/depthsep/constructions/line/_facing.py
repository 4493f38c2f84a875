"""Which units of one hidden layer face left: where that saves the unit for the slope.

A function with kinks t_j and jumps of slope d_j needs no unit besides those of its
kinks if some of the d_j sum to minus its first slope: with relu(t_j - x) for these and
relu(x - t_j) for the others, the slope to the left of all kinks is right. For the first
few kinks this says that a piece is flat.
"""

from collections.abc import Sequence
from itertools import accumulate

from flint import fmpq

MOST_KINKS, MOST_SUMS = 40, 1 << 12  # beyond the first few that make a piece flat


def facing_left(first: fmpq, jumps: Sequence[fmpq]) -> frozenset[int] | None:
    """Numbers of kinks whose jumps sum to -first; None if none are found.

    The first few are tried at once; then any, where kinks and sums are not many.
    """
    for k, total in enumerate(accumulate(jumps, initial=fmpq(0))):
        if total == -first:
            return frozenset(range(k))
    if len(jumps) > MOST_KINKS:
        return None
    sums: dict[fmpq, frozenset[int]] = {fmpq(0): frozenset()}
    for j, jump in enumerate(jumps):
        for total, chosen in list(sums.items()):
            sums.setdefault(total + jump, chosen | {j})
        if -first in sums:
            return sums[-first]
        if len(sums) > MOST_SUMS:
            return None
    return None
