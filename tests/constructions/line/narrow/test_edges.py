"""Ends of domains, singular ends and many kinks, where constructions once failed."""

import pytest

from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.separation import best_upper


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "on", "norm", "accuracy"),
    [
        ("expr:asin(5*x)**2", ("-1/5", "1/5"), "linf", "1e-2"),
        ("expr:sqrt(10*x*(1-10*x))", (0, "1/10"), "l1", "1e-2"),
        ("expr:acos(10*x)**2+acos(-10*x)**2", ("-1/10", "1/10"), "l2", "1e-1"),
    ],
)
def test_mirrors_keep_to_the_domain(target, on, norm, accuracy) -> None:
    problem = Problem(target, Segment(*on), norm=norm, accuracy=accuracy)
    assert best_upper(problem, 3).checked


@pytest.mark.parametrize(
    ("folds", "depth", "width", "units"), [(8, 6, 4, 16), (15, 3, 256, 384)]
)
def test_sawtooths_take_no_unit_too_many(
    folds: int, depth: int, width: int, units: int
) -> None:
    norm = "linf" if folds == 8 else "l1"
    found = best_upper(Problem(f"sawtooth:{folds}", norm=norm, accuracy="1/20"), depth)
    assert found.checked and (found.width, found.units) == (width, units)
