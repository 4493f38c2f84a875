"""The sup error region by region, against a fine grid and closed forms."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import Problem, separate
from depthsep.analysis import examine
from depthsep.analysis.box.by_region._region_error import region_error
from depthsep.laws import Box, Segment
from depthsep.targets import target_from_text
from support.nets import balanced_network

BOX = Box.cube(Segment(-1, 1), 2)


def on_a_grid(network, target, points=401):
    g = np.linspace(-1, 1, points)
    x = np.stack(np.meshgrid(g, g), -1).reshape(-1, 2)
    return float(np.abs(network.floats(x)[:, 0] - target.floats(x)).max())


FORMULAS = ["exp(-x1**2-x2**2)", "sin(3*x1)*x2", "sqrt(x1**2+x2**2)", "abs(x1*x2)"]


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("seed", range(2))
def test_the_bar_is_narrow_around_what_a_grid_shows(formula, seed):
    network, target = (
        balanced_network(seed, 2, 16, 16, 1),
        target_from_text(f"expr:{formula}"),
    )
    found = region_error(network, target.as_formula(), BOX, relative=1e-4, seconds=60)
    seen = on_a_grid(network, target)
    assert found is not None and found.upper <= found.lower * fmpq(10002, 10000)
    assert seen - 1e-9 <= float(found.upper.p) / float(found.upper.q)
    assert float(found.lower.p) / float(found.lower.q) <= seen + 0.02


def test_three_inputs_are_cut_into_simplices():
    network = balanced_network(1, 3, 5, 1)
    target = target_from_text("expr:x1*x2*x3+x1", 3)
    box = Box.cube(Segment(0, 1), 3)
    found = region_error(network, target.as_formula(), box, relative=1e-3, seconds=60)
    x = np.random.default_rng(0).uniform(size=(200_000, 3))
    seen = np.abs(network.floats(x)[:, 0] - target.floats(x)).max()
    assert found is not None and float(found.upper.p) / float(found.upper.q) >= seen
    assert found.upper <= found.lower * fmpq(1002, 1000)


def test_too_many_inputs_are_left_to_others():
    target = target_from_text("expr:x1*x2*x3*x4*x5", 5)
    box = Box.cube(Segment(0, 1), 5)
    network = balanced_network(0, 5, 3, 1)
    assert region_error(network, target.as_formula(), box, seconds=1) is None


def test_functions_of_one_linear_form_are_examined_on_a_line():
    for norm in ("linf", "l1", "l2"):
        problem = Problem("expr:exp(x1+x2)", norm=norm, accuracy="0.11")
        (row,) = separate(problem, depths=[2])
        assert row.upper.width <= 3 and row.upper.checked
        assert examine(row.upper.network, problem).error.is_at_most(problem.accuracy)


@pytest.mark.parametrize(
    ("formula", "weights"),
    [
        ("exp(x1+x2)", (1, 1)),
        ("sin(3*x1-x2/2)+(6*x1-x2)**2", (1, fmpq(-1, 6))),
        ("abs(x2)+2", (0, 1)),
        ("exp(x1)*exp(x2)", None),
        ("x1*x2", None),
        ("exp(x1+x2)+x1", None),
        ("exp(pi*x1)", (1, 0)),
    ],
)
def test_one_linear_form_is_seen_in_a_formula(formula, weights):
    found = target_from_text(f"expr:{formula}", 2).as_one_form()
    assert (None if found is None else found.weights) == weights
