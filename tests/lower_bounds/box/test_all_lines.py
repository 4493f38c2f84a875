"""Theorem F: the oracle, a plain integral over lines, and fitted networks."""

from itertools import product

import numpy as np
import pytest

from depthsep.claims import Lower
from depthsep.evidence import Inapplicable
from depthsep.exact import nearest_float
from depthsep.laws import Box, Segment
from depthsep.lower_bounds import PARTS_OF_LINES, OnAllLines, likely_directions
from depthsep.lower_bounds.box._bundles import bundles
from depthsep.problems import Problem
from depthsep.separation import best_lower, bound, separate
from depthsep.targets import target_from_text
from support.slow import mostly_slow


def test_the_product_needs_eighteen_pieces() -> None:
    problem = Problem("product", Segment(0, 1), "l1", "1e-4")
    found = OnAllLines().prove(problem, 2)
    assert isinstance(found, Lower) and found.pieces == 18
    # along the diagonal the integral is 1 / (32 p^2)
    assert pytest.approx(17.68, abs=0.01) == (1 / (32 * 1e-4)) ** 0.5


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
    rng, step, checked = np.random.default_rng(0), 1e-4, 0
    low = np.array([nearest_float(s.start) for s in box.sides])
    size = np.array([nearest_float(s.length) for s in box.sides])
    made = list(bundles(target.as_formula(), box, direction))
    covered = sum(nearest_float(b.share * b.length) for b in made)
    assert {2: 0.9, 3: 0.6}[len(direction)] < covered <= 1 + 1e-12
    # a bundle's place is not kept: its bends are below the largest of f
    u = rng.uniform(0.01, 0.99, (4000, len(direction)))
    f = [
        target.floats(low + size * (u + k * step * np.array(direction)))
        for k in (-1, 0, 1)
    ]
    seconds = np.abs(f[0] - 2 * f[1] + f[2]) / step**2
    for bundle in made:
        assert len(bundle.bends) == PARTS_OF_LINES and 0 < bundle.length <= 1
        for bend in bundle.bends:
            assert float(bend) <= seconds.max() * 1.05 + 1e-3
            checked += 1
    # in the mean they are not above f's own
    mean = sum(
        nearest_float(b.share * b.length) * np.mean([float(m) for m in b.bends])
        for b in made
    )
    assert checked and mean <= seconds.mean() * 1.05 + 1e-6


def ridge_fit(target, box: Box, units: int, rng: np.random.Generator) -> float:
    """The l2 error of a two-layer ReLU network after some Gauss-Newton steps."""
    low = np.array([nearest_float(s.start) for s in box.sides])
    size = np.array([nearest_float(s.length) for s in box.sides])
    side = (np.arange(24) + 0.5) / 24
    x = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    y = target.floats(low + size * x)
    a, b = rng.normal(size=(units, 2)), rng.normal(size=units)
    best, damping = np.inf, 1e-2
    for _ in range(60):
        read = x @ a.T + b
        features = np.column_stack([np.maximum(read, 0), x, np.ones(len(x))])
        c = np.linalg.lstsq(features, y, rcond=1e-10)[0]
        r = features @ c - y
        error = float(np.sqrt(np.mean(r * r)))
        damping = damping / 3 if error < best else damping * 5
        best = min(best, error)
        on = (read > 0) * c[:units]
        jacobian = np.column_stack([on * x[:, :1], on * x[:, 1:], on])
        normal = jacobian.T @ jacobian
        normal += damping * np.diag(np.diag(normal)) + 1e-9 * np.eye(len(normal))
        step = np.linalg.solve(normal, -jacobian.T @ r)
        a += step[: 2 * units].reshape(2, units).T
        b += step[2 * units :]
    return best


@pytest.mark.parametrize(
    ("text", "accuracy", "norm"),
    [
        ("product", "1e-2", "l2"),
        ("product", "4e-3", "l2"),
        ("expr:x1**2+x2**2", "1e-2", "l2"),
        ("expr:exp(-x1**2-x2**2)", "1e-3", "l2"),
        ("expr:sin(4*x1+2*x2)", "1e-2", "l2"),
        ("expr:x1**3-x1*x2**2", "4e-3", "l2"),
    ],
)
def test_fitted_networks_of_one_unit_less_stay_away(text, accuracy, norm) -> None:
    """20 networks each; the mean over a grid of midpoints is below the true one."""
    problem = Problem(text, norm=norm, accuracy=accuracy)
    lower = best_lower(problem, 2)
    assert isinstance(lower, Lower) and lower.width >= 1
    rng = np.random.default_rng(5)
    if lower.width > 1:
        reached = min(
            ridge_fit(problem.target, problem.law.box, lower.width - 1, rng)
            for _ in range(20)
        )
        assert reached > nearest_float(problem.accuracy) * 0.98


BOXES = ("product", "poly:x1*x2*x3", "expr:exp(-x1**2-x2**2)")


@pytest.mark.parametrize(
    ("text", "norm"),
    mostly_slow([("product", "l1")], product(BOXES, ("l1", "l2"))),
)
def test_every_depth_has_a_bound_below_what_is_built(text: str, norm: str) -> None:
    problem = Problem(text, norm=norm, accuracy="1e-2")
    for row in separate(problem, depths=[2, 3, 4]):
        lower = OnAllLines().prove(problem, row.depth)
        if isinstance(lower, Lower):
            assert lower.width <= row.upper.width
            assert lower.units <= row.upper.units


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
