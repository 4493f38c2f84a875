"""What initialisations draw."""

import numpy as np
import pytest

from depthsep import HypothesisError, TooLargeError
from depthsep.near_init import draw, network_value
from depthsep.near_init.networks._initialisations import INITIALISATIONS

pytestmark = pytest.mark.usefixtures("x64")


@pytest.mark.parametrize("law", INITIALISATIONS, ids=str)
def test_initialisations_draw_what_they_say(law):
    inner, outer = draw(law.name, (5, 4000, 1), 0)
    assert inner.weight.shape == (4000, 5) and outer.weight.shape == (1, 4000)
    variance = {"scaled": 1 / 5, "pytorch": 1 / 15, "he": 2 / 5}.get(law.name, 1.0)
    assert inner.weight.var() == pytest.approx(variance, rel=0.05)
    assert abs(inner.weight.mean()) < 5 * (variance / 20_000) ** 0.5
    if law.name in ("signs", "symmetrised"):
        assert set(np.unique(outer.weight)) == {-1.0, 1.0}
    if law.name == "scaled":
        assert np.abs(outer.weight) == pytest.approx(4000**-0.5)
    assert law.limits and all(law.limits)
    again = draw(law.name, (5, 4000, 1), 0)
    assert (again[0].weight == inner.weight).all()
    assert (draw(law.name, (5, 4000, 1), 1)[0].weight != inner.weight).any()


def test_symmetrised_networks_start_at_zero():
    inner, outer = draw("symmetrised", (3, 50, 1), 4)
    x = np.random.default_rng(0).standard_normal((20, 3))
    assert np.abs(network_value(outer.weight[0], inner.weight, x)).max() < 1e-12


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (("nonsense", (2, 3, 1)), HypothesisError, "one of signs"),
        (("signs", (2,)), HypothesisError, "give the number of inputs"),
        (("signs", (2, 0, 1)), HypothesisError, "a size is 0; give a whole number"),
        (("symmetrised", (2, 3, 1)), HypothesisError, "even width"),
        (("symmetrised", (2, 4, 4, 1)), HypothesisError, "need one hidden layer"),
        (("signs", (10**5, 10**5, 1)), TooLargeError, "at most 2"),
    ],
)
def test_draws_that_make_no_sense_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        draw(*call, seed=0)
