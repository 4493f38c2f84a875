"""Crossings of semi-algebraic units, and compositions of triangles."""

import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.analysis import most_crossings, most_crossings_semialgebraic
from depthsep.separation import bound

GRID = np.linspace(-3, 3, 60_001)


def runs(values, level=0.5):
    above = values >= level
    return 1 + int((above[1:] != above[:-1]).sum())


def layer(rng, values, units, bend, degree):
    """Each unit one of two polynomials, told by the sign of a third."""
    found = []
    for _ in range(units):
        parts = []
        for power in (bend, degree, degree):
            forms = rng.normal(size=(power, len(values) + 1))
            columns = forms[:, :-1] @ values + forms[:, -1:]
            parts.append(columns.prod(axis=0))
        found.append(np.where(parts[0] >= 0, parts[1], parts[2]))
    return np.array(found)


@pytest.mark.parametrize("seed", range(40))
def test_no_random_network_crosses_more_often(seed):
    rng = np.random.default_rng(seed)
    bend, degree = rng.integers(1, 4, 2).tolist()
    widths = rng.integers(1, 4, rng.integers(1, 3)).tolist()
    values = GRID[None]
    for units in widths:
        values = layer(rng, values, units, bend, degree)
    most = most_crossings_semialgebraic(widths, predicates=1, bend=bend, degree=degree)
    output = rng.normal(size=len(values)) @ values
    for level in np.quantile(output, [0.2, 0.5, 0.8]):
        assert runs(output, level) <= most


def test_one_condition_of_degree_four_cuts_four_times():
    roots = (GRID + 2) * (GRID + 1) * (GRID - 1) * (GRID - 2)
    gate = np.where(roots >= 0, 1.0, 0.0)  # degree 0 on either side: 1 allows more
    assert runs(gate) == 5
    assert most_crossings_semialgebraic([1], predicates=1, bend=4) == 10


def test_piecewise_polynomial_units_are_a_special_case():
    assert most_crossings_semialgebraic([3, 2], predicates=1) == 24
    for widths, t, degree in (([3, 2], 3, 2), ([4], 2, 3)):
        assert most_crossings(
            widths, pieces=t, degree=degree
        ) == most_crossings_semialgebraic(widths, predicates=t - 1, degree=degree)
    value = bound("crossings-semialgebraic", widths="4,4", predicates=3, degree=2)
    assert value.value == (1 + 12) * (1 + 24) * 5


@pytest.mark.parametrize(
    "wrong", [{"predicates": -1}, {"bend": 0}, {"degree": 0}, {"widths": []}]
)
def test_wrong_degrees_are_refused(wrong):
    given = {"widths": [2], "predicates": 1, **wrong}
    with pytest.raises(HypothesisError):
        most_crossings_semialgebraic(given.pop("widths"), **given)


@pytest.mark.parametrize(("outer", "inner"), [(1, 1), (2, 3), (4, 1)])
def test_smooth_triangles_compose(outer, inner):
    x = np.linspace(0, 1, 200_001)

    def teeth(count, y, power):
        return np.sin(np.pi * count * y) ** (2 * power)

    value = teeth(outer, teeth(inner, x, 2), 1)
    assert bound("triangles", outer=outer, inner=inner).value == 2 * outer * inner
    assert runs(value) == 4 * outer * inner + 1
