"""What does a table cost, and what does splitting save over enumeration?"""

import pytest

from depthsep.analysis import examine
from depthsep.analysis.line._examine import examine_enumerated, examine_split
from depthsep.claims import Upper
from depthsep.constructions import QuadraticByFolds
from depthsep.problems import Problem
from depthsep.separation import separate

SQUARE = Problem("square", accuracy="1e-8")


def network():
    upper = QuadraticByFolds().prove(SQUARE, 5)
    assert isinstance(upper, Upper)
    return upper.network


def test_examine_by_splitting(benchmark):
    net = network()
    assert benchmark(examine_split, net, SQUARE) == examine(net, SQUARE)


def test_baseline_examine_by_enumeration(benchmark):
    net = network()
    found = benchmark.pedantic(examine_enumerated, (net, SQUARE), rounds=3)
    assert found.error == examine_split(net, SQUARE).error


@pytest.mark.parametrize(
    "problem",
    [
        Problem("square", accuracy="1e-6"),
        Problem("sawtooth:60", norm="l1", accuracy="0.05"),
        Problem("expr:exp(x)", accuracy="1e-5"),
    ],
    ids=str,
)
def test_a_table(benchmark, problem):
    table = benchmark.pedantic(separate, (problem,), rounds=3)
    assert len(table) == 7
