"""Segments and slices of a box: drawn at random inside it, or given."""

from collections.abc import Sequence

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import nearest_float, rational
from depthsep.laws import Box
from depthsep.networks import Network

Point = tuple[fmpq, ...]


def float_ends(box: Box) -> np.ndarray:
    """The sides of a box in float64, inside it, (sides, 2)."""
    rows = []
    for side in box.sides:
        low, high = nearest_float(side.start), nearest_float(side.stop)
        low = low if rational(low) >= side.start else np.nextafter(low, np.inf)
        high = high if rational(high) <= side.stop else np.nextafter(high, -np.inf)
        if not low < high or not np.isfinite(high - low):
            raise HypothesisError(
                f"the side [{side.start}, {side.stop}] of the box is "
                "too short or too long for float64"
            )
        rows.append((low, high))
    return np.array(rows)


def random_chords(box: Box, count: int, seed: int) -> list[list[list[fmpq]]]:
    """Two ends each of lines through two uniform points of the box, to its edge."""
    rng, ends = np.random.default_rng(seed), float_ends(box)
    return [drawn_chord(rng, ends) for _ in range(count)]


def drawn_chord(rng: np.random.Generator, ends: np.ndarray) -> list[list[fmpq]]:
    """The line through two uniform points of the box, as far as the box goes."""
    low, high = ends.T
    p, q = rng.uniform(low, high, (2, len(ends)))
    step = np.where(p == q, 1e-300, q - p)
    with np.errstate(all="ignore"):
        hits = np.sort(np.stack([(low - p) / step, (high - p) / step]), axis=0)
    first, last = hits[0].max(), hits[1].min()
    points = np.clip([p + first * (q - p), p + last * (q - p)], low, high)
    return [[rational(float(v)) for v in point] for point in points]


def given_slice(
    network: Network, given: Sequence[Sequence[object]]
) -> tuple[Point, Point, Point]:
    """Three points, exactly.

    Raises:
        HypothesisError: not three, of other dimensions, or on one line.
    """
    points = [tuple(rational(x, name="a coordinate") for x in p) for p in given]
    if len(points) != 3 or any(len(p) != network.in_dim for p in points):
        raise HypothesisError(
            f"a slice needs three points of {network.in_dim} numbers each"
        )
    x0, x1, x2 = points
    u, v = ([b - a for a, b in zip(x0, x, strict=True)] for x in (x1, x2))
    if all(u[i] * v[j] == u[j] * v[i] for i in range(len(u)) for j in range(len(u))):
        raise HypothesisError(
            "the three points of a slice lie on one line; give three that do not"
        )
    return x0, x1, x2


def drawn_slice(
    rng: np.random.Generator, ends: np.ndarray
) -> tuple[Point, Point, Point]:
    """A parallelogram about the middle of the box, inside it."""
    middle, reach = ends.mean(axis=1), (ends[:, 1] - ends[:, 0]) / 2
    u, v = rng.uniform(-1, 1, (2, len(ends))) * reach
    low, high = ends.T
    points = np.clip(middle + np.array([-u - v, u - v, v - u]) / 2, low, high)
    x0, x1, x2 = (tuple(rational(float(x)) for x in p) for p in points)
    return x0, x1, x2
