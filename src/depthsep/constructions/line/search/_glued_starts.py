"""Starts whose zigzag is made by two layers: more and shorter cells to fold."""

from collections import defaultdict
from itertools import pairwise

import numpy as np

from depthsep.constructions.line.search._fold_starts import Zigzag, folded, with_sum
from depthsep.constructions.line.search._samples import Sampled
from depthsep.constructions.search._weights import Weights

Layer = tuple[np.ndarray, np.ndarray]
Kind = tuple[int, float, float, int]  # parity, value, sign of the bend, number


def glued_start(
    sampled: Sampled,
    zigzag: Zigzag,
    group: int,
    bases: tuple[int, ...],
    last: tuple[int, int],
) -> Weights:
    """Layer 1 has the coarse knots, layer 2 all others; the rest folds, as elsewhere.

    A unit of layer 2 has one kink in every other coarse interval, as in Theorem 1 of
    narrow-networks.md; up in one place of the zigzag and of its run, it is so in all.

    Args:
        group: kinks of the zigzag between two coarse knots.
    """
    coarse, units = _units(zigzag, group)
    first = np.ones((len(coarse) - 1, 1)), -coarse[:-1]
    made = {kind: _carried(coarse, kinks) for kind, kinks in units.items()}
    rest = np.interp(coarse, zigzag.knots, zigzag.values)
    for (_, _, sign, _), values in made.items():
        rest = rest - sign * np.maximum(values, 0.0)
    lift = max(0.0, 1e-3 - float(rest.min()))
    rows = [_row(coarse, values) for values in (*made.values(), rest + lift)]
    second = np.array([row for row, _ in rows]), np.array([bias for _, bias in rows])
    read = np.array([*(sign for _, _, sign, _ in made), 1.0])
    signed = bool(zigzag.values.min() < 0 < zigzag.values.max())
    constant = -lift
    if zigzag.values.max() <= 0:
        read, constant = -read, -constant
    layers = folded([first, second], read, constant, bases, last, signed=signed)
    return with_sum(sampled, layers)


def _units(
    zigzag: Zigzag, group: int
) -> tuple[np.ndarray, dict[Kind, list[tuple[int, float, float]]]]:
    """Coarse knots, and the kinks of each unit: interval, place and bend."""
    x, v = zigzag.knots, zigzag.values
    slopes = np.diff(v) / np.diff(x)
    bends = np.diff(slopes)
    inner = np.flatnonzero(np.abs(bends) > 1e-9 * np.abs(slopes).max())
    coarse = x[1 + inner[group :: group + 1]]
    coarse = np.concatenate([x[:1], coarse, x[-1:]])
    units: dict[Kind, list[tuple[int, float, float]]] = defaultdict(list)
    for i in range(len(coarse) - 1):
        seen: dict[tuple[float, float], int] = defaultdict(int)
        for k in inner[i * (group + 1) : i * (group + 1) + group]:
            place = float(v[k + 1]), float(np.sign(bends[k]))
            units[i % 2, *place, seen[place]].append(
                (i, float(x[k + 1]), abs(float(bends[k])))
            )
            seen[place] += 1
    return coarse, units


def _carried(coarse: np.ndarray, kinks: list[tuple[int, float, float]]) -> np.ndarray:
    """Values at the coarse knots of a function whose positive part has these kinks.

    Its zeros are the kinks; its sign alternates from one to the next.
    """
    known, values, sign = [], [], 1.0
    for i, place, bend in kinks:
        known += [coarse[i], coarse[i + 1]]
        values += [sign * bend * (end - place) for end in known[-2:]]
        sign = -sign
    return np.interp(coarse, known, values)


def _row(coarse: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights and bias with which layer 1 gives these values at the coarse knots."""
    slopes = [
        (b - a) / gap
        for (a, b), gap in zip(pairwise(values), np.diff(coarse), strict=True)
    ]
    return np.diff(slopes, prepend=0.0), float(values[0])
