"""Errors of networks under laws with densities, against numerical integration."""

from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq
from scipy import integrate, stats

from depthsep._errors import HypothesisError
from depthsep.analysis import Examination, examine
from depthsep.exact import nearest_float
from depthsep.laws import law_from_text
from depthsep.networks import Network
from depthsep.problems import Problem

SINE = 1 + (1 - np.cos(9)) / 9
LAWS = [
    ("beta:2,5", stats.beta(2, 5).pdf, 0, 1),
    ("beta:1/2,3/2", stats.beta(0.5, 1.5).pdf, 0, 1),
    ("normal:0,1", stats.norm.pdf, -16, 16),
    ("normal:1,2,-1,3/2", stats.truncnorm(-1, 0.25, loc=1, scale=2).pdf, -1, 1.5),
    ("exponential:3", stats.expon(scale=1 / 3).pdf, 0, 20),
    ("triangular:0,1/4,1", stats.triang(0.25).pdf, 0, 1),
    ("density:1+sin(9*x)", lambda x: (1 + np.sin(9 * x)) / SINE, 0, 1),
]


def random_network(rng: np.random.Generator) -> tuple[Network, list[float]]:
    """Four units, and where they bend."""
    weights, biases = rng.integers(-4, 5, (4, 1)), rng.integers(-3, 4, 4)
    network = Network.from_arrays(weights, biases, rng.integers(-3, 4, (1, 4)), [1])
    pairs = zip(weights[:, 0].tolist(), biases.tolist(), strict=True)
    return network, [-b / w for w, b in pairs if w]


@pytest.mark.parametrize(("law", "density", "start", "stop"), LAWS)
@pytest.mark.parametrize("formula", ["exp(x)", "x**2", "abs(x-1/3)"])
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_errors_are_what_integration_finds(
    law, density, start, stop, formula, norm
) -> None:
    problem = Problem(f"expr:{formula}", law_from_text(law), norm)
    network, bends = random_network(np.random.default_rng(len(law + formula)))
    power = 1 if norm == "l1" else 2

    def part(x: float) -> float:
        off = (
            network.floats(np.array([[x]]))[0, 0]
            - problem.target.floats(np.array([x]))[0]
        )
        return abs(off) ** power * density(x)

    inner = sorted({b for b in [*bends, 1 / 3, 0, 4] if start < b < stop})
    total = sum(
        integrate.quad(part, a, b, limit=300)[0]
        for a, b in pairwise([start, *inner, stop])
    )
    found = examine(network, problem)
    assert isinstance(found, Examination)
    low, high = nearest_float(found.error.lower), nearest_float(found.error.upper)
    assert low * 0.9999 <= total ** (1 / power) <= high * 1.0001
    assert high - low <= 2e-3 * high


def test_on_the_whole_line_linf_is_refused_with_the_remedy() -> None:
    for law in ("normal:0,1", "exponential:2"):
        with pytest.raises(
            HypothesisError, match="has unbounded support, so the linf error would"
        ):
            Problem("expr:exp(x)", law_from_text(law))
    assert Problem("expr:exp(x)", law_from_text("normal:0,1,-3,3")).norm == "linf"


def test_infinite_norms_are_refused() -> None:
    with pytest.raises(HypothesisError, match="finite l2 norm"):
        Problem("expr:exp(x)", law_from_text("exponential:2"), "l2")
    assert Problem("expr:exp(x)", law_from_text("exponential:2"), "l1").accuracy > 0
    with pytest.raises(HypothesisError, match="finite l1 norm"):
        Problem("expr:exp(x**2)", law_from_text("normal:0,1"), "l1")


def test_kinks_far_out_are_counted_in() -> None:
    """A unit that starts beyond the interval of a normal law adds what it adds."""
    late = Network.from_arrays([[1], [1]], [0, -20], [[1, fmpq(10) ** 60]], [0])
    problem = Problem("expr:max(x,0)", law_from_text("normal:0,1"), "l1")
    found = examine(late, problem)
    assert isinstance(found, Examination)
    # E (Z - 20)+ is about phi(20) / 400
    truth = 1e60 * stats.norm.pdf(20) / 400
    assert found.error.upper * 1 >= fmpq(int(truth * 1e30 * 0.9), 10**30)
