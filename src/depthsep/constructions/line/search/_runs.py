"""Runs of convexity, and coordinates in which all of a function bends alike."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

SAMPLES = 8193
SMALLEST_SHARE = 0.01  # of the mass; shorter runs join their neighbours


@dataclass(frozen=True, eq=False)
class Runs:
    """Mass, the integral of sqrt|f''|, and where f'' changes its sign.

    Attributes:
        x, mass: samples of the mass, from 0 to 1.
        ends: masses at the ends of the runs, from 0 to 1.
        signs: of f'' on each run.
        whole: the mass of all before it is scaled to 1.
    """

    x: np.ndarray
    mass: np.ndarray
    ends: np.ndarray
    signs: tuple[int, ...]
    whole: float

    @property
    def count(self) -> int:
        """Of the runs."""
        return len(self.signs)

    def places(self, mass: np.ndarray) -> np.ndarray:
        """Points with these masses."""
        return np.interp(mass, self.mass, self.x)


def runs_of(f: Callable[[np.ndarray], np.ndarray], power: float = 0.5) -> Runs:
    """The runs of f on [-1, 1], from samples; mass is the integral of |f''|^power."""
    x = np.linspace(-1.0, 1.0, SAMPLES)
    v = f(x)
    second = np.diff(v, 2)
    noise = 16 * np.finfo(float).eps * np.abs(v).max()
    second = np.where(np.abs(second) > noise, second, 0.0)
    root = np.abs(np.concatenate([second[:1], second, second[-1:]])) ** power
    root = root + 1e-3 * root.mean() + 1e-300
    mass = np.concatenate([[0.0], np.cumsum((root[1:] + root[:-1]) / 2)])
    whole = float(mass[-1]) * (x[1] - x[0]) ** (1 - 2 * power)
    mass /= mass[-1]
    sign = np.sign(np.concatenate([second[:1], second, second[-1:]])).astype(int)
    starts = [0, *(np.flatnonzero(np.diff(sign)) + 1).tolist()]
    pieces = [
        (float(mass[i]), float(mass[j]), int(sign[i]))
        for i, j in zip(starts, [*starts[1:], len(x) - 1], strict=True)
    ]
    merged: list[tuple[float, float, int]] = []
    for left, right, s in pieces:
        if s == 0 or right - left < SMALLEST_SHARE:
            continue
        if merged and merged[-1][2] == s:
            merged[-1] = (merged[-1][0], right, s)
        else:
            merged.append((left, right, s))
    if not merged:
        merged = [(0.0, 1.0, 1)]
    inner = [(a[1] + b[0]) / 2 for a, b in pairwise(merged)]
    return Runs(
        x, mass, np.array([0.0, *inner, 1.0]), tuple(s for *_, s in merged), whole
    )
