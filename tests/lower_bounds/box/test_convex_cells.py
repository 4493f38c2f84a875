"""Theorem V: oracles, cells of random networks, sums of ridges as attackers."""

from math import comb, pi

import numpy as np
import pytest
from flint import arb, fmpq
from scipy.optimize import linprog

from depthsep.claims import Lower, SearchPlan, Upper
from depthsep.constructions import BoxSearch
from depthsep.evidence import Inapplicable
from depthsep.exact import nearest_float
from depthsep.laws import Box, Segment
from depthsep.lower_bounds import ConvexCells
from depthsep.lower_bounds.box._bent_parts import most_bent_part
from depthsep.lower_bounds.box._cells import (
    cells_of_layer,
    least_units_of_cells,
    least_width_of_cells,
)
from depthsep.lower_bounds.box._convex_cells import cells_needed
from depthsep.lower_bounds.box.planes._plane_cells import PlaneCells
from depthsep.problems import Problem
from depthsep.separation import bound, separate
from depthsep.targets import target_from_text


def test_the_sum_of_two_squares_needs() -> None:
    assert cells_needed(arb(2), 2, fmpq(1, 1000)) == int(2 / (pi * 4e-3)) + 1


@pytest.mark.parametrize(
    ("target", "accuracy", "widths"),
    [
        ("expr:x1**2+x2**2", "1e-4", [56, 9]),
        ("expr:x1**2+x2**2+x3**2+x4**2", "1e-4", [105, 16]),
    ],
)
def test_widths_proved(target, accuracy, widths) -> None:
    problem = Problem(target, accuracy=accuracy)
    for depth, width in enumerate(widths, start=2):
        found = ConvexCells().prove(problem, depth)
        assert isinstance(found, Lower) and found.width >= width


@pytest.mark.parametrize("seed", range(60))
def test_cells_of_nearly_affine_quadratics_are_small(seed: int) -> None:
    """A polygon on which |z|^2 / 2 has a line within E has area at most 4 pi E."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(int(rng.integers(3, 9)), 2)) * rng.uniform(0.1, 2, 2)
    inside = rng.dirichlet(np.ones(len(points)) / 3, size=3000) @ points
    inside = np.vstack([points, inside])
    f = (inside**2).sum(axis=1) / 2
    rows = np.column_stack([np.ones(len(f)), inside])
    ones = np.ones((len(f), 1))
    answer = linprog(
        [0, 0, 0, 1],
        A_ub=np.vstack([np.hstack([rows, -ones]), np.hstack([-rows, -ones])]),
        b_ub=np.concatenate([f, -f]),
        bounds=[(None, None)] * 4,
    )
    assert hull_area(points) <= 4 * pi * answer.fun * 1.02


def hull_area(points: np.ndarray) -> float:
    from scipy.spatial import ConvexHull

    return float(ConvexHull(points).volume)


@pytest.mark.parametrize("inputs", [1, 2, 3, 5])
def test_layers_cut_into_what_pascal_says(inputs: int) -> None:
    for units in range(12):
        assert cells_of_layer(units, inputs) == sum(
            comb(units, j) for j in range(inputs + 1)
        )
    for cells in (1, 2, 7, 100, 12345):
        for layers in (1, 2, 3):
            width = least_width_of_cells(cells, inputs, layers)
            assert cells_of_layer(width, inputs) ** layers >= cells
            assert not width or cells_of_layer(width - 1, inputs) ** layers < cells
            units = least_units_of_cells(cells, inputs, layers)
            assert units == fewest_units(cells, inputs, layers, units + 1)


def fewest_units(cells: int, inputs: int, layers: int, most: int) -> int:
    """By all ways to share them."""
    best = {0: 1}
    for _ in range(layers):
        grown: dict[int, int] = {}
        for used, count in best.items():
            for m in range(most + 1 - used):
                found = count * cells_of_layer(m, inputs)
                grown[used + m] = max(grown.get(used + m, 0), found)
        best = grown
    return min(used for used, count in best.items() if count >= cells)


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("expr:exp(x1+2*x2)+x1**2", (0, 1)),
        ("expr:exp(-x1**2-x2**2)", (-1, 1)),
        ("expr:log(1+x1+x2)-x1**2", (0, 1)),
        ("expr:x1**4+x2**4+x1*x2/9", (-1, 1)),
    ],
)
def test_the_hessian_is_above_its_bound_on_the_part(text: str, on: tuple) -> None:
    target = target_from_text(text)
    box = Box.cube(Segment(*on), 2)
    part = most_bent_part(target, box)
    assert part is not None
    rng, step = np.random.default_rng(0), 1e-4
    low = np.array([nearest_float(s.start) for s in part.box.sides])
    high = np.array([nearest_float(s.stop) for s in part.box.sides])
    assert all(on[0] <= a < b <= on[1] for a, b in zip(low, high, strict=True))
    for x in rng.uniform(low, high, (50, 2)):
        moves = step * np.array([[i, j] for i in (-1, 0, 1) for j in (-1, 0, 1)])
        v = target.floats(x + moves).reshape(3, 3)
        a, b = (v[2, 1] - 2 * v[1, 1] + v[0, 1], v[1, 2] - 2 * v[1, 1] + v[1, 0])
        c = (v[2, 2] - v[2, 0] - v[0, 2] + v[0, 0]) / 4
        determinant = (a * b - c * c) / step**4
        assert (
            determinant >= float(part.determinant.p) / float(part.determinant.q) * 0.99
        )


def test_saddles_and_flat_functions_are_refused() -> None:
    for target in ("product", "poly:x1**2-x2**2", "expr:abs(x1-x2)", "expr:x1+x2"):
        answer = ConvexCells().prove(Problem(target, accuracy="1e-3"), 2)
        assert isinstance(answer, Inapplicable)
    curved = Problem("expr:exp(x1)+exp(x2)", norm="l1", accuracy="1e-3")
    assert isinstance(ConvexCells().prove(curved, 2), Inapplicable)


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["linf", "l1"])
def test_no_network_that_is_built_or_found_is_smaller(norm: str) -> None:
    bounds = (ConvexCells(), PlaneCells())
    for target, accuracy in (
        ("x1**2+x2**2", "1e-2"),
        ("2*x1**2+x1*x2+x2**2", "1e-1"),
        ("x1**2+x2**2+x3**2", "1e-1"),
    ):
        problem = Problem(f"expr:{target}", norm=norm, accuracy=accuracy)
        for row in separate(problem, depths=[2, 3], lower_bounds=bounds):
            for lower in (b.prove(problem, row.depth) for b in bounds):
                if isinstance(lower, Lower):
                    assert lower.width <= row.upper.width
                    assert lower.units <= row.upper.units


@pytest.mark.parametrize("accuracy", ["1e-1", "3e-2", "1e-2"])
def test_a_search_from_one_unit_less_finds_nothing(accuracy: str) -> None:
    problem = Problem("expr:x1**2+x2**2", accuracy=accuracy)
    lower = ConvexCells().prove(problem, 3)
    if isinstance(lower, Lower) and lower.width > 1:
        search = BoxSearch(SearchPlan(rounds=1), narrowest=lower.width - 1)
        found = search.prove(problem, 3)
        assert not isinstance(found, Upper) or found.width >= lower.width


def test_the_statement_is_evaluated() -> None:
    given = {"determinant": 4, "accuracy": "1e-4"}
    assert bound("convex-cells", **given).value == 56
    assert bound("convex-cells", **given, layers=2).value == 9
