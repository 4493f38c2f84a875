"""Theorem F: the oracle, a plain integral over lines, and fitted networks."""

import numpy as np
import pytest

from depthsep.claims import Lower
from depthsep.evidence import Inapplicable
from depthsep.exact import nearest_float
from depthsep.laws import Box, Segment
from depthsep.lower_bounds import OnAllLines, likely_directions
from depthsep.lower_bounds.box.lines._bundles import bundles_of
from depthsep.lower_bounds.box.lines._left import LeftOnLines, Lines, left_on_lines
from depthsep.problems import Problem
from depthsep.separation import bound, separate
from depthsep.targets import target_from_text
from support.pieces import absolute_error, best_knots, midpoints, square_costs
from support.slow import in_turn, mostly_slow

U = Segment(-1, 1)


def test_the_product_needs_eighteen_pieces() -> None:
    problem = Problem("product", Segment(0, 1), "l1", "1e-4")
    found = OnAllLines().prove(problem, 3)
    assert isinstance(found, Lower) and found.pieces == 18
    # along the diagonal the integral is 1 / (32 p^2)
    assert pytest.approx(17.68, abs=0.01) == (1 / (32 * 1e-4)) ** 0.5


WIDTHS = [
    ("x1*x2", None, "l1", (10, 34)),
    ("x1*x2", None, "l2", (12, 40)),
    ("x1/(1+x2)", None, "l2", (7, 22)),
    ("sqrt(1+x1**2+x2**2)", U, "l2", (9, 23)),
    ("x1*x2*x3", None, "l2", (8, 24)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("formula", "on", "norm", "widths"), WIDTHS)
def test_one_layer_bends_upwards_and_downwards(formula, on, norm, widths) -> None:
    for accuracy, width in zip(("1e-3", "1e-4"), widths, strict=True):
        problem = Problem(f"expr:{formula}", on, norm=norm, accuracy=accuracy)
        found = OnAllLines().prove(problem, 2)
        assert isinstance(found, Lower) and found.width >= width


def one_line(second, norm: str, parts: int = 32) -> LeftOnLines:
    """Lines along which f'' is monotone: its least value on every part."""
    ends = second(np.linspace(0, 1, parts + 1))
    bends = np.maximum(np.minimum(ends[1:], ends[:-1]), 0)[None]
    return left_on_lines(Lines(np.ones(1), np.ones(1), bends), norm)


SECONDS = {
    "x^2": (lambda x: x**2, lambda x: 2 + 0 * x),
    "exp(3x)": (lambda x: np.exp(3 * x), lambda x: 9 * np.exp(3 * x)),
    "x^4": (lambda x: x**4, lambda x: 12 * x**2),
    "x^3-x^2": (lambda x: x**3 - x**2, lambda x: 6 * x - 2),
}


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("name", SECONDS)
def test_what_is_left_is_below_the_best_pieces_and_near_them(name, norm) -> None:
    """By a plain dynamic programme; the last function bends upwards on a part only."""
    f, second = SECONDS[name]
    found = one_line(second, norm)
    at = midpoints(f, 0, 1, 240)
    costs = square_costs(at)
    for cuts in range(8):
        best, knots = best_knots(costs, cuts + 1)
        if norm == "l1":
            best = absolute_error(at, knots)
        left = found.after(cuts)
        assert left <= best * (1 + 1e-3)
        if name != "x^3-x^2":
            assert left >= 0.45 * best


def test_gaps_are_cut_for_nothing() -> None:
    """Two runs apart, each a parabola: so much is left on each of them."""
    bends = np.full((1, 32), 2.0)
    bends[0, 12:20] = 0
    found = left_on_lines(Lines(np.ones(1), np.ones(1), bends), "l2")
    one_run = 4 * (12 / 32) ** 5 / 720
    assert found.after(0) == pytest.approx(2 * one_run, rel=1e-6)
    assert found.after(1) <= one_run * (1 + 1 / 16) + 1e-12
    assert found.after(10**6) < 1e-20


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_random_cuts_leave_more(norm: str) -> None:
    """Of lines with random bends, cut at random; f is summed up twice."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        bends = rng.exponential(size=(1, 32)) * (rng.random((1, 32)) > 0.3)
        found = left_on_lines(Lines(np.ones(1), np.ones(1), bends), norm)
        fine = np.repeat(bends[0], 60) / 1920**2
        f = np.cumsum(np.cumsum(fine))
        for cuts in (0, 1, 3, 6):
            ends = np.sort(rng.integers(1, 1919, cuts))
            gaps = np.flatnonzero(np.diff((bends[0] > 0).astype(int))) * 60 + 60
            pieces = np.split(np.arange(1920), np.union1d(ends, gaps))
            total = sum(residual(f[p], norm) for p in pieces if len(p) > 2) / 1920
            assert found.after(cuts) <= total * 1.02 + 1e-12


@pytest.mark.parametrize(("norm", "order"), [("l1", 2), ("l2", 4)])
def test_more_cuts_than_whole_numbers_of_numpy_hold_leave_less(norm: str, order: int):
    found = left_on_lines(Lines(np.ones(1), np.ones(1), np.ones((1, 8))), norm)
    left = [found.after(2**k) * 2.0 ** (k * order) for k in range(12, 60)]
    assert min(left) > 0
    assert max(left) <= 1.01 * min(left)


def residual(values: np.ndarray, norm: str) -> float:
    """The sum of |v - line| or its square, for the best line by squares."""
    x = np.arange(len(values))
    off = values - np.polyval(np.polyfit(x, values, 1), x)
    return float((off**2).sum() if norm == "l2" else np.abs(off).sum())


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("product", (1, -1)),
        ("expr:exp(-x1**2-x2**2)", (0, 1)),
        ("expr:sin(3*x1+x2)*x2", (1, 1)),
        ("poly:x1*x2*x3", (1, 1, -1)),
        ("expr:abs(x1-x2)+x1**2*x3", (1, 0, 0)),
    ],
)
def test_bends_are_below_second_differences(text: str, direction: tuple) -> None:
    target = target_from_text(text)
    box = Box.cube(Segment("-1/2", 1), len(direction))
    rng, step = np.random.default_rng(0), 1e-4
    low = np.array([nearest_float(s.start) for s in box.sides])
    size = np.array([nearest_float(s.length) for s in box.sides])
    made = bundles_of(target, box, direction, 96, 32)
    covered = float(made.shares @ made.lengths)
    assert {2: 0.85, 3: 0.5}[len(direction)] < covered <= 1 + 1e-12
    # a bundle's place is not kept: its bends are among those of f
    u = rng.uniform(0.01, 0.99, (4000, len(direction)))
    f = [
        target.floats(low + size * (u + k * step * np.array(direction)))
        for k in (-1, 0, 1)
    ]
    seconds = (f[0] - 2 * f[1] + f[2]) / step**2
    assert made.low.shape == (len(made.lengths), 32)
    assert (made.lengths > 0).all() and (made.lengths <= 1).all()
    known = np.isfinite(made.low)
    slack = 0.05 * np.abs(seconds).max() + 1e-3
    assert made.low[known].max() <= seconds.max() + slack
    assert made.high[known].min() >= seconds.min() - slack
    # in the mean they are not above f's own
    where = (made.shares * made.lengths)[:, None] / 32 * np.where(known, 1, 0)
    assert (where * np.where(known, made.low, 0)).sum() <= (
        seconds.mean() * where.sum() + slack
    )


BOXES = ("product", "poly:x1*x2*x3", "expr:exp(-x1**2-x2**2)")


@pytest.mark.parametrize(
    ("text", "norm"),
    mostly_slow([("product", "l1")], in_turn(zip(BOXES), ("l1", "l2"))),
)
def test_a_bound_is_below_what_is_built(text: str, norm: str) -> None:
    problem = Problem(text, norm=norm, accuracy="1e-2")
    table = separate(problem, depths=[2, 3], lower_bounds=[OnAllLines()])
    for row in table:
        if isinstance(row.lower, Lower):
            assert row.lower.width <= row.upper.width
            assert row.lower.units <= row.upper.units


def test_what_does_not_bend_is_refused() -> None:
    for text in ("expr:x1+x2", "expr:abs(x1)+abs(x2)"):
        answer = OnAllLines().prove(Problem(text, norm="l1", accuracy="1e-3"), 2)
        assert isinstance(answer, Inapplicable)
    answer = OnAllLines().prove(Problem("product", accuracy="1e-3"), 2)
    assert isinstance(answer, Inapplicable)
    assert bound("all-lines", pieces=36, layers=2).value == 5


def test_diagonals_are_found_for_the_product() -> None:
    found = likely_directions(
        target_from_text("product"), Box.cube(Segment(0, 1), 2), 2
    )
    assert set(found) == {(1, 1), (1, -1)}
