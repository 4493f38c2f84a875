"""Writing and checking proofs, beside making the row that they prove."""

import pytest

from depthsep import Problem
from depthsep.separation import separate
from depthsep.witnesses import prove_lower, prove_upper, run_checker
from depthsep.witnesses.lower._prove import _witnesses

PROBLEM = Problem("expr:sin(20*x)", accuracy="1e-3")


@pytest.fixture(scope="module")
def network():
    return separate(PROBLEM, depths=[3])[3].upper.network


def test_baseline_the_row(benchmark):
    """Of a slightly other sine in each round: nothing is known from the one before."""
    rounds = iter(range(1, 4))

    def another():
        problem = Problem(f"expr:sin(20.000{next(rounds)}*x)", accuracy="1e-3")
        return (problem,), {"depths": [3]}

    table = benchmark.pedantic(separate, setup=another, rounds=3)
    assert table[3].lower.width == 12


def test_write_the_lower_side(benchmark):
    def write():
        _witnesses.cache_clear()
        return prove_lower(PROBLEM, 3)

    assert benchmark.pedantic(write, rounds=3).claim["width"] == 12


def test_write_the_upper_side(benchmark, network):
    proof = benchmark.pedantic(prove_upper, (network, PROBLEM), rounds=3)
    assert proof.claim["depth"] == 3


@pytest.mark.parametrize("side", ["lower", "upper"])
def test_check_a_side(benchmark, network, side, tmp_path):
    lower = side == "lower"
    proof = prove_lower(PROBLEM, 3) if lower else prove_upper(network, PROBLEM)
    proof.write(tmp_path / "proof.json")
    assert benchmark.pedantic(run_checker, (tmp_path / "proof.json",), rounds=3).valid
