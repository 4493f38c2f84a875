"""Radial functions on the unit ball by one hidden layer: examined and sampled."""

import numpy as np
import pytest

from depthsep.analysis import Examination, examine
from depthsep.claims import Lower, Upper
from depthsep.constructions.symmetric._radial_by_ridges import RadialByRidges
from depthsep.evidence import Inapplicable
from depthsep.laws import law_from_text
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.separation import best_lower, best_upper
from depthsep.targets import Radial


def problem(written: str, law: str, accuracy: str, norm: str = "linf") -> Problem:
    dim = int(law.split(":")[1])
    return Problem(Radial(written, dim), law_from_text(law), norm, accuracy)


@pytest.mark.parametrize(
    ("written", "law", "accuracy"),
    [
        ("cos(5*r)", "ball:3", "1/10"),
        ("exp(-r*r)", "ball:4", "1/50"),
        ("r**4 on 0,3", "ball:2", "1/100"),
        ("cos(6*r)", "radius:2:0,1", "1/10"),
        ("1/(1+r**2)", "shells:3:1/4,1", "1/20"),
    ],
)
def test_what_is_built_is_within_the_accuracy(written, law, accuracy) -> None:
    asked = problem(written, law, accuracy)
    claim = best_upper(asked, 2, (RadialByRidges(),))
    assert isinstance(claim, Upper)
    assert claim.checked
    rng = np.random.default_rng(0)
    x = rng.standard_normal((20_000, asked.target.in_dim))
    x *= (rng.random(20_000) / np.linalg.norm(x, axis=1))[:, None]
    off = np.abs(claim.network.floats(x)[:, 0] - asked.target.floats(x)).max()
    assert off <= float(asked.accuracy.p) / float(asked.accuracy.q)
    lower = best_lower(asked, 2)
    assert not isinstance(lower, Lower) or lower.width <= claim.width


def test_a_changed_weight_shows() -> None:
    asked = problem("cos(5*r)", "ball:3", "1/10")
    network = RadialByRidges().prove(asked, 2).network
    last = network.layers[1].weight.copy()
    last[0, int(np.argmax(np.abs(last)))] *= 3
    found = examine(
        Network([network.layers[0], Affine(last, network.layers[1].bias)]), asked
    )
    if isinstance(found, Examination):
        assert not found.error.is_at_most(asked.accuracy)


@pytest.mark.parametrize("law", ["gaussian:3", "phi2:3", "radius:3:0,2"])
def test_other_laws_are_refused(law: str) -> None:
    asked = problem("cos(5*r)", law, "1/10", "l2")
    assert isinstance(RadialByRidges().prove(asked, 2), Inapplicable)
    inside = problem("cos(5*r)", "ball:3", "1/10")
    network = RadialByRidges().prove(inside, 2).network
    assert isinstance(examine(network, asked), Inapplicable)


def test_high_dimensions_are_known_but_not_built() -> None:
    claim = best_upper(problem("cos(20*r)", "ball:10", "1/10", "l2"), 2)
    assert isinstance(claim, Upper)
    assert claim.width > 3117
    assert not claim.checked
