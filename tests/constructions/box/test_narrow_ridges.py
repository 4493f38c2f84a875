"""Ridges in several variables take the narrow networks of one variable."""

from depthsep.problems import Problem
from depthsep.separation import best_upper


def test_a_gaussian_on_a_square_takes_eighteen_units() -> None:
    problem = Problem("expr:exp(-x1**2-x2**2)", accuracy="1e-2")
    found = best_upper(problem, 3)
    assert found.checked and found.width <= 18


def test_a_cubic_takes_nineteen() -> None:
    found = best_upper(Problem("poly:x1**2*x2 - 3*x2", accuracy="1e-3"), 3)
    assert found.checked and found.width <= 19
