"""Facts against brute force over enumerated regions, and against dense samples."""

import json
from itertools import pairwise

import numpy as np
import pytest
from flint import arb, fmpq

from depthsep import CertificationError, HypothesisError
from depthsep.analysis import facts
from depthsep.analysis.facts._between import Between
from depthsep.analysis.facts._distance import Distance
from depthsep.analysis.facts._lipschitz import Lipschitz
from depthsep.analysis.facts._monotone import Monotone
from depthsep.analysis.facts._ranges import Range
from depthsep.analysis.facts._shape import Shape
from depthsep.analysis.facts._subject import Subject
from depthsep.analysis.facts._units import Idle, idle
from depthsep.analysis.facts._zeros import Constant, Zeros
from depthsep.evidence import Rigour
from depthsep.laws import Box, Segment
from depthsep.networks import (
    ABS,
    GELU,
    RELU,
    SIN,
    TANH,
    THRESHOLD,
    Affine,
    Network,
    compose,
)
from support.nets import balanced_network
from support.slow import mostly_slow

ORDERS = {"l1": np.inf, "l2": 2, "linf": 1}  # of the gradient


def of_kind(found, kind):
    return [fact for fact in found.facts if isinstance(fact, kind)]


def number(value):
    return float(arb(value))


def drawn(seed, widths, activation=RELU):
    rng = np.random.default_rng(seed)
    layers = [
        Affine(
            rng.integers(-8, 9, (m, n)).astype(float),
            rng.integers(-8, 9, m).astype(float),
        )
        for n, m in pairwise(widths)
    ]
    return Network(layers, [activation] * (len(layers) - 1))


def dense(dim, count=50_000, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, (count, dim))


def steepest(network, norm, points):
    """The largest dual norm of difference quotients that samples show."""
    step = 1e-6
    rises = [
        (network.floats(points + step * e) - network.floats(points - step * e))[:, 0]
        for e in np.eye(network.in_dim)
    ]
    slopes = np.stack(rises, 1) / (2 * step)
    return np.linalg.norm(slopes, ORDERS[norm], axis=1).max()


CASES = [
    (seed, widths, activation)
    for widths in ([1, 6, 5, 1], [2, 5, 4, 1], [3, 5, 4, 1], [4, 4, 3, 1])
    for activation in (RELU, ABS)
    for seed in range(7 if activation is RELU else 8)
]


@pytest.mark.parametrize(("seed", "widths", "activation"), CASES, ids=str)
def test_facts_are_those_of_all_regions(seed, widths, activation) -> None:
    """Sixty networks of 1 to 4 inputs, against samples and other arithmetic."""
    network, dim = drawn(seed, widths, activation), widths[0]
    found = facts(network)
    (range_,) = of_kind(found, Range)
    points = dense(dim, 20_000, seed)
    values = network.floats(points)[:, 0]
    for end, least in ((range_.least, values.min()), (range_.largest, -values.max())):
        assert end.value.is_point and end.value.rigour is Rigour.EXACT
        assert network(end.point)[0] == end.value.lower
        assert all(-1 <= x <= 1 for x in end.point)
        sign = 1 if end is range_.least else -1
        assert sign * number(end.value.lower) <= least + 1e-9 * abs(least)
    (lipschitz,) = of_kind(found, Lipschitz)
    for norm, value in lipschitz.values.items():
        seen = steepest(network, norm, 0.999 * points)
        assert seen <= number(value.upper) * (1 + 1e-6) + 1e-6
        assert number(value.lower) <= number(value.upper) <= 1.5 * seen + 1e-6
    (monotone,) = of_kind(found, Monotone)
    for k, word in enumerate(monotone.inputs):
        other = points.copy()
        other[:, k] = dense(1, 20_000, seed + 1)[:, 0]
        rise = (network.floats(other)[:, 0] - values) * np.sign(other - points)[:, k]
        slack = 1e-9 * (1 + np.abs(values).max())
        assert (rise > slack).any() <= (word in ("never falls", "rises and falls"))
        assert (rise < -slack).any() <= (word in ("never rises", "rises and falls"))
    (shape,) = of_kind(found, Shape)
    sag = (values[::2] + values[1::2]) / 2
    sag -= network.floats((points[::2] + points[1::2]) / 2)[:, 0]
    slack = 1e-9 * (1 + np.abs(values).max())
    bends_up, bends_down = (sag > slack).any(), (sag < -slack).any()
    neither = "neither convex nor concave"
    assert not bends_up or shape.kind in ("convex", neither)
    assert not bends_down or shape.kind in ("concave", neither)
    json.dumps(found.to_json())


def test_a_function_that_is_known() -> None:
    """max(x1, x2) - 1 on [-1, 1]^2, and its negative."""
    network = Network.from_arrays(
        [[1.0, -1.0], [0.0, 1.0], [0.0, -1.0]], np.zeros(3), [[1.0, 1.0, -1.0]], [-1.0]
    )
    found = facts(network)
    (range_,) = of_kind(found, Range)
    assert (range_.least.value.lower, range_.least.point) == (-2, (-1, -1))
    assert range_.largest.value.lower == 0
    (lipschitz,) = of_kind(found, Lipschitz)
    assert {n: v.lower for n, v in lipschitz.values.items()} == {
        "l1": 1,
        "l2": 1,
        "linf": 1,
    }
    assert of_kind(found, Monotone)[0].inputs == ("never falls", "never falls")
    assert of_kind(found, Shape)[0].kind == "convex"
    other = compose(Network.from_arrays([[-1.0]], [0.0]), network)
    assert of_kind(facts(other), Shape)[0].kind == "concave"


def test_zeros_fixed_points_and_constant_parts() -> None:
    """relu(x) - relu(x - 1/2) - 1/4: 0 at 1/4, constant left of 0 and right of 1/2."""
    network = Network.from_arrays([[1.0], [1.0]], [0.0, -0.5], [[1.0, -1.0]], [-0.25])
    found = facts(network)
    zeros, fixed = of_kind(found, Zeros)
    assert zeros.places == ((fmpq(1, 4), fmpq(1, 4)),)
    assert fixed.places == ((fmpq(-1, 4), fmpq(-1, 4)),)
    (constant,) = of_kind(found, Constant)
    assert (constant.constant, constant.zero) == (fmpq(3, 4), 0)
    flat = facts(Network.from_arrays([[1.0]], [0.0], [[1.0]], [0.0]))
    assert of_kind(flat, Zeros)[0].places == ((fmpq(-1), fmpq(0)),)
    assert of_kind(flat, Zeros)[1].places == ((fmpq(0), fmpq(1)),)
    assert of_kind(flat, Constant)[0].zero == fmpq(1, 2)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "widths", [[1, 12, 9, 1], [2, 12, 9, 2], [6, 9, 5, 1]], ids=str
)
def test_smaller_networks_are_equal(seed, widths) -> None:
    network, side = drawn(seed, widths), Segment(-1, 1)
    box = Box.cube(side, widths[0]) if widths[0] > 1 else side
    units = idle(Subject.on(box, network, (0,)))
    assert units is not None
    if units.smaller is None:
        return
    assert units.smaller.units < network.units
    rng = np.random.default_rng(seed)
    for x in rng.integers(-64, 65, (60, widths[0])).tolist():
        point = [fmpq(v, 64) for v in x]
        assert units.smaller(point) == network(point)


def test_units_that_are_multiples_or_depend_on_others_are_found() -> None:
    """Five units, of which one is dead, two are multiples, three never off."""
    network = Network.from_arrays(
        [[1.0], [2.0], [1.0], [1.0], [-1.0], [0.0]],
        [0.0, 0.0, 3.0, 5.0, -4.0, 1.0],
        [[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]],
        [0.0],
    )
    (units,) = of_kind(facts(network), Idle)
    assert (units.off, units.on) == ((1,), (3,))
    assert units.smaller is not None and units.smaller.widths == (2,)


@pytest.mark.parametrize("activation", mostly_slow([TANH], [TANH, GELU, SIN]), ids=str)
def test_smooth_networks_are_never_below_samples(activation) -> None:
    network = balanced_network(3, 2, 5, 5, 1)
    network = Network(network.layers, [activation] * 2)
    found = facts(network, seconds=60)
    points = dense(2)
    values = network.floats(points)[:, 0]
    (range_,) = of_kind(found, Range)
    size = values.max() - values.min()
    for end, seen in ((range_.least, values.min()), (range_.largest, values.max())):
        assert end.value.rigour is Rigour.ENCLOSED
        assert number(end.value.upper - end.value.lower) < 1e-3 * size
        assert abs(number(end.value.lower) - seen) < 1e-2 * size
    assert number(range_.least.value.lower) <= values.min()
    assert number(range_.largest.value.upper) >= values.max()
    (lipschitz,) = of_kind(found, Lipschitz)
    for norm, value in lipschitz.values.items():
        seen = steepest(network, norm, 0.999 * points)
        assert number(value.upper) >= seen * (1 - 1e-6)
        assert number(value.upper) <= 1.1 * seen


@pytest.mark.parametrize(
    ("activation", "dim"),
    mostly_slow([(TANH, 2), (RELU, 5)], [(RELU, 2), (TANH, 2), (RELU, 5), (TANH, 3)]),
    ids=str,
)
def test_near_copies_are_told_apart(activation, dim) -> None:
    network = balanced_network(5, dim, 9, 9, 2)
    network = Network(network.layers, [activation] * 2)
    rounded = Network(
        [Affine(np.round(w.weight, 3), np.round(w.bias, 3)) for w in network.layers],
        network.activations,
    )
    order = np.random.default_rng(1).permutation(9)  # as another export may do
    first, second, third = rounded.layers
    rounded = Network(
        [
            Affine(first.weight[order], first.bias[order]),
            Affine(second.weight[:, order], second.bias),
            third,
        ],
        rounded.activations,
    )
    (fact,) = of_kind(facts(network, against=rounded, seconds=4), Distance)
    points = dense(dim)
    seen = np.abs(rounded.floats(points) - network.floats(points)).max()
    assert number(fact.value.lower) <= number(fact.value.upper)
    assert seen <= number(fact.value.upper) * (1 + 1e-9)
    assert number(fact.value.upper) < 3 * seen
    for limit, answer in (("1/10", "yes"), (fact.value.lower / 2, "no")):
        found = facts(network, against=rounded, at_most=limit, seconds=4)
        assert of_kind(found, Distance)[0].answer == answer


def test_a_network_equals_its_pruned_copy_and_another_depth() -> None:
    network = drawn(4, [2, 12, 9, 2])
    (units,) = of_kind(facts(network), Idle)
    assert units.smaller is not None
    (fact,) = of_kind(facts(network, against=units.smaller, at_most=0), Distance)
    assert fact.answer == "yes"
    linear = Network.from_arrays([[1.0]], [0.0])
    spelled = Network.from_arrays([[1.0], [-1.0]], [0, 0], [[1.0, -1.0]], [0.0])
    (fact,) = of_kind(facts(linear, against=spelled, at_most="1e-9"), Distance)
    assert fact.answer == "yes"


@pytest.mark.parametrize("activation", [TANH, RELU], ids=str)
def test_a_network_has_no_distance_from_itself(activation) -> None:
    network = Network(balanced_network(1, 5, 8, 2).layers, [activation])
    same = Network(list(network.layers), [activation])
    (fact,) = of_kind(facts(network, against=same, at_most=0, seconds=2), Distance)
    assert (fact.answer, fact.value.rigour) == ("yes", Rigour.EXACT)


def test_what_jumps_has_a_range_and_no_slope() -> None:
    network = drawn(2, [1, 4, 1], THRESHOLD)
    found = facts(network, seconds=3)
    (range_,) = of_kind(found, Range)
    values = network.floats(np.linspace(-1, 1, 4001)[:, None])[:, 0]
    assert number(range_.least.value.lower) <= values.min()
    assert number(range_.largest.value.upper) >= values.max()
    assert any("discontinu" in reason for reason in found.to_json()["left_out"])


def test_refusals() -> None:
    network = drawn(1, [2, 4, 1])
    for given, says in (
        ({"on": Box.cube(Segment(0, 1), 3)}, "dimension 3"),
        ({"output": 1}, "output"),
        ({"at_most": 1}, "needs a network"),
        ({"against": drawn(1, [3, 4, 1])}, "2 and 3 inputs"),
    ):
        with pytest.raises(HypothesisError, match=says):
            facts(network, **given)


def test_what_contradicts_itself_is_no_fact() -> None:
    with pytest.raises(CertificationError, match="report it with the network"):
        Between(fmpq(2), fmpq(1))


def test_what_is_not_decided_claims_no_rigour() -> None:
    words = {
        "kind": "not decided",
        "rigour": None,
        "bends_up": None,
        "bends_down": None,
    }
    assert Shape(0, "not decided", Rigour.EXACT).to_json() == {"shape_1": words}
    open_ = Monotone(0, ("not decided",) * 2, Rigour.ENCLOSED).to_json()
    assert open_["monotone_1"]["rigour"] is None
    partly = Monotone(0, ("not decided", "never falls"), Rigour.ENCLOSED).to_json()
    assert partly["monotone_1"]["rigour"] == "enclosed"


def test_near_copies_of_six_layers_are_enclosed_within_a_factor_of_three() -> None:
    """Weights rounded to four digits, five inputs: cuts that look ahead do it."""
    network = balanced_network(0, 5, *[20] * 6, 3)
    layers = [
        Affine(*(np.round(a, 4) for a in layer.as_floats)) for layer in network.layers
    ]
    near, box = Network(layers, network.activations), Box.cube(Segment(0, "1/8"), 5)
    (found,) = of_kind(facts(network, box, against=near, seconds=3), Distance)
    value = found.value
    assert value.lower is not None and value.upper is not None
    assert 0 < value.lower <= value.upper < 3 * value.lower
