"""Theorem B': sawtooths against continuous functions, attacked by a second account."""

import numpy as np
import pytest
from flint import fmpq
from scipy.optimize import minimize

from depthsep.claims import Lower
from depthsep.lower_bounds.line._sawtooth import SawtoothL1, SawtoothL2
from depthsep.problems import Problem
from depthsep.separation import best_lower, separate
from support.slow import mostly_slow

PROVERS = {"l1": SawtoothL1(), "l2": SawtoothL2()}


def teeth(t: np.ndarray) -> np.ndarray:
    """The distance to the even integers."""
    return 1 - np.abs(1 - np.mod(t, 2))


def loss(knots: np.ndarray, levels: np.ndarray, count: int, norm: str) -> float:
    """The mean of |D - g| or (D - g)^2 over [0, count], in closed form on pieces."""
    places = np.unique(np.concatenate([np.arange(count + 1.0), knots]))
    gaps = teeth(places) - np.interp(places, knots, levels)
    a, b, length = gaps[:-1], gaps[1:], np.diff(places)
    if norm == "l2":
        each = (a * a + a * b + b * b) / 3
    else:
        whole = (np.abs(a) + np.abs(b)) / 2
        change = np.where(np.abs(a) + np.abs(b) > 0, np.abs(a) + np.abs(b), 1.0)
        each = np.where(a * b >= 0, whole, (a * a + b * b) / (2 * change))
    return float(each @ length) / count


def least_loss(count: int, pieces: int, norm: str, rng: np.random.Generator) -> float:
    """The best that descents from a random start find; an upper side of the truth."""

    def unpacked(v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        inner = np.sort(np.clip(v[: pieces - 1], 1e-9, count - 1e-9))
        return np.concatenate([[0.0], inner, [float(count)]]), v[pieces - 1 :]

    inner = np.sort(rng.uniform(0, count, pieces - 1))
    if rng.random() < 0.7:  # near the sawtooth's own kinks, the first ones or any
        own = np.arange(1, count)
        kept = own if rng.random() < 0.5 else rng.permutation(own)
        inner = np.sort(kept[: pieces - 1]) + rng.normal(0, 0.1, pieces - 1)
    places = np.concatenate([[0.0], inner, [float(count)]])
    start = np.concatenate([inner, teeth(places) + rng.normal(0, 0.2, pieces + 1)])
    found = minimize(lambda v: loss(*unpacked(v), count, norm), start, method="Powell")
    return float(found.fun)


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize(
    ("folds", "pieces"),
    mostly_slow([(2, 2), (2, 3), (3, 4)], [(2, 2), (2, 3), (3, 4), (3, 6)]),
)
def test_no_descent_goes_below(norm: str, folds: int, pieces: int) -> None:
    count, scale = 1 << folds, {"l1": 4, "l2": 12}[norm]
    rng = np.random.default_rng(folds * 100 + pieces)
    reached = min(least_loss(count, pieces, norm, rng) for _ in range(12))
    allowed = (1 - pieces / count) / scale
    assert reached >= allowed - 1e-12
    # nor is the bound far below: a piece and a half more would reach it
    assert reached <= (1 - (pieces - 2) / count) / scale + 1e-9


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_random_continuous_functions_obey_it(norm: str) -> None:
    rng, scale = np.random.default_rng(7), {"l1": 4, "l2": 12}[norm]
    for _ in range(3000):
        count = 1 << int(rng.integers(1, 5))
        pieces = int(rng.integers(1, count + 3))
        knots = np.sort(rng.uniform(0, count, pieces + 1))
        if rng.random() < 0.5:
            knots = np.sort(rng.integers(0, 2 * count + 1, pieces + 1)) / 2
        knots[0], knots[-1] = 0, count
        knots, levels = np.unique(knots), rng.normal(0.5, 0.5, pieces + 1)
        if rng.random() < 0.5:
            levels = np.append(teeth(knots), levels)
        reached = loss(knots, levels[: len(knots)], count, norm)
        assert reached >= (1 - (len(knots) - 1) / count) / scale - 1e-12


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("folds", [1, 2, 3, 6])
def test_following_the_teeth_is_off_by_less_than_two_pieces(norm, folds: int) -> None:
    count, scale = 1 << folds, {"l1": 4, "l2": 12}[norm]
    for whole in range(count):
        end = whole + 0.5
        places = np.array([*range(whole + 1), end, count], dtype=float)
        reached = loss(places, teeth(np.minimum(places, end)), count, norm)
        assert reached == pytest.approx((1 - end / count) / scale, abs=1e-12)
        squared = fmpq(2 * count - 2 * whole - 1, 2 * count * scale)
        accuracy = squared if norm == "l1" else _root_above(squared)
        lower = PROVERS[norm].prove(
            Problem(f"sawtooth:{folds}", norm=norm, accuracy=accuracy), 2
        )
        assert isinstance(lower, Lower) and lower.pieces is not None
        assert whole <= lower.pieces <= len(places) - 1


def _root_above(square: fmpq) -> fmpq:
    root = fmpq(round(float(square) ** 0.5 * 10**12) + 1, 10**12)
    assert root * root >= square
    return root


@pytest.mark.parametrize(
    ("target", "norm", "widths"),
    [
        ("sawtooth:12", "l1", [3276, 57, 14, 7, 5, 3, 3]),
        ("sawtooth:8", "l2", [248, 15]),
    ],
)
def test_the_widths_proved_are(target: str, norm: str, widths: list[int]) -> None:
    problem = Problem(target, norm=norm, accuracy="0.05")
    found = [best_lower(problem, depth) for depth in range(2, 2 + len(widths))]
    assert [lower.width for lower in found if isinstance(lower, Lower)] == widths


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("folds", [1, 2, 3, 5, 7])
@pytest.mark.parametrize("accuracy", ["1e-9", "1e-3", "1/20", "1/8", "0.249", "0.2887"])
def test_the_two_sides_keep_their_order(norm, folds: int, accuracy: str) -> None:
    table = separate(Problem(f"sawtooth:{folds}", norm=norm, accuracy=accuracy))
    for row in table:
        assert row.lower.width <= row.upper.width
