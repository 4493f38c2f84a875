"""Fewest pieces by a dynamic programme over many knots and values, in floats."""

import numpy as np

NEVER = 10**6


def fewest(x, low, high, *, jumps=False, levels=41, every=1):
    """Of pieces with knots among every so many x, between low and high at all x."""
    places = np.arange(0, len(x), every)
    places = places if places[-1] == len(x) - 1 else np.append(places, len(x) - 1)
    if jumps:
        return _with_jumps(x, low, high)
    share = np.linspace(0, 1, levels)
    values = low[places][:, None] + (high - low)[places][:, None] * share
    count = np.full(values.shape, NEVER)
    count[0] = 0
    for a, i in enumerate(places[:-1]):
        best = count[a].min()
        for v in np.flatnonzero(count[a] <= best + 1):
            gaps = x[i + 1 :] - x[i]
            most = np.minimum.accumulate((high[i + 1 :] - values[a, v]) / gaps)
            least = np.maximum.accumulate((low[i + 1 :] - values[a, v]) / gaps)
            at = places[a + 1 :] - i - 1
            shut = np.flatnonzero(least[at] > most[at])
            at = at[: shut[0]] if len(shut) else at
            ahead = slice(a + 1, a + 1 + len(at))
            slope = (values[ahead] - values[a, v]) / gaps[at][:, None]
            fits = (slope >= least[at][:, None]) & (slope <= most[at][:, None])
            steps = np.where(fits, count[a, v] + 1, NEVER)
            count[ahead] = np.minimum(count[ahead], steps)
    return int(count[-1].min())


def _with_jumps(x, low, high):
    """As far as a line gets, by half-planes of lines at every point."""
    from scipy.optimize import linprog

    start, found = 0, 0
    while start < len(x) - 1:
        first, last = start + 1, len(x)
        while last - first > 1:
            middle = (first + last) // 2
            t = x[start : middle + 1] - x[start]
            rows = np.stack([t, np.ones_like(t)], axis=1)
            room = linprog(
                [0, 0],
                np.vstack([rows, -rows]),
                np.concatenate([high[start : middle + 1], -low[start : middle + 1]]),
                bounds=[(None, None)] * 2,
            )
            first, last = (middle, last) if room.status == 0 else (first, middle)
        start, found = first, found + 1
    return found
