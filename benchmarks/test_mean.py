"""Lower bounds in l1 and l2: against the upper side of the same row."""

import pytest

from depthsep.approximation import pieces_in_mean
from depthsep.approximation.mean._cheapest import cheapest
from depthsep.problems import Problem
from depthsep.separation import best_upper


def problem_of(norm: str, number: int = 0) -> Problem:
    return Problem("expr:sin(20*x)", norm=norm, accuracy=f"{1000 + number}/1000000")


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_counting_eighty_pieces(benchmark, norm):
    problem = problem_of(norm)
    found = benchmark.pedantic(
        lambda: pieces_in_mean(
            problem.line_target, problem.interval, problem.accuracy, norm
        ),
        rounds=3,
    )
    assert found.fewest >= 80


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_the_certified_network_of_the_same_row(benchmark, norm):
    problems = iter(problem_of(norm, number) for number in range(9))
    found = benchmark.pedantic(lambda: best_upper(next(problems), 2), rounds=3)
    assert found.checked


@pytest.mark.parametrize("together", [True, False])
def test_paths_at_forty_prices(benchmark, together):
    problem = problem_of("l1")
    pieces = pieces_in_mean(
        problem.line_target, problem.interval, problem.accuracy, "l1"
    )
    prices = [pieces.price * k // 20 for k in range(1, 41)]
    batches = [prices] if together else [[price] for price in prices]
    found = benchmark.pedantic(
        lambda: [path for batch in batches for path in cheapest(pieces.band, batch)],
        rounds=3,
    )
    assert max(path.bound for path in found) > 79
