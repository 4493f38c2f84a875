"""By how much two depths part, in one sentence."""

from itertools import pairwise

from depthsep.claims import Lower, Upper
from depthsep.reports.words._numbers import compact
from depthsep.separation import Separation

PLAIN_BELOW = 1000


def parting(separation: Separation) -> str:
    """Where one more layer is proved to save most; empty if nowhere.

    The proven width of one row over the certified width of the next.
    """
    best = None
    for row, deeper in pairwise(separation):
        if not isinstance(row.lower, Lower) or not isinstance(deeper.upper, Upper):
            continue
        least, most = row.lower.width, max(deeper.upper.width, 1)
        if least > most and (best is None or least * best[1] > best[0] * most):
            best = least, most, row.depth, deeper.depth
    if best is None:
        return ""
    least, most, depth, more = best
    needed, enough = compact(least, upward=False), compact(most, upward=True)
    return (
        f"Depth {depth} needs a layer of at least {needed} units, while width "
        f"{enough} is enough at depth {more}{_times(least // most)}."
    )


def _times(ratio: int) -> str:
    """At least so many times: whole, or a power of two below it."""
    if ratio < 2:
        return ""
    power = ratio.bit_length() - 1
    return f": a factor of at least {ratio if ratio < PLAIN_BELOW else f'2^{power}'}"
