"""Glued folds: cells of equal bend, refined together."""

from math import prod

import numpy as np
import pytest

from depthsep.constructions.line.narrow._glued_cells import glued_cells
from depthsep.constructions.line.narrow._glued_network import (
    glued_network,
    glued_widths,
)
from depthsep.laws import Uniform
from depthsep.problems import Problem
from depthsep.separation import best_upper

CERTIFIED = [
    ("expr:exp(x)", None, "1e-5", 4, 8),
    ("expr:exp(x)", None, "1e-5", 5, 6),
    ("expr:exp(x)", None, "1e-5", 6, 6),
    ("expr:exp(x)", None, "1e-7", 4, 16),
    ("expr:log(x)", ("1/100", 1), "1e-5", 4, 13),
    ("expr:sqrt(x)", ("1/100", 1), "1e-5", 5, 8),
]
CONVEX = {
    "exp": (np.exp, -1.0, 2.0),
    "-log": (lambda x: -np.log(x), 0.01, 1.0),
    "x^4": (lambda x: x**4, 0.0, 1.0),
    "-sqrt": (lambda x: -np.sqrt(x), 0.0, 1.0),
}


@pytest.mark.parametrize(("target", "on", "accuracy", "depth", "width"), CERTIFIED)
def test_widths_of_the_prototype_are_reached(
    target: str, on: tuple | None, accuracy: str, depth: int, width: int
) -> None:
    law = None if on is None else Uniform(*on)
    found = best_upper(Problem(target, law, accuracy=accuracy), depth)
    assert found.checked and found.width <= width


@pytest.mark.parametrize("name", CONVEX)
@pytest.mark.parametrize(("n", "group"), [(2, 1), (7, 3), (24, 4), (60, 7)])
def test_the_knots_obey_the_equations(name: str, n: int, group: int) -> None:
    f, start, stop = CONVEX[name]
    cells = glued_cells(f, start, stop, n, group)
    assert cells is not None
    z, h = cells.knots, np.diff(cells.knots)
    assert (z[0], z[-1]) == (start, stop)
    slopes = np.diff(f(z)) / h
    right = cells.bend / 2 * (1 / h[:-1] + 1 / h[1:])
    inside = np.arange(1, n) % group != 0
    assert np.allclose(np.diff(slopes)[inside], right[inside], rtol=1e-4)


@pytest.mark.parametrize("bases", [(), (1,), (3,), (2, 5), (4, 3, 2)])
@pytest.mark.parametrize(("n", "group"), [(2, 1), (7, 3), (24, 4), (60, 7)])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_network_bends_every_cell(
    bases: tuple, n: int, group: int, sign: float
) -> None:
    cells = glued_cells(np.exp, -1.0, 2.0, n, group)
    assert cells is not None
    network = glued_network(cells, bases, sign=sign, drop=0.0)
    assert network.widths == glued_widths(n, group, bases)
    b = prod(bases)
    tau = np.arange(b + 1) / b
    for left, right, v, w in zip(
        cells.knots, cells.knots[1:], cells.values, cells.values[1:], strict=False
    ):
        x = left + tau * (right - left)
        expected = v + tau * (w - v) - cells.bend / 2 * tau * (1 - tau)
        found = network.floats(x[:, None])[:, 0]
        assert np.allclose(found, sign * expected, atol=1e-6 * cells.bend * n)


def test_concave_functions_are_served_in_every_norm() -> None:
    for norm in ("linf", "l1", "l2"):
        problem = Problem("expr:log(1+x)", norm=norm, accuracy="1e-6")
        found = best_upper(problem, 5)
        assert found.checked and found.statement.id == "glued-folds"
