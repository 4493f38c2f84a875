"""Weights and factors beyond and below what float64 holds well."""

import time

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep import HypothesisError
from depthsep.analysis import Idle, Lipschitz, Monotone, Range, check, facts
from depthsep.analysis.bounds._backward import bounds_on
from depthsep.analysis.bounds._followed import followed
from depthsep.analysis.bounds._gradients import gradients_on
from depthsep.exact import float_above, rational
from depthsep.interop import query_from_text
from depthsep.laws import Segment
from depthsep.networks import EXP, RELU, SIGMOID, TANH, Affine, Network

BETWEEN = (
    "(declare-const X_0 Real)(declare-const Y_0 Real)"
    "(assert (>= X_0 1))(assert (<= X_0 2))"
)


def chain(weights, activation=RELU, biases=None):
    given = biases or [0.0] * len(weights)
    layers = [
        Affine(np.array([[w]]), np.array([b]))
        for w, b in zip(weights, given, strict=True)
    ]
    return Network(layers, [activation] * (len(layers) - 1))


def of_kind(found, kind):
    return next(fact for fact in found.facts if isinstance(fact, kind))


@pytest.mark.parametrize(
    ("weights", "row"),
    [
        ([1.0, 1.0], "(>= (* 1e400 (- Y_0 1)) 0)"),
        ([1.0, 1e100], "(>= (* 1e-330 Y_0) 1e-250)"),
        ([1.0, 1.0], "(>= Y_0 1e-400)"),
    ],
)
def test_factors_that_no_float_holds(weights, row) -> None:
    text = f"{BETWEEN}(assert {row})"
    assert check(chain(weights), query_from_text(text).cases).answer == "violated"


@pytest.mark.parametrize(
    ("weights", "low", "high"),
    [
        ([1e90, 1e90, 1e90, 1e-150, 1e-150, 1e-23], 1.0, 2.0),
        ([1e90, 1e90], 0.0, 5e-324),
        ([1e-150, 1e-150, 1e-150], 1.0, 2.0),
        ([1e-300, 1e-20, 1e99, 1e99, 1e99], 1.0, 3.0),
    ],
)
def test_products_that_lose_their_digits(weights, low, high) -> None:
    network = chain(weights)
    found = bounds_on(followed(network), np.array([[low]]), np.array([[high]]))
    for x in (low, high):
        (value,) = network([rational(x)])
        assert rational(float(found.low[0, 0])) <= value
        assert value <= rational(float(found.high[0, 0]))


@pytest.mark.parametrize(
    "network",
    [
        chain([1.0, 1.0], SIGMOID, [-400.0, 0.0]),
        chain([1.0, 1.0], SIGMOID, [-800.0, 0.0]),
        chain([1.0, 1.0], EXP, [-800.0, 0.0]),
        chain([1e-200, 1e-200], TANH),
        chain([1e-150, 1e-170], TANH),
    ],
)
def test_slopes_too_small_for_a_float_are_not_0(network) -> None:
    found = facts(network, Segment(0, 1), seconds=4)
    value = of_kind(found, Lipschitz).values["l2"]
    with ctx.workprec(3000):
        rise = network.balls([arb(1)])[0] - network.balls([arb(0)])[0]
        assert arb(value.upper) >= rise > 0
    assert of_kind(found, Monotone).inputs[0] in ("never falls", "not decided")


def test_a_domain_without_a_float() -> None:
    start = fmpq(1, 3)
    stop = start + fmpq(1, 10**30)
    range_ = of_kind(facts(chain([1.0, 1.0], TANH), Segment(start, stop)), Range)
    for end in (range_.least, range_.largest):
        assert start <= end.point[0] <= stop
    with ctx.workprec(300):
        assert arb(range_.largest.value.lower) <= arb(stop).tanh()
        assert arb(range_.largest.value.upper) >= arb(stop).tanh()


@pytest.mark.parametrize("x", [fmpq(1, 10**400), fmpq(13, 10**325), fmpq(10) ** 400])
def test_a_float_above_is_above(x) -> None:
    assert float_above(x) == np.inf or rational(float_above(x)) >= x
    assert rational(min(float_above(-x), 1e308)) >= -x or float_above(-x) == -np.inf
    assert float_above(-x) >= -1.8e308


def test_layers_that_are_constant_leave_an_equal_network() -> None:
    dead = chain([1.0, 1.0], RELU, [-5.0, 0.5])
    assert of_kind(facts(dead), Idle).off == (1,)
    constant = Network(
        [Affine([[0.0], [0.0]], [1.0, 2.0]), Affine([[1.0, 1.0]], [0.0])], [RELU]
    )
    smaller = of_kind(facts(constant), Idle).smaller
    assert smaller is not None and smaller([fmpq(1, 3)]) == (3,)


def test_values_beyond_all_bounds_are_left_out() -> None:
    layers = [[[1e8], [-1e8]], [0, 0], [[1, 0], [0, 1]], [0, 0], [[1.0, -1.0]], [0]]
    network = Network(Network.from_arrays(*layers).layers, [EXP, EXP])
    reasons = facts(network, seconds=2).to_json()["left_out"]
    assert any("slope" in reason for reason in reasons), reasons


@pytest.mark.parametrize("activation", [RELU, TANH], ids=str)
def test_time_is_kept_by_wide_networks(activation) -> None:
    rng = np.random.default_rng(0)
    network = Network(
        [
            Affine(rng.normal(size=(m, n)) / n**0.5, rng.normal(size=m))
            for n, m in ((200, 200), (200, 200), (200, 10))
        ],
        [activation] * 2,
    )
    started = time.monotonic()
    found = facts(network, seconds=1)
    assert time.monotonic() - started < 30  # bounds of one box take a second or two
    assert found.facts


@pytest.mark.parametrize("factor", ["7/5", "24004/10000"])
def test_slopes_of_weights_between_floats_are_not_too_small(factor) -> None:
    """A fraction below the smallest float loses digits absolutely."""
    tiny, big = rational(factor) / fmpq(2) ** 1074, fmpq(10) ** 100
    layers = [Affine([[tiny]], [0]), *[Affine([[big]], [0])] * 3]
    network = Network([*layers[:-1], Affine([[big]], [0])], [RELU] * 3)
    net = followed(network)
    _, most = gradients_on(net, np.array([[0.5]]), np.array([[1.0]]), np.ones(1))
    assert rational(float(most[0, 0])) >= tiny * big**3


def test_networks_beyond_all_bounds_are_refused_beside_others() -> None:
    first = Affine(np.full((3, 2), 1e200), np.zeros(3))
    large, other = (
        Network([first, Affine(np.ones((1, 3)), [b])], [TANH]) for b in (0, 1)
    )
    with pytest.raises(HypothesisError, match="at most 1e"):
        facts(large, against=other, seconds=2)
