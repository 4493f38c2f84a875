"""Theorem J: all hyperplanes against random ones, packings, widths that are proved."""

from math import comb

import numpy as np
import pytest
from flint import fmpq

from depthsep.claims import Lower, Upper
from depthsep.evidence import Inapplicable
from depthsep.laws import Segment
from depthsep.lower_bounds.box.segments._bent_segments import bent_segments
from depthsep.lower_bounds.box.segments._packer import packer_of
from depthsep.lower_bounds.box.segments._packing import Packing, most_crossed
from depthsep.lower_bounds.box.segments._sides import sides_of_hyperplanes
from depthsep.lower_bounds.box.segments._signed_segments import SignedSegments
from depthsep.problems import Problem
from depthsep.separation import bound, separate

U = Segment(-1, 1)


def exact(points: np.ndarray) -> list[tuple[fmpq, ...]]:
    return [tuple(fmpq(int(v), 3) for v in point) for point in points]


def up_to_sign(ways: np.ndarray) -> set[tuple[int, ...]]:
    return set(map(tuple, (ways * ways[:, :1]).tolist()))


def random_sides(points: np.ndarray, count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    low, high = points.min() - 1, points.max() + 1
    normals = rng.normal(size=(count, points.shape[1]))
    through = rng.uniform(low, high, normals.shape)
    sides = np.sign(points @ normals.T - (normals * through).sum(axis=1)).T.astype(int)
    return sides[(sides != 0).all(axis=1)]


@pytest.mark.parametrize("dim", [1, 2, 3, 4])
def test_points_in_general_position_are_separated_as_cover_counts(dim: int) -> None:
    """Half of 2 sum_{k <= d} C(n - 1, k), Cover (1965): opposite ways count once."""
    points = np.random.default_rng(dim).integers(0, 10**6, (8, dim))
    ways = up_to_sign(sides_of_hyperplanes(exact(points)))
    assert len(ways) == sum(comb(7, k) for k in range(dim + 1))


@pytest.mark.slow
@pytest.mark.parametrize(("dim", "side"), [(1, 4), (2, 3), (2, 5), (3, 3), (3, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_no_way_is_missed_where_many_points_lie_on_lines(dim, side, seed) -> None:
    rng = np.random.default_rng(seed)
    points = rng.integers(0, side, (9, dim))
    ways = up_to_sign(sides_of_hyperplanes(exact(points)))
    assert up_to_sign(random_sides(points, 100_000, seed)) <= ways
    # and every way can be had: a hyperplane is found by least squares on the signs
    from scipy.optimize import linprog

    table = np.column_stack([points, np.ones(len(points))])
    for way in list(ways)[:40]:
        rows = -np.array(way)[:, None] * table
        found = linprog(
            np.zeros(dim + 1), rows, -np.ones(len(way)), bounds=(None, None)
        )
        assert found.status == 0


@pytest.mark.parametrize("dim", [2, 3])
def test_the_largest_sum_is_that_of_the_worst_random_hyperplane(dim: int) -> None:
    rng = np.random.default_rng(5)
    for _ in range(5):
        points = rng.integers(0, 7, (10, dim))
        segments = [tuple(exact(pair)) for pair in points.reshape(5, 2, dim)]
        weights = [fmpq(int(v), 12) for v in rng.integers(1, 12, 5)]
        sides = random_sides(points, 200_000, 6)
        crossed = sides[:, 0::2] != sides[:, 1::2]
        seen = (crossed * np.array([float(w) for w in weights])).sum(axis=1).max()
        assert float(most_crossed(segments, weights)) == pytest.approx(seen)


def test_weights_with_long_denominators_are_added_exactly() -> None:
    """Over a common denominator they do not fit into 64 bits."""
    cross = [((fmpq(0), fmpq(k)), (fmpq(10), fmpq(k + 1))) for k in range(9)]
    weights = [fmpq(1, p) for p in (97, 89, 83, 79, 73, 71, 67, 61, 59)]
    assert most_crossed(cross, weights) == sum(weights, fmpq(0))


def test_the_programme_finds_the_sides_of_a_square() -> None:
    """A line crosses two sides at most: a half each, and a diagonal takes from them."""
    corners = [(0, 0), (0, 1), (1, 1), (1, 0)]
    sides = [(corners[k], corners[k - 1]) for k in range(4)]
    ends = np.array([*sides, (corners[0], corners[2])], dtype=float)
    weights = Packing(ends).best(np.array([1.0, 1, 1, 1, 0.9]), 0)
    assert weights == pytest.approx([0.5, 0.5, 0.5, 0.5, 0])
    assert Packing(ends).best(np.array([1.0, 1, 1, 1, 0.9]), 2) is None


def test_runs_are_cut_where_a_function_turns() -> None:
    problem = Problem("expr:sin(6*x1)+0*x2", accuracy="1e-2")
    segments = bent_segments(problem.target, problem.law.box, 4)
    along = [
        k for k in range(len(segments)) if segments.grid[k].tolist() == [[0, 0], [4, 0]]
    ]
    assert segments.signs[along].tolist() == [-1, 1]
    assert segments.parts[along][0][1] == pytest.approx(64 * np.pi / 6, abs=1)


WIDTHS = [
    ("x1*x2", None, "1e-2", [6, 2]),
    ("x1*x2", None, "1e-3", [22, 4]),
    ("x1**2+x2**2", None, "1e-3", [22, 4]),
    ("exp(-x1**2-x2**2)", U, "1e-2", [9, 3]),
    ("x1/(1+x2)", None, "1e-3", [15, 3]),
    ("sqrt(1+x1**2+x2**2)", U, "1e-3", [22, 4]),
    ("x1*x2*x3", None, "1e-2", [9, 2]),
    ("x1*x2+x3*x4", None, "1e-2", [12]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("formula", "on", "accuracy", "widths"), WIDTHS)
def test_widths_proved(formula, on, accuracy, widths) -> None:
    problem = Problem(f"expr:{formula}", on, accuracy=accuracy)
    for depth, width in enumerate(widths, start=2):
        found = SignedSegments().prove(problem, depth)
        assert isinstance(found, Lower) and found.width >= width


def test_maxima_of_affine_functions_are_refused_at_once() -> None:
    found = SignedSegments().prove(Problem("max:3", accuracy="1e-6"), 2)
    assert isinstance(found, Inapplicable) and "between its kinks" in found.reason


def test_pieces_and_weights_are_those_that_are_proved() -> None:
    """Counted again along each segment, in floats; every random line weighed."""
    problem = Problem("expr:exp(-x1**2-x2**2)", U, accuracy="1e-2")
    packer = packer_of(problem, 1)
    for sign in (1, -1):
        packed = packer.best(lambda s, n: n - 1, (sign,))
        ends = np.array(
            [[[float(v) for v in p] for p in run.ends] for run, _ in packed.chosen]
        )
        for run, (start, stop) in zip(
            (r for r, _ in packed.chosen), 2 * ends - 1, strict=True
        ):
            t = np.linspace(0, 1, 2001)[:, None]
            values = problem.target.floats(start + t * (stop - start))
            assert run.sign == sign
            bent = sign * np.diff(values, 2) > -1e-12
            assert bent.mean() > 0.9  # ends may lie beyond an inflection, by a part
            assert run.pieces <= greedy_pieces(sign * values[1:-1][bent], 1e-2)
        sides = random_sides(ends.reshape(-1, 2), 100_000, 1)
        weights = np.array([float(w) for _, w in packed.chosen])
        assert ((sides[:, 0::2] != sides[:, 1::2]) @ weights).max() <= 1 + 1e-9


def greedy_pieces(values: np.ndarray, accuracy: float) -> int:
    """Of convex values: as long as half of the largest gap below a chord will do."""
    count, start = 0, 0
    while start < len(values) - 1:
        stop = start + 1
        while stop < len(values):
            chord = np.linspace(values[start], values[stop], stop - start + 1)
            if (chord - values[start : stop + 1]).max() / 2 > accuracy:
                break
            stop += 1
        count, start = count + 1, stop - 1
    return count


@pytest.mark.parametrize("formula", ["x1*x2", "x1**2-x2**2", "sin(3*x1)*x2"])
def test_tables_keep_their_order(formula: str) -> None:
    problem, bounds = Problem(f"expr:{formula}", accuracy="1/20"), [SignedSegments()]
    for row in separate(problem, depths=(2, 3), lower_bounds=bounds):
        assert isinstance(row.lower, Lower) and isinstance(row.upper, Upper)
        assert row.lower.width <= row.upper.width


def test_the_statement_adds_what_is_rounded_up_on_each_side() -> None:
    assert bound("signed-segments", up="21/2", down="1/3").value == 12
    assert isinstance(
        SignedSegments().prove(Problem("product", norm="l1"), 2), Inapplicable
    )


def test_affine_functions_need_nothing() -> None:
    for formula in ("x1+2*x2", "x1*0+x2"):
        problem = Problem(f"expr:{formula}", accuracy="1/100")
        assert isinstance(SignedSegments().prove(problem, 2), Inapplicable)
