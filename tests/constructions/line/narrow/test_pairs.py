"""Kinks in pairs of layers: exact, and as narrow as the choice of ends allows."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep.constructions.line.narrow._coarse_knots import Kinks, farthest
from depthsep.constructions.line.narrow._pairs import Bends, pairs_network
from depthsep.constructions.line.narrow._stages import (
    Room,
    convex_width,
    layouts,
    narrowest_stages,
)
from depthsep.problems import Problem
from depthsep.separation import best_upper

# sources: the certified examples of the statement, found by an independent prototype
CERTIFIED = [
    ("expr:sin(20*x)", "linf", "1e-3", 3, 18),
    ("expr:sin(20*x)", "linf", "1e-5", 3, 63),
    ("expr:sin(20*x)", "l1", "1e-3", 3, 13),
    ("expr:exp(x)", "linf", "1e-5", 3, 14),
    ("expr:exp(x)", "linf", "1e-7", 3, 45),
    ("expr:sqrt(x)", "linf", "1e-5", 3, 17),
]


@pytest.mark.parametrize(("target", "norm", "accuracy", "depth", "width"), CERTIFIED)
def test_widths_of_the_prototype_are_reached(
    target: str, norm: str, accuracy: str, depth: int, width: int
) -> None:
    found = best_upper(Problem(target, norm=norm, accuracy=accuracy), depth)
    assert found.checked
    assert found.width <= width


def random_bends(kinks: int, seed: int) -> Bends:
    rng = np.random.default_rng(seed)
    gaps = rng.uniform(0.1, 1.0, kinks + 1)
    knots = np.concatenate([[0.0], np.cumsum(gaps)]) - 1.0
    shape = [rng.normal(size=kinks + 2), knots**2, np.sin(3 * knots)][seed % 3]
    return Bends(knots, shape)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 60), st.integers(2, 7), st.integers(0, 10**6))
def test_the_network_is_the_function(kinks: int, layers: int, seed: int) -> None:
    bends = random_bends(kinks, seed)
    stages = narrowest_stages(bends.kinks(), layers)
    network = pairs_network(bends, stages, layers)
    assert network.hidden_layers == layers
    between = np.linspace(bends.knots[0], bends.knots[-1], 997)
    for x in (bends.knots, between):
        expected = np.interp(x, bends.knots, bends.values)
        assert np.allclose(network.floats(x[:, None])[:, 0], expected, atol=1e-8)


def brute_force(upward: list[bool], intervals: int, most: tuple[int, int]) -> int:
    """The farthest end by trying all choices of ends."""
    n, best = len(upward), 0

    def allowed(ends: tuple[int, ...]) -> bool:
        for left, middle, right in zip(
            (0, *ends), ends, (*ends[1:], ends[-1]), strict=False
        ):
            inside = [upward[k - 1] for k in range(left + 1, right) if k != middle]
            if left == right or sum(inside) > most[0]:
                return False
            if len(inside) - sum(inside) > most[1]:
                return False
        return True

    for count in range(1, intervals + 1):
        for ends in combinations(range(1, n + 2), count):
            if ends[-1] > best and allowed(ends):
                best = ends[-1]
    return best


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.booleans(), min_size=1, max_size=9),
    st.integers(1, 4),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_no_choice_of_ends_reaches_farther(
    upward: list[bool], intervals: int, up: int, down: int
) -> None:
    kinks = Kinks(np.array(upward))
    ends = farthest(kinks, 0, intervals, (up, down))
    assert len(ends) <= intervals + 1
    assert ends[-1] == brute_force(upward, intervals, (up, down))


@pytest.mark.parametrize("layers", range(2, 8))
@pytest.mark.parametrize("kinks", [1, 5, 40, 300])
def test_a_convex_function_gets_the_width_of_the_formula(
    kinks: int, layers: int
) -> None:
    stages = narrowest_stages(Kinks(np.ones(kinks, dtype=bool)), layers)
    knots = np.arange(kinks + 2.0)
    network = pairs_network(Bends(knots, knots**2), stages, layers)
    assert network.width <= convex_width(kinks, layers)


def test_two_layers_hold_as_many_kinks_as_counted_by_hand() -> None:
    # 4 intervals, 3 units: (3, 0, 3, 0) kinks inside and 3 between
    assert Room(4, 3).convex_kinks(2) == 9
    assert Room(5, 4).convex_kinks(2) == 16
    assert sorted(layouts(5)) == [(1, 2, 2), (2, 1, 2), (2, 2, 1)]


@pytest.mark.parametrize("kind", ["convex", "mixed", "runs"])
def test_no_function_needs_more_than_the_theorem_says(kind: str) -> None:
    rng = np.random.default_rng(3)
    for n in (10, 100, 700):
        upward = {
            "convex": np.ones(n, dtype=bool),
            "mixed": rng.random(n) < 0.5,
            "runs": np.arange(n) // 7 % 2 == 0,
        }[kind]
        stages = narrowest_stages(Kinks(upward), 2)
        knots = np.arange(n + 2.0)
        slopes = np.cumsum(np.concatenate([[0.0], np.where(upward, 1.0, -1.0)]))
        values = np.concatenate([[0.0], np.cumsum(slopes)])
        width = pairs_network(Bends(knots, values), stages, 2).width
        assert width <= (2 * n) ** 0.5 + 2 if kind == "convex" else 2 * n**0.5 + 3
