"""Narrow networks: the choice of coarse knots, the network, one step of a search."""

import numpy as np
import pytest
from scipy.optimize import linprog

from depthsep.approximation import ClosedTunnels, tunnel_links
from depthsep.claims import SearchPlan
from depthsep.constructions import CONSTRUCTIONS
from depthsep.constructions.line.narrow._coarse_knots import Kinks
from depthsep.constructions.line.narrow._pairs import Bends, pairs_network
from depthsep.constructions.line.narrow._stages import narrowest_stages
from depthsep.constructions.line.search._samples import Sampled
from depthsep.constructions.search._chebyshev_step import chebyshev_step
from depthsep.constructions.search._fit import fitted
from depthsep.constructions.search._heats import size
from depthsep.constructions.search._units import Units
from depthsep.problems import Problem
from depthsep.separation import best_lower, best_upper
from depthsep.separation._upper import with_search

KINKS = 2000


@pytest.mark.parametrize("kind", ["convex", "mixed", "runs"])
def test_ends_of_2000_kinks(benchmark, kind):
    upward = {
        "convex": np.ones(KINKS, dtype=bool),
        "mixed": np.random.default_rng(0).random(KINKS) < 0.5,
        "runs": np.arange(KINKS) // 50 % 2 == 0,
    }[kind]
    stages = benchmark(narrowest_stages, Kinks(upward), 2)
    assert [s.ends[0] for s in stages[1:]] == [s.ends[-1] for s in stages[:-1]]


def test_the_network_of_2000_kinks(benchmark):
    x = np.linspace(0, 1, KINKS + 2)
    bends = Bends(x, np.sin(20 * x))
    stages = narrowest_stages(bends.kinks(), 2)
    network = benchmark(pairs_network, bends, stages, 2)
    assert np.allclose(network.floats(x[:, None])[:, 0], np.sin(20 * x), atol=1e-9)


def test_a_row_without_a_search(benchmark):
    problems = iter(
        Problem("expr:sin(20*x)", accuracy=f"{9 + i}/10000") for i in range(99)
    )
    found = benchmark.pedantic(lambda: best_upper(next(problems), 4), rounds=5)
    assert found.checked and found.width <= 8


def test_ten_fits_of_a_search(benchmark):
    problem = Problem("expr:tanh(5*x)", accuracy="1e-3")
    units = Units.of(problem)
    sampled = Sampled.of(units.target_of(problem), problem.norm)
    weights = units.inside(best_upper(problem, 4).network)
    start = weights.moved(1e-3 * weights.vector)
    found = benchmark(fitted, sampled, start, 6.0, 10)
    assert size(sampled, found) < size(sampled, start)


def a_tunnel(count=4000):
    x = np.linspace(0, 1, count)
    values = np.sin(20 * x) + x
    return x.tolist(), (values - 1e-3).tolist(), (values + 1e-3).tolist()


PLACES = range(0, 4000, 80)


def test_links_of_tunnels_closed_at_fifty_places(benchmark):
    x, floor, ceiling = a_tunnel()

    def counts():
        tunnels = ClosedTunnels(x, floor, ceiling)
        return [tunnels.links(at, floor[at]) for at in PLACES]

    assert min(benchmark(counts)) > 100


def test_links_of_tunnels_closed_at_fifty_places_by_whole_sweeps(benchmark):
    x, floor, ceiling = a_tunnel()

    def counts():
        found = []
        for at in PLACES:
            low, high = floor.copy(), ceiling.copy()
            low[at : at + 2] = high[at : at + 2] = [floor[at]] * 2
            found.append(len(tunnel_links(x, low, high, continuous=True)))
        return found

    tunnels = ClosedTunnels(x, floor, ceiling)
    found = benchmark.pedantic(counts, rounds=3)
    assert found == [tunnels.links(at, floor[at]) for at in PLACES]


def a_step(unknowns=120, rows=220):
    rng = np.random.default_rng(0)
    return rng.normal(size=(rows, unknowns)), rng.uniform(-1, 1, rows), 0.1


def test_a_minimax_step(benchmark):
    assert benchmark(chebyshev_step, *a_step()) is not None


def test_a_minimax_step_by_a_general_solver(benchmark):
    a, r, box = a_step()
    ones = np.ones((len(a), 1))
    rows = np.vstack([np.hstack([a, -ones]), np.hstack([-a, -ones])])
    bounds = [(-box, box)] * a.shape[1] + [(0, None)]
    cost = np.append(np.zeros(a.shape[1]), 1.0)
    right = np.concatenate([-r, r])
    found = benchmark(
        linprog, cost, A_ub=rows, b_ub=right, bounds=bounds, method="highs-ds"
    )
    own = chebyshev_step(a, r, box)
    assert own is not None and own[1] == pytest.approx(found.fun, rel=1e-3)


def test_a_row_of_a_box_with_a_search(benchmark):
    """About 4 instead of the 16 units without a search."""
    problem = Problem("expr:exp(-x1**2-x2**2)", accuracy="1e-2")
    makers = with_search(CONSTRUCTIONS, SearchPlan(3.0), best_lower(problem, 3))
    found = benchmark.pedantic(best_upper, (problem, 3, makers), rounds=1)
    assert found.checked and found.width <= 18
