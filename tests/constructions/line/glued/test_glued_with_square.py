"""Glued folds past inflections: a square is added and taken away."""

from math import prod

import numpy as np
import pytest

from depthsep.constructions.line.glued._glued_with_square import (
    GluedFoldsWithSquare,
    bases_beside,
)
from depthsep.evidence import Inapplicable
from depthsep.exact import nearest_float
from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.separation import best_upper
from support.slow import mostly_slow

ALONE = (GluedFoldsWithSquare(),)


@pytest.mark.parametrize(("depth", "width"), mostly_slow([(6, 19)], [(4, 29), (6, 19)]))
def test_it_is_narrower_than_pairs_of_layers(depth: int, width: int) -> None:
    problem = Problem("expr:sin(x)+cos(3*x)", Segment(0, 3), accuracy="1e-5")
    found = best_upper(problem, depth)
    assert found.checked and found.width <= width
    assert found.statement.id == "glued-folds-with-square"


WAVES = [
    ("expr:sin(4*x)", (0, 2), "1e-4"),
    ("expr:-tanh(5*x)", (-1, 1), "1e-4"),
    ("expr:1e-6*sin(x/250)", (-1000, 500), "1e-10"),
    ("expr:1e6*(x**3-x)", ("-1/2", "3/2"), "20"),
    ("expr:exp(-x**2)", (-1, 3), "1e-3"),
]
NORMS, DEPTHS = ("linf", "l1", "l2"), (4, 6, 7)
# functions in norms that take turns, at depths that do, too
TURNS = [
    (*wave, norm, DEPTHS[(k + n) % 3])
    for k, wave in enumerate(WAVES)
    for n, norm in enumerate(NORMS)
    if (k + n) % 2
]


@pytest.mark.slow
@pytest.mark.parametrize(("target", "on", "accuracy", "norm", "depth"), TURNS)
def test_what_it_builds_is_confirmed(target, on, accuracy, norm, depth) -> None:
    problem = Problem(target, Segment(*on), norm=norm, accuracy=accuracy)
    found = best_upper(problem, depth, ALONE)
    assert not isinstance(found, Inapplicable), found.reason
    assert found.checked and found.network.widths == found.widths
    a, b = float(Segment(*on).start), float(Segment(*on).stop)
    x = np.linspace(a, b, 40_001)
    off = np.abs(found.network.floats(x[:, None])[:, 0] - problem.target.floats(x))
    mean = {"linf": off.max(), "l1": off.mean(), "l2": np.sqrt(np.mean(off**2))}
    # means over points at equal distances are off by about their number's inverse
    assert mean[norm] <= nearest_float(found.error) * (1 + 1e-3)


@pytest.mark.parametrize(
    "target", ["expr:exp(x)", "expr:x**2", "expr:x/3", "expr:sqrt(x)"]
)
def test_convex_and_concave_functions_are_left_to_others(target: str) -> None:
    answer = ALONE[0].prove(Problem(target, accuracy="1e-3"), 5)
    assert isinstance(answer, Inapplicable) and answer.off_topic


def test_careful_forms_are_those_of_glued_folds() -> None:
    careful, glued = ALONE[0].more_careful(), ALONE[0].glued.more_careful()
    while glued is not None:
        assert careful is not None and careful.glued == glued
        careful, glued = careful.more_careful(), glued.more_careful()
    assert careful is None


@pytest.mark.parametrize("widths", [(5, 5, 4), (9, 2, 2, 7), (3, 3, 3, 3, 3)])
@pytest.mark.parametrize("pieces", [1, 2, 7, 100, 12345])
def test_bases_leave_nothing_to_fold_after_a_one(widths: tuple, pieces: int) -> None:
    bases = bases_beside(widths, pieces)
    assert len(bases) == len(widths) and prod(bases) >= pieces
    ones = [b == 1 for b in bases]
    assert ones == sorted(ones)
    smaller = [prod(bases) // b * (b - 1) for b in bases if b > 2]
    assert all(p < pieces for p in smaller)


def test_very_many_inflections_are_refused_soon():
    problem = Problem("expr:sin(pi*8000*x)", Segment(-1, 1), accuracy="1/100")
    assert isinstance(GluedFoldsWithSquare().prove(problem, 5), Inapplicable)
