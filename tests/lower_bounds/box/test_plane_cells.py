"""Theorem W: constants of corners, polygons that are nearly affine, widths proved."""

from itertools import product
from math import cos, pi, sin

import numpy as np
import pytest
from flint import arb
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, Delaunay

from depthsep import HypothesisError
from depthsep.claims import Lower
from depthsep.evidence import Inapplicable
from depthsep.laws import Segment, law_from_text
from depthsep.lower_bounds import cell_counts
from depthsep.lower_bounds.box.planes._bends import (
    DEFINITE,
    SADDLE,
    bends_of,
    best_rectangle,
    near_bends,
    tiles,
)
from depthsep.lower_bounds.box.planes._hessians import planes_at_points
from depthsep.lower_bounds.box.planes._plane_cells import PlaneCells
from depthsep.problems import Problem
from depthsep.separation import bound, separate
from depthsep.targets import Formula, target_from_text
from support.slow import in_turn

U = Segment(-1, 1)


def test_corners_gain_what_the_proof_says_for_every_number_of_them() -> None:
    for s in range(3, 2000):
        angle = 2 * pi / s
        assert s / 2 * sin(angle) <= 2 + 0.4 * (s - 4) + 1e-12
        assert 3 * s * sin(angle) / (2 + cos(angle)) <= 6 + 0.2 * (s - 4) + 1e-12


@pytest.mark.parametrize("seed", range(30))
def test_corners_of_the_cells_of_random_layers(seed: int) -> None:
    """At most 4 R + k - 4, counted by cutting polygons one by one."""
    rng = np.random.default_rng(seed)
    cells = [np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])]
    for _ in range(2):
        lines = [(rng.normal(size=2), rng.normal() / 3) for _ in range(4)]
        cells = [part for cell in cells for part in cut_by_units(cell, lines, rng)]
    corners = sum(map(len, cells))
    assert corners <= 4 * len(cells)
    assert sum(ConvexHull(c).volume for c in cells) == pytest.approx(1)


def cut_by_units(cell, lines, rng):
    """Units of a deeper layer read another affine function on every cell."""
    turn = rng.normal(size=(2, 2))
    parts = [cell]
    for normal, offset in lines:
        parts = [p for part in parts for p in halves(part, turn @ normal, offset)]
    return parts


def halves(polygon, normal, offset):
    side = polygon @ normal - offset
    if (side > 0).all() or (side < 0).all():
        return [polygon]
    found = []
    for sign in (1, -1):
        kept = []
        for a, b, s, t in zip(
            polygon, np.roll(polygon, -1, 0), sign * side, sign * np.roll(side, -1),
            strict=True,
        ):  # fmt: skip
            if s > 0:
                kept.append(a)
            if s * t < 0:
                kept.append(a + (b - a) * s / (s - t))
        found.append(np.array(kept))
    return found


LARGEST = {"linf": 8, "l1": 24, "l2": 360**0.5}  # of quadratic saddles
OF_DEFINITE = {"linf": 4 * pi, "l1": 8 * pi, "l2": 48**0.5 * pi}  # of any corners


@pytest.mark.parametrize("norm", ["linf", "l1", "l2"])
@pytest.mark.parametrize("seed", range(25))
def test_a_cell_on_which_a_saddle_is_nearly_affine_is_small(
    norm: str, seed: int
) -> None:
    """Random polygons, the best affine function found by other programs."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(int(rng.integers(3, 9)), 2)) * rng.uniform(0.2, 1, 2)
    inside = rng.dirichlet(np.ones(len(points)) / 3, size=4000) @ points
    hull = ConvexHull(points)
    low, high = points.min(axis=0), points.max(axis=0)
    uniform = rng.uniform(low, high, (20_000, 2))
    uniform = uniform[
        (hull.equations[:, :2] @ uniform.T <= -hull.equations[:, 2:]).all(axis=0)
    ]
    x = np.vstack([points, inside]) if norm == "linf" else uniform
    # Hessian [[a, b], [b, -c]]: its determinant is -(a c + b^2)
    a, b, c = rng.uniform(0, 1, 3)
    f = a * x[:, 0] ** 2 / 2 + b * x[:, 0] * x[:, 1] - c * x[:, 1] ** 2 / 2
    error = least_error(f, x, norm)
    slack = 1.03 if norm == "linf" else 1.05
    assert hull.volume * (a * c + b * b) ** 0.5 <= LARGEST[norm] * error * slack


def test_the_constants_of_quadratic_saddles_are_the_best() -> None:
    """x1 x2 on |x1| + |x2| <= 1, of area 2: 0 is the best affine function."""
    mean, square = 4 / 24 / 2, 4 * 4 / 720 / 2  # of |x1 x2| and of its square
    assert LARGEST["l1"] * mean == pytest.approx(2)
    assert LARGEST["l2"] * square**0.5 == pytest.approx(2)


def least_error(f: np.ndarray, x: np.ndarray, norm: str) -> float:
    """Of all affine functions, over points."""
    rows = np.column_stack([np.ones(len(x)), x])
    if norm == "l2":
        fit = np.linalg.lstsq(rows, f, rcond=None)[0]
        return float(np.sqrt(((f - rows @ fit) ** 2).mean()))
    if norm == "linf":
        ones = np.ones((len(f), 1))
        table = np.vstack([np.hstack([rows, -ones]), np.hstack([-rows, -ones])])
        found = linprog([0, 0, 0, 1], table, np.r_[f, -f], bounds=(None, None))
        return float(found.fun)
    weights = np.ones(len(f))
    for _ in range(60):  # least absolute values, by reweighted squares
        root = np.sqrt(weights)[:, None]
        fit = np.linalg.lstsq(rows * root, f * root[:, 0], rcond=None)[0]
        weights = 1 / np.maximum(np.abs(f - rows @ fit), 1e-9)
    return float(np.abs(f - rows @ fit).mean())


@pytest.mark.parametrize(
    ("formula", "kind"),
    [
        ("x1*x2+x1**3/9", SADDLE),
        ("exp(-x1**2-x2**2)", DEFINITE),
        ("exp(-x1**2-x2**2)", SADDLE),
        ("x1/(3+x2)", SADDLE),
        ("log(4+x1+exp(x2))", SADDLE),
        ("sqrt(1+x1**2+x2**2)", DEFINITE),
    ],
)
def test_bends_are_below_those_at_points_of_the_rectangle(formula, kind) -> None:
    target = Formula(formula, 2)
    box = Problem(target, U).law.box
    (plane,) = planes_at_points(target, box)
    weights = {kind: 1.0}
    part = best_rectangle(plane, weights, 0.5)
    (found,) = [b for b in bends_of(*part.of(plane)) if b.kind == kind]
    low, high = part.of(plane)
    assert near_bends(low, high)[kind] == pytest.approx(
        float(arb(found.least)), rel=1e-9
    )
    rng, step, n = np.random.default_rng(0), 1e-4, plane.cells
    ends = np.array([[part.i0, part.j0], [part.i1, part.j1]]) / n * 2 - 1
    for x in rng.uniform(ends[0] + step, ends[1] - step, (60, 2)):
        moves = step * np.array([[i, j] for i in (-1, 0, 1) for j in (-1, 0, 1)])
        v = target.floats(x + moves).reshape(3, 3)
        a, b = (v[2, 1] - 2 * v[1, 1] + v[0, 1], v[1, 2] - 2 * v[1, 1] + v[1, 0])
        c = (v[2, 2] - v[2, 0] - v[0, 2] + v[0, 0]) / 4
        determinant = (a * b - c * c) / step**4
        sign = 1 if kind == DEFINITE else -1
        assert sign * determinant >= float(arb(found.least)) * 0.99


def test_tiles_fill_the_plane() -> None:
    target = Formula("x1*x2", 2)
    (plane,) = planes_at_points(target, Problem(target, U).law.box)
    parts = tiles(plane, 4, 2)
    assert len(parts) == 8 and sum(p.area(plane) for p in parts) == plane.area


WIDTHS = [
    ("x1*x2", None, "linf", "1e-3", [16, 5, 3]),
    ("x1*x2", None, "l1", "1e-4", [29, 6, 4]),
    ("x1*x2", None, "l2", "1e-4", [32, 7, 4]),
    ("x1*x2*exp(x3)", None, "l1", "1e-4", [35, 7, 4]),
    ("x1**2+x2**2", None, "linf", "1e-2", [7, 3, 2]),
    ("x1**2+x2**2", None, "linf", "1e-3", [22, 5, 3]),
    ("x1**2+x2**2", None, "linf", "1e-4", [71, 10, 5]),
    ("x1**2+x2**2", None, "l1", "1e-3", [13, 4, 3]),
    ("x1**2+x2**2", None, "l2", "1e-3", [14, 4, 3]),
    ("exp(-x1**2-x2**2)", U, "linf", "1e-4", [31, 6, 4]),
    ("x1/(1+x2)", None, "linf", "1e-4", [29, 6, 3]),
    ("sqrt(1+x1**2+x2**2)", U, "linf", "1e-4", [53, 7, 4]),
    ("x1*x2*x3", None, "l2", "1e-4", [22, 5, 3]),
    ("-x1**2-x2**2-x3**2", None, "l1", "1e-3", [13, 4, 3]),
]


@pytest.mark.parametrize(("formula", "on", "norm", "accuracy", "widths"), WIDTHS)
def test_widths_proved(formula, on, norm, accuracy, widths) -> None:
    problem = Problem(f"expr:{formula}", on, norm=norm, accuracy=accuracy)
    for depth, width in enumerate(widths, start=2):
        found = PlaneCells().prove(problem, depth)
        assert isinstance(found, Lower) and found.width >= width
        assert found.units >= found.width + depth - 2


def test_several_tiles_are_worth_it_for_high_accuracies() -> None:
    problem = Problem("expr:sqrt(1+x1**2+x2**2)", U, accuracy="1e-4")
    found = PlaneCells().prove(problem, 2)
    assert isinstance(found, Lower) and "8 x 8 tiles" in found.detail


def test_flat_functions_and_kinks_are_refused() -> None:
    for formula in ("x1+2*x2", "exp(x1+x2)", "abs(x1-x2)"):
        for norm in ("linf", "l1"):
            problem = Problem(f"expr:{formula}", norm=norm, accuracy="1e-3")
            assert isinstance(PlaneCells().prove(problem, 2), Inapplicable)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "norm"),
    [("x1*x2", "linf"), ("x1*x2", "l1"), ("x1*x2", "l2")],
)
def test_tables_keep_their_order(formula: str, norm: str) -> None:
    problem = Problem(f"expr:{formula}", norm=norm, accuracy="1/50")
    for row in separate(problem, depths=(2, 3), lower_bounds=[PlaneCells()]):
        lower = PlaneCells().prove(problem, row.depth)
        if isinstance(lower, Lower):
            assert lower.width <= row.upper.width
            assert lower.units <= row.upper.units


def test_the_statement_is_evaluated() -> None:
    given = {"area": 1, "h": 1, "accuracy": "1e-3"}
    assert bound("plane-cells", **given).value == 16  # 125 cells
    assert bound("plane-cells", **given, kind="definite", norm="l1").value == 9
    assert bound("plane-cells", **given, kind="quadratic saddle", norm="l1").value == 9
    assert bound("plane-cells", **given, kind="quadratic saddle", norm="l2").value == 10
    with pytest.raises(HypothesisError, match="give linf"):
        bound("plane-cells", **given, norm="l3")
    with pytest.raises(HypothesisError, match="definite, saddle, quadratic saddle"):
        bound("plane-cells", **given, kind="flat")


def weighted_error(corners, simplices, f, density, norm):
    """The least mean error of a function that is affine on each triangle: sampled."""
    share = np.array([((i + 1 / 3) / 14, (j + 1 / 3) / 14)
                      for i in range(14) for j in range(14 - i)])  # fmt: skip
    weights = np.column_stack([1 - share.sum(axis=1), share])
    total, mass = 0.0, 0.0
    for chosen in simplices:
        points = weights @ corners[chosen]
        (a, b), (c, d) = corners[chosen][1:] - corners[chosen][0]
        w = density(points) * abs(a * d - b * c) / 2 / len(points)
        matrix = np.column_stack([np.ones(len(points)), points])
        root = np.sqrt(w)[:, None]
        for _ in range(1 if norm == "l2" else 60):  # least sizes by weights
            best = np.linalg.lstsq(matrix * root, f(points) * root[:, 0], rcond=None)[0]
            off = np.abs(f(points) - matrix @ best)
            if norm == "l1":
                root = np.sqrt(w / np.maximum(off, 1e-9))[:, None]
        total += float((w * (off if norm == "l1" else off**2)).sum())
        mass += float(w.sum())
    return (total / mass) ** (1 if norm == "l1" else 0.5)


DENSITIES = {
    "box:beta:2,5;0,1": lambda p: 30 * p[:, 0] * (1 - p[:, 0]) ** 4,
    "box:beta:2,2;beta:2,2": lambda p: 36 * (p * (1 - p)).prod(axis=1),
}
CURVED = ("x1*x2", "x1**2+x2**2+x1", "exp(x1**2+x2**2)")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "formula", "norm"), in_turn(product(DENSITIES, CURVED), ["l1", "l2"])
)
def test_cells_under_a_density(law, formula, norm) -> None:
    """No triangulation has fewer triangles than cells are needed for its error."""
    density = DENSITIES[law]
    rng, f = np.random.default_rng(0), target_from_text(f"expr:{formula}").floats
    square = np.array([(0.0, 0.0), (0, 1), (1, 0), (1, 1)])
    for count in (3, 24):
        inner = rng.beta(1.5, 2, (count, 2))
        corners = np.concatenate([square, inner])
        simplices = Delaunay(corners).simplices
        error = weighted_error(corners, simplices, f, density, norm)
        problem = Problem(f"expr:{formula}", law_from_text(law), norm, error * 1.001)
        whole = [c.cells for c in cell_counts(problem) if c.columns == c.rows == 1]
        assert max(whole, default=1) <= len(simplices)


def test_a_flat_density_says_what_none_says() -> None:
    flat = Problem("expr:x1*x2", law_from_text("box:beta:1,1;0,1"), "l1", "1e-4")
    plain = Problem("expr:x1*x2", norm="l1", accuracy="1e-4")
    bent = Problem("expr:x1*x2", law_from_text("box:beta:2,5;0,1"), "l1", "1e-4")
    widths = [PlaneCells().prove(problem, 2).width for problem in (flat, plain, bent)]
    assert widths[0] == widths[1] > widths[2] >= 9
