"""Kinds of units, classes of networks, and problems that ask about them."""

import pytest
from flint import fmpq

from depthsep import HypothesisError, Problem
from depthsep.networks import ABS, HARDTANH, RELU, THRESHOLD, leaky_relu
from depthsep.problems import (
    ANY_RELU,
    ANY_UNITS,
    PLAIN_RELU,
    RELU_UNITS,
    NetworkClass,
    networks_from_text,
    problem_from_text,
    units_from_text,
)

NAMES = ["relu", "leaky:1/10", "abs", "hardtanh", "relu6", "threshold"]
WIDER = ["piecewise:4", "maxout:3", "polynomial:3,2", "any"]


@pytest.mark.parametrize("name", NAMES + WIDER)
def test_names_are_read_back(name):
    units = units_from_text(name)
    assert units.name == name and units_from_text(f" {name.upper()} ") == units
    assert hash(units) == hash(units_from_text(name)) and units.includes(units)
    assert ANY_UNITS.includes(units) is units.reads_one
    assert str(units) in units.network


@pytest.mark.parametrize(
    ("name", "kinks"),
    [("relu", 1), ("hardtanh", 2), ("piecewise:4", 3), ("maxout:3", 2), ("any", None)],
)
def test_a_unit_is_worth_so_many_relus(name, kinks):
    assert units_from_text(name).kinks == kinks


def test_some_kinds_include_others():
    three, two = units_from_text("piecewise:3"), units_from_text("piecewise:2")
    for name in ("relu", "leaky:1/2", "abs", "hardtanh", "relu6", "piecewise:2"):
        assert three.includes(units_from_text(name))
    assert not two.includes(units_from_text("hardtanh"))
    for name in ("threshold", "maxout:2", "polynomial:2,2", "any"):
        assert not three.includes(units_from_text(name))
    assert not RELU_UNITS.includes(two)
    assert units_from_text("leaky:0") == RELU_UNITS
    assert units_from_text("polynomial:3,1") == three


def test_layers_of_a_kind():
    assert units_from_text("leaky:1/10").admits(leaky_relu("0.1"))
    assert not units_from_text("leaky:1/10").admits(leaky_relu("0.2"))
    assert units_from_text("piecewise:3").admits(HARDTANH)
    assert not units_from_text("piecewise:2").admits(HARDTANH)
    assert not units_from_text("piecewise:2").admits(THRESHOLD)
    assert units_from_text("maxout:2").admits(RELU)
    assert not units_from_text("maxout:2").admits(ABS)
    assert ANY_UNITS.admits(THRESHOLD)


@pytest.mark.parametrize(
    "name", ["tanh", "leaky", "leaky:x", "leaky:2", "relu:1", "maxout:1", "piecewise:"]
)
def test_unknown_kinds_are_refused(name):
    with pytest.raises(HypothesisError, match=r"units|slope|number"):
        units_from_text(name)


def test_classes_include_those_of_fewer_networks():
    leaky = units_from_text("leaky:1/10")
    assert ANY_RELU.includes(PLAIN_RELU) and not PLAIN_RELU.includes(ANY_RELU)
    assert NetworkClass(units=ANY_UNITS).includes(ANY_RELU)
    assert not ANY_RELU.includes(NetworkClass(units=leaky))
    assert networks_from_text("leaky:1/10", "any") == NetworkClass(units=leaky)
    with pytest.raises(HypothesisError, match="none or any"):
        networks_from_text(None, "some")


def test_problems_ask_about_a_class():
    plain = Problem("square")
    assert plain.networks == PLAIN_RELU and "activation" not in plain.to_json()
    asked = problem_from_text(
        "square", None, "linf", "1e-3", activation="leaky:1/10", skips="any"
    )
    assert asked != plain and "leaky ReLUs of slope 0.1" in str(asked)
    document = asked.to_json()
    assert (document["activation"], document["skips"]) == ("leaky:1/10", "any")
    assert Problem.from_json(document) == asked
    bounded = Problem("square", weight_bound=2)
    assert bounded.weight_bound == bounded.networks.weight_bound == fmpq(2)
    assert Problem.from_json(bounded.to_json()) == bounded
