"""Few pieces in every norm, and errors that do not depend on units."""

from functools import cache

import numpy as np
import pytest

from depthsep.constructions.line._interpolate import Interpolant, interpolant
from depthsep.exact import nearest_float
from depthsep.laws import Segment
from depthsep.problems import NORMS, Problem
from depthsep.separation import best_upper
from support.slow import in_turn, mostly_slow

KINKED = [
    ("expr:-1*(min(abs(sin(8.03*x)-0.531),1/2))", "0.0206"),
    ("expr:abs(x-0.334)+0.508*exp(-abs(x-1/2)*2.58)*cos(5.19*x)", "0.00172"),
]


def pieces(target: str, norm: str, accuracy: str) -> int:
    problem = Problem(target, norm=norm, accuracy=accuracy)
    found = interpolant(problem)
    assert isinstance(found, Interpolant)
    x = np.linspace(0, 1, 100_001)
    off = np.interp(x, found.knots, found.values) - problem.target.floats(x)
    mean = {
        "linf": np.abs(off).max(),
        "l1": np.abs(off).mean(),
        "l2": np.sqrt(np.mean(off**2)),
    }
    assert mean[norm] <= nearest_float(problem.accuracy)
    return found.pieces


@pytest.mark.slow
@pytest.mark.parametrize(("target", "accuracy"), KINKED)
def test_kinks_take_no_more_pieces_in_a_weaker_norm(target: str, accuracy: str) -> None:
    most = pieces(target, "linf", accuracy)
    assert pieces(target, "l2", accuracy) <= most
    assert pieces(target, "l1", accuracy) <= most


@cache
def width_in_units(length: str, size: str, norm: str, depth: int) -> int:
    """Of the network for a sine, `length` times as long and `size` times as high."""
    problem = Problem(
        f"expr:{size}*sin(10*x/{length})",
        Segment(0, length),
        norm=norm,
        accuracy=str(0.1 * float(size)),
    )
    found = best_upper(problem, depth)
    assert found.checked
    assert found.error >= problem.accuracy / 4
    return found.width


CHANGES = [("1e-6", "1e6"), ("1e6", "1e-6")]
MORE_CHANGES = [("1", "1e-6"), ("1", "1e6"), ("1e-6", "1"), ("1e6", "1")]
FEW = in_turn([(*change, n) for n in (2, 3, 4) for change in CHANGES], NORMS[::-1])
MORE = in_turn(in_turn(MORE_CHANGES, (2, 3)), ("linf", "l1", "l2", "l2"))
UNITS = mostly_slow(FEW, FEW + MORE)


@pytest.mark.slow
@pytest.mark.parametrize(("length", "size", "depth", "norm"), UNITS)
def test_neither_the_unit_of_x_nor_that_of_f_changes_a_width(
    norm, depth, length, size
) -> None:
    plain = width_in_units("1", "1", norm, depth)
    assert width_in_units(length, size, norm, depth) == plain


def test_a_degree_too_high_for_the_depth_is_refused_before_it_is_proved() -> None:
    problem = Problem("expr:abs(sin(10*x)-1/3)", accuracy="1/10")
    asked: list[tuple[str, str]] = []
    best_upper(problem, 3, asked=asked)
    assert "at least 6 hidden layers" in dict(asked)["chebyshev-squares"]
