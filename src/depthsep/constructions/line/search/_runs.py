"""Runs of convexity, and coordinates in which all of a function bends alike."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

SAMPLES = 4097
REFINED = 3  # times the samples are moved to where the function bends
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
    for _ in range(REFINED):
        _, mass = _bends(f, x, power)
        there = np.interp(np.linspace(0, mass[-1], SAMPLES), mass, x)
        x = np.unique(np.concatenate([x[::2], there]))
    second, mass = _bends(f, x, power)
    whole = float(mass[-1])
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


def _bends(
    f: Callable[[np.ndarray], np.ndarray], x: np.ndarray, power: float
) -> tuple[np.ndarray, np.ndarray]:
    """f'' at the inner points, 0 where rounding hides it, and the mass up to each."""
    v, h = f(x), np.diff(x)
    noise = 16 * np.finfo(float).eps * np.abs(v).max()
    turns = np.diff(np.diff(v) / h)
    turns = np.where(np.abs(turns) > noise * (1 / h[:-1] + 1 / h[1:]), turns, 0.0)
    second = 2 * turns / (h[:-1] + h[1:])
    root = np.abs(np.concatenate([second[:1], second, second[-1:]])) ** power
    root = root + 1e-3 * float(np.sum(root[:-1] * h)) / 2 + 1e-300
    return second, np.append(0.0, np.cumsum((root[1:] + root[:-1]) / 2 * h))
