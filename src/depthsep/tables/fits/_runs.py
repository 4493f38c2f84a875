"""Points cut into runs: the least cost of so many, from below."""

import numpy as np

from depthsep.tables.fits._costs import Costs

ROUNDING = 1e-12  # of a sum of costs


def cheapest_runs(costs: Costs, most: int, *, skips: bool) -> list[float]:
    """What 1, 2, ..., `most` runs cost at least.

    Args:
        skips: rows of `costs` are blocks of several points: a block in which one run
            ends and the next begins is left out, and so is one in which a run lies.
    """
    found, before = list[float](), np.append(0.0, np.full(len(costs), np.inf))
    for _ in range(most):
        before = np.append(np.inf, _with_one_more(costs, before, skips))
        least = float(before[-1]) * (1 - ROUNDING)
        found.append(min(least, found[-1]) if found else least)
    return found


def _with_one_more(costs: Costs, before: np.ndarray, skips: bool) -> np.ndarray:
    """The least cost up to each block: `before` is that of one run less."""
    start = before[:-1].copy()
    if skips:
        start[1:] = np.minimum(start[1:], before[:-2])
    total = np.where(np.tri(len(costs), dtype=bool).T, start[:, None] + costs, np.inf)
    found = total.min(axis=0)
    return np.minimum(found, before[:-1]) if skips else found


def starts_of_runs(costs: Costs, count: int) -> list[int]:
    """The first block of each of so many runs, where their cost is least."""
    rows = [np.append(0.0, np.full(len(costs), np.inf))]
    for _ in range(count):
        rows.append(np.append(np.inf, _with_one_more(costs, rows[-1], False)))
    found, end = list[int](), len(costs)
    for before in reversed(rows[:-1]):
        end = int((before[:end] + costs[:end, end - 1]).argmin())
        found.append(end)
    return found[::-1]
