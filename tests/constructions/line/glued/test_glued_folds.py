"""Glued folds: cells of equal bend, refined together."""

from itertools import pairwise
from math import prod

import numpy as np
import pytest

from depthsep.claims import Upper
from depthsep.constructions.line.glued._glued_cells import (
    after_plain_cells,
    glued_cells,
)
from depthsep.constructions.line.glued._glued_folds import GluedFolds
from depthsep.constructions.line.glued._glued_network import (
    glued_network,
    glued_widths,
)
from depthsep.laws import Segment
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
    law = None if on is None else Segment(*on)
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
    assert network.widths == glued_widths(cells, bases)
    b = prod(bases)
    tau = np.arange(b + 1) / b
    for left, right, v, w in zip(
        cells.knots, cells.knots[1:], cells.values, cells.values[1:], strict=False
    ):
        x = left + tau * (right - left)
        expected = v + tau * (w - v) - cells.bend / 2 * tau * (1 - tau)
        found = network.floats(x[:, None])[:, 0]
        assert np.allclose(found, sign * expected, atol=1e-6 * cells.bend * n)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("plain", [1, 2, 5])
def test_plain_cells_come_first_and_are_not_bent(plain: int, mirrored: bool) -> None:
    side = -1.0 if mirrored else 1.0
    cells = after_plain_cells(lambda x: x**1.5, 0.0, 1.0, 12, 3, plain, 1e-4)
    assert cells is not None and cells.plain == plain and len(cells.knots) == 13 + plain
    network = glued_network(cells, (3, 2), drop=0.0, mirrored=mirrored)
    assert network.widths == glued_widths(cells, (3, 2)) == (4 + plain, 6, 4, 3)
    tau = np.arange(7) / 6
    pairs = zip(pairwise(cells.knots), pairwise(cells.values), strict=True)
    for k, ((left, right), (v, w)) in enumerate(pairs):
        x = left + tau * (right - left)
        bent = cells.bend / 2 * tau * (1 - tau) if k >= plain else 0.0
        chord = v + tau * (w - v)
        found = network.floats(side * x[:, None])[:, 0]
        assert np.allclose(found, chord - bent, atol=1e-9)
        if k < plain:
            assert chord.max() <= v + w and np.max(chord - x**1.5) <= 1.001e-4


@pytest.mark.parametrize("formula", ["x**1.5", "(1-x)**2.5"])
def test_singular_ends_take_fewer_units_with_plain_cells(formula: str) -> None:
    problem = Problem(f"expr:{formula}", accuracy="1e-6")
    found = best_upper(problem, 5, (GluedFolds(),))
    assert isinstance(found, Upper) and found.checked and found.width <= 16


def test_concave_functions_are_served_in_every_norm() -> None:
    for norm in ("linf", "l1", "l2"):
        problem = Problem("expr:log(1+x)", norm=norm, accuracy="1e-6")
        found = best_upper(problem, 5)
        assert found.checked and found.statement.id == "glued-folds"
