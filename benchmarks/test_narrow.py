"""Narrow networks: the choice of coarse knots, the network, one step of a search."""

import numpy as np
import pytest

from depthsep.constructions.line.narrow._coarse_knots import Kinks
from depthsep.constructions.line.narrow._pairs import Bends, pairs_network
from depthsep.constructions.line.narrow._stages import narrowest_stages
from depthsep.constructions.line.search._fit import fitted
from depthsep.constructions.line.search._networks import in_units, scaled
from depthsep.problems import Problem
from depthsep.separation import best_upper

KINKS = 2000


@pytest.mark.parametrize("kind", ["convex", "mixed", "runs"])
def test_ends_of_2000_kinks(benchmark, kind):
    upward = {
        "convex": np.ones(KINKS, dtype=bool),
        "mixed": np.random.default_rng(0).random(KINKS) < 0.5,
        "runs": np.arange(KINKS) // 50 % 2 == 0,
    }[kind]
    benchmark(narrowest_stages, Kinks(upward), 2)


def test_the_network_of_2000_kinks(benchmark):
    x = np.linspace(0, 1, KINKS + 2)
    bends = Bends(x, np.sin(20 * x))
    stages = narrowest_stages(bends.kinks(), 2)
    benchmark(pairs_network, bends, stages, 2)


def test_a_row_without_a_search(benchmark):
    problems = iter(
        Problem("expr:sin(20*x)", accuracy=f"{9 + i}/10000") for i in range(99)
    )
    benchmark.pedantic(lambda: best_upper(next(problems), 4), rounds=5)


def test_ten_fits_of_a_search(benchmark):
    problem = Problem("expr:tanh(5*x)", accuracy="1e-3")
    sampled = scaled(problem)
    weights = in_units(best_upper(problem, 4).network, problem)
    benchmark(fitted, sampled, weights.moved(1e-3 * weights.vector), 6.0, 10)
