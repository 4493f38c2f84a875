"""Pieces in the mean under laws with densities, against plain programmes in floats."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq
from scipy import stats
from scipy.optimize import linprog

from depthsep.approximation import GridFunction, grading, grid_function, pieces_in_mean
from depthsep.approximation.mean._grid_function import STRETCH
from depthsep.approximation.mean._piece_costs import PATTERNS
from depthsep.approximation.mean._pieces_in_mean import _counted
from depthsep.approximation.mean._weighted_costs import (
    AbsoluteCosts,
    SquareCosts,
    WeightedAbsoluteCosts,
    WeightedSquareCosts,
)
from depthsep.exact import nearest_float
from depthsep.laws import law_from_text
from depthsep.problems import Problem
from support.pieces import absolute_error, best_knots, midpoints, square_costs, weighed
from support.slow import in_turn

LAWS = {
    "beta:2,5": stats.beta(2, 5).pdf,
    "beta:1/2,1/2": stats.beta(0.5, 0.5).pdf,
    "normal:1/3,1/10,0,1": stats.norm(1 / 3, 0.1).pdf,
    "triangular:0,1/4,1": stats.triang(0.25).pdf,
    "exponential:4,1": stats.expon(scale=1 / 4).pdf,
    "density:1+sin(9*x)": lambda x: 1 + np.sin(9 * x),
}
FORMULAS = ["exp(x)", "sqrt(x)", "sin(20*x)", "abs(x-1/3)+x**3", "1/(1+25*x**2)"]
SOME = [
    (formula, law, norm, 4 + k % 4)
    for k, (law, formula, norm) in enumerate(
        in_turn(in_turn(zip(LAWS), FORMULAS), ("l1", "l2", "l2"))
    )
]


def counted(formula: str, law: str, norm: str, accuracy: object) -> int:
    problem = Problem(f"expr:{formula}", law_from_text(law), norm, accuracy)
    on = problem.interval
    asked = problem.line_target, on, problem.accuracy, norm, problem.weight
    return pieces_in_mean(*asked).fewest


@pytest.mark.slow
@pytest.mark.parametrize(("formula", "law", "norm", "pieces"), SOME)
def test_a_plain_programme_does_not_do_with_less(
    formula: str, law: str, norm: str, pieces: int
) -> None:
    f = Problem(f"expr:{formula}").target.floats
    at = weighed(midpoints(f, 0.0, 1.0, 250, 16), LAWS[law])
    square, knots = best_knots(square_costs(at), pieces)
    reached = square**0.5 if norm == "l2" else absolute_error(at, knots)
    # midpoint sums are off by less than two hundredths, at poles of the density
    assert counted(formula, law, norm, reached * 1.02) <= pieces
    # nor is the bound empty: at half the error there is another piece to prove
    assert counted(formula, law, norm, reached / 2) > pieces * 0.9


def grid_of(formula: str, norm: str, law: str | None = None) -> GridFunction:
    chosen = None if law is None else law_from_text(law)
    problem = Problem(f"expr:{formula}", chosen, norm, "1e-2")
    asked = problem.line_target, problem.interval, problem.accuracy, norm
    weight = problem.weight
    return grid_function(*asked, grading(*asked, weight), 60, weight)


def pieces_of(h: GridFunction, count: int) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(5)
    pairs = (sorted(rng.choice(len(h.knots), 2, replace=False)) for _ in range(count))
    return [(np.array([i]), np.array([j])) for i, j in pairs]


@pytest.mark.parametrize("formula", ["exp(x)", "sin(9*x)", "sqrt(x)"])
def test_constant_weights_cost_what_no_weights_do(formula: str) -> None:
    for norm, plain, kind in (
        ("l1", AbsoluteCosts, WeightedAbsoluteCosts),
        ("l2", SquareCosts, WeightedSquareCosts),
    ):
        h = grid_of(formula, norm)
        weights = np.full(len(h.gaps), 1 << 20, dtype=object)
        heavy = GridFunction(
            h.knots, h.values, h.unit, h.height, h.distance, weights, fmpq(1, 1 << 20)
        )
        unit = fmpq(h.unit, 10**12)
        for i, j in pieces_of(h, 30):
            expected = int(plain(h).of(i, j, unit)[0][0])
            found = int(kind(heavy).of(i, j, unit / heavy.weight_unit)[0][0])
            assert abs(found - expected) <= 1 + expected / 10**8


@pytest.mark.parametrize("formula", ["exp(x)", "sin(9*x)", "sin(30*x)"])
@pytest.mark.parametrize("law", ["beta:2,5", "triangular", "density:1+sin(9*x)"])
def test_one_piece_costs_what_a_fit_says(formula: str, law: str) -> None:
    for norm, kind in (("l1", WeightedAbsoluteCosts), ("l2", WeightedSquareCosts)):
        h = grid_of(formula, norm, law)
        unit = fmpq(h.unit, 10**12) / h.weight_unit
        for i, j in pieces_of(h, 8):
            claimed = float(kind(h).of(i, j, unit)[0][0]) / 1e12
            found = fitted_cost(h, int(i[0]), int(j[0]), kind.power)
            assert claimed <= found * 1.002 + 1e-9
            if norm == "l2":
                assert claimed == pytest.approx(found, rel=2e-3, abs=1e-9)


@pytest.mark.parametrize("law", ["beta:2,5", "density:1+sin(9*x)"])
def test_the_pattern_that_floats_propose_costs_most(law: str) -> None:
    h = grid_of("sin(30*x)", "l1", law)
    costs, unit = WeightedAbsoluteCosts(h), fmpq(h.unit, 10**12) / h.weight_unit
    i, j = np.triu_indices(len(h.knots), 5)
    every = [costs.of_pattern(pattern, i, j, unit) for pattern in PATTERNS]
    most = np.max(every, axis=0)
    assert (np.choose(costs.likely_best(i, j), every) >= most - most // 10**6 - 1).all()


def fitted_cost(h: GridFunction, i: int, j: int, power: int) -> float:
    """The weighted integral with the best line, by many points in every cell."""
    parts = [
        np.linspace(a, b, 42)
        for a, b in zip(h.places[i:j], h.places[i + 1 : j + 1], strict=True)
    ]
    x = np.concatenate([(part[1:] + part[:-1]) / 2 for part in parts])
    unit = nearest_float(h.weight_unit)
    w = np.repeat(h.weights[i:j].astype(float) * unit, 41)
    w = w * np.concatenate([np.diff(part) for part in parts])
    y = np.interp(x, h.places, (h.values - h.values[0]).astype(float))
    rows, root = np.stack([np.ones_like(x), x], axis=1), np.sqrt(w)
    if power == 2:
        line = np.linalg.lstsq(rows * root[:, None], y * root, rcond=None)[0]
        return float(w @ (y - rows @ line) ** 2)
    few, size = slice(None, None, 3), np.abs(y).max() + 1
    n = len(x[few])
    answer = linprog(
        np.concatenate([[0, 0], w[few] / w[few].sum()]),
        A_ub=np.block([[rows[few], -np.eye(n)], [-rows[few], -np.eye(n)]]),
        b_ub=np.concatenate([y[few], -y[few]]) / size,
        bounds=[(None, None)] * 2 + [(0, None)] * n,
    )
    return float(w @ np.abs(y - rows @ (answer.x[:2] * size)))


def a_ramp(cells: int, weights: list[int]) -> GridFunction:
    """0, then up by 1 in the middle cell of an odd number, then 1; weighed."""
    knots = [k * STRETCH for k in range(2 * cells + 2)]
    values = [0] * (cells + 1) + [1 << 30] * (cells + 1)
    arrays = [np.array(v, dtype=object) for v in (knots, values, weights)]
    return GridFunction(
        arrays[0], arrays[1], knots[-1], fmpq(1, 1 << 30), fmpq(0), arrays[2]
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_a_knot_inside_a_cell_may_be_better_than_its_ends(norm: str, seed: int) -> None:
    """Two pieces that meet in the steep cell, with the best lines of random weights."""
    rng = np.random.default_rng(seed)
    cells = int(rng.integers(2, 12))
    weights = [int(v) for v in rng.integers(1, 1 << 10, 2 * cells + 1)]
    count = 2 * cells + 1
    x = (np.arange(count * 4000) + 0.5) / 4000
    w = np.repeat(np.array(weights, dtype=float), 4000) / 4000
    f = np.clip(x - cells, 0, 1)
    left = x < cells + rng.random()
    rows, reached = np.stack([np.ones_like(x), x], axis=1), 0.0
    for side in (left, ~left):
        r, root, y = rows[side], np.sqrt(w[side]), f[side]
        line = np.linalg.lstsq(r * root[:, None], y * root, rcond=None)[0]
        off = np.abs(y - r @ line)
        reached += float(w[side] @ (off if norm == "l1" else off**2)) / count
    error = (reached if norm == "l1" else reached**0.5) * 1.001
    accuracy = fmpq(int(error * 10**9) + 1, 10**9)
    for guess in (2, 3, 5):
        assert _counted(a_ramp(cells, weights), accuracy, norm, guess).fewest <= 2


@pytest.mark.parametrize(
    ("law", "formula"), [("exponential:3", "exp(x)"), ("beta:2,5", "exp(x)")]
)
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_slopes_of_best_lines_are_off_by_no_more_than_is_said(
    law, formula, norm
) -> None:
    """Against exact least squares; in l1 against the exact places of both changes."""
    h = grid_of(formula, norm, law)
    kind = WeightedAbsoluteCosts if norm == "l1" else WeightedSquareCosts
    known = 0
    for i, j in pieces_of(h, 40):
        found = kind(h).of(i, j, fmpq(1))
        if np.isfinite(found.slopes[0]):
            known += 1
            exact = (square_slope if norm == "l2" else sign_slope)(
                h, int(i[0]), int(j[0])
            )
            assert abs(exact - float(found.slopes[0])) <= found.off[0]
    assert known >= 20


def parts(h: GridFunction, i: int, j: int) -> list[tuple[Fraction, ...]]:
    """Weight, ends and values of cells, for a length of 1."""
    x = [Fraction(int(k), h.unit) for k in h.knots[i : j + 1]]
    y = [Fraction(int(v)) for v in h.values[i : j + 1]]
    w = [Fraction(int(v)) for v in h.weights[i:j]]
    return list(zip(w, x, x[1:], y, y[1:], strict=False))


def square_slope(h: GridFunction, i: int, j: int) -> float:
    s0 = s1 = s2 = b0 = b1 = Fraction(0)
    for w, s, t, v, u in parts(h, i, j):
        m = w * (t - s)
        s0, s1, s2 = s0 + m, s1 + m * (s + t) / 2, s2 + m * (s * s + s * t + t * t) / 3
        b0 = b0 + m * (v + u) / 2
        b1 = b1 + m * (v * (2 * s + t) + u * (s + 2 * t)) / 6
    return float((s0 * b1 - s1 * b0) / (s0 * s2 - s1 * s1))


def sign_slope(h: GridFunction, i: int, j: int) -> float:
    """By bisection in rationals for the mass before the first change."""
    cells = parts(h, i, j)
    whole = sum(w * (t - s) for w, s, t, *_ in cells)

    def at(mass: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """Place, first moment and height where so much mass lies before."""
        moment = Fraction(0)
        for w, s, t, v, u in cells:
            here = w * (t - s)
            if mass <= here and w:
                x = s + mass / w
                return x, moment + mass * (s + x) / 2, v + (u - v) * (x - s) / (t - s)
            mass, moment = mass - here, moment + here * (s + t) / 2
        raise AssertionError

    total = at(whole)[1]
    low, high = Fraction(0), whole / 2
    for _ in range(60):
        middle = (low + high) / 2
        gap = at(middle + whole / 2)[1] - at(middle)[1] - total / 2
        low, high = (middle, high) if gap < 0 else (low, middle)
    (a, _, v), (b, _, u) = at(low), at(low + whole / 2)
    return float((u - v) / (b - a))


def test_drops_far_out_are_those_of_a_mass_near_by() -> None:
    """The bend is proportional to the weights, however small beside the others."""
    h = grid_of("exp(x)", "l2", "beta:2,5")
    cell, first, stop = np.array([40]), np.array([30]), np.array([41])
    d = np.array([1.0])
    near = WeightedSquareCosts(h).bend(cell, d, first, stop)[0]
    weights = h.weights.copy()
    weights[:30] *= 10**60
    far = WeightedSquareCosts(replace(h, weights=weights)).bend(cell, d, first, stop)[0]
    assert far == near > 0
    # 1 / k is the least square of a line that is 1 at the end nearest to the mean
    cells = [(float(w), float(s), float(t)) for w, s, t, *_ in parts(h, 30, 41)]
    x = np.concatenate([np.linspace(s, t, 400) for _, s, t in cells])
    root = np.sqrt(
        np.concatenate([np.full(400, w * (t - s) / 400) for w, s, t in cells])
    )
    end = h.places[40]
    line = np.linalg.lstsq(((x - end) * root)[:, None], -root, rcond=None)[0]
    least = float((((1 + (x - end) * line[0]) * root) ** 2).sum())
    assert near == pytest.approx(least / 2, rel=1e-2)
