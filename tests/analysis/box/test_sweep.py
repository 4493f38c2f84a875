"""Networks followed over boxes: sound bounds, honest partial answers."""

from time import monotonic

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep import CertificationError, HypothesisError
from depthsep.analysis import certify, examine, sweep
from depthsep.analysis.box.followed._affine_forms import Forms, boxes_to_forms
from depthsep.analysis.box.followed._shared_forms import Layer, layers_on, stages
from depthsep.analysis.box.followed._simplify import specialise
from depthsep.analysis.box.followed._taylor_model import local_model
from depthsep.constructions import product_network
from depthsep.evidence import Inapplicable
from depthsep.exact import rational
from depthsep.laws import Box, Segment
from depthsep.networks import ABS, SIGMOID, TANH, THRESHOLD, Affine, Network
from depthsep.problems import Problem
from depthsep.targets import Formula, Polynomial
from support.slow import mostly_slow

SQUARE = Box.cube(Segment(-1, 1), 2)


def random_network(seed, dim, widths, short=False):
    rng, layers, before = np.random.default_rng(seed), [], dim
    for width in (*widths, 1):
        weight, bias = rng.normal(size=(width, before)), rng.normal(size=width)
        if short:
            weight, bias = np.rint(4 * weight) / 4, np.rint(2 * bias) / 4
        layers.append(Affine(weight, bias))
        before = width
    return Network(layers)


def outputs_inside(network, low, high, net):
    """Exact values at points of each box lie in the enclosure."""
    rng = np.random.default_rng(0)
    lower, upper = net.ends
    for box, (a, b) in enumerate(zip(low, high, strict=True)):
        for t in (np.zeros(len(a)), np.ones(len(a)), *rng.random((3, len(a)))):
            x = a + t * (b - a)
            x = [
                min(max(rational(float(v)), rational(float(p))), rational(float(q)))
                for v, p, q in zip(x, a, b, strict=True)
            ]
            value = network(x)[0]
            # the affine form itself, too
            half = [
                (rational(float(q)) - rational(float(p))) / 2
                for p, q in zip(a, b, strict=True)
            ]
            middle = [
                (rational(float(q)) + rational(float(p))) / 2
                for p, q in zip(a, b, strict=True)
            ]
            form = rational(float(net.centre[box, 0])) + sum(
                rational(float(s)) * ((v - m) / h if h else 0)
                for s, v, m, h in zip(
                    net.slopes[:, box, 0], x, middle, half, strict=True
                )
            )
            assert abs(value - form) <= rational(float(net.error[box, 0]))
            assert (
                rational(float(lower[box, 0]))
                <= value
                <= rational(float(upper[box, 0]))
            )


@settings(max_examples=40)
@given(
    st.integers(0, 10**6),
    st.integers(1, 3),
    st.lists(st.integers(1, 7), min_size=0, max_size=3),
    st.booleans(),
)
def test_affine_forms_enclose_random_networks(seed, dim, widths, short):
    network = random_network(seed, dim, widths, short)
    rng = np.random.default_rng(seed)
    low = np.round(rng.uniform(-2, 1, (4, dim)), 2)
    high = low + rng.choice([0.0, 0.01, 0.5, 2.0], (4, 1))
    layers = layers_on(network, low.min(0), high.max(0))
    net = stages(layers)[0](boxes_to_forms(low, high))
    outputs_inside(network, low, high, net)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.lists(st.integers(2, 9), min_size=1, max_size=3))
def test_specialised_networks_stay_the_same_on_their_box(seed, widths):
    network = random_network(seed, 2, widths, short=True)
    # repeated units: the same rows twice
    first = network.layers[0]
    doubled = Affine(
        np.vstack([first.weight, first.weight]), np.append(first.bias, first.bias)
    )
    rest = network.layers[1]
    halves = Affine(np.hstack([rest.weight, rest.weight]), rest.bias)
    network = Network([doubled, halves, *network.layers[2:]])
    low, high = np.array([[-0.5, 0.25]]), np.array([[0.25, 0.75]])
    layers = layers_on(network, low[0], high[0])
    followed, readers = stages(layers)
    forms = boxes_to_forms(low, high)
    read, _ = followed.followed(forms)
    units = [r.units(f, n) for r, f, n in zip(readers, read, layers, strict=False)]
    small = specialise(layers, units)
    assert small[0].weight.shape[1] <= len(first.bias)
    outputs_inside(network, low, high, stages(small)[0](forms))


def test_rational_weights_are_followed_too():
    network = Network(
        [Affine([["1/3", "-2/7"]], ["1/9"]), Affine([["3/11"]], ["-1/13"])]
    )
    low, high = np.array([[0.1, -0.3]]), np.array([[0.4, 0.2]])
    layers = layers_on(network, low[0], high[0])
    assert all(layer.doubt.max() > 0 for layer in layers)
    outputs_inside(network, low, high, stages(layers)[0](boxes_to_forms(low, high)))


def test_tents_are_bounded_together():
    # 2 relu(y) - 4 relu(y - 1/2) on [0, 1], four times over: never beyond [0, 1]
    tent = [Affine([[1], [1]], [0, -0.5])]
    layers = [
        *tent,
        *[Affine([[2, -4], [2, -4]], [0, -0.5])] * 3,
        Affine([[2, -4]], [0]),
    ]
    net = stages(layers_on(Network(layers), np.zeros(1), np.ones(1)))[0]
    low, high = net(boxes_to_forms(np.zeros((1, 1)), np.ones((1, 1)))).ends
    assert low[0, 0] >= -1e-9 and high[0, 0] <= 1 + 1e-9


def chain(*layers):
    return Network([Affine(w, b) for w, b in layers])


def test_what_is_not_a_number_is_never_proved():
    huge = chain(([[1e99, 0]], [0]), *[([[1e99]], [0])] * 4, ([[1]], [0]))
    found = sweep(huge, Formula("x1*x2"), SQUARE, limit=1, seconds=1)
    assert not found.complete and found.upper == float("inf")
    forms = Forms(np.array([[np.nan]]), np.zeros((2, 1, 1)), np.zeros((1, 1)))
    layer = Layer(np.ones((1, 1)), np.zeros(1), np.zeros(1))
    assert specialise([layer, layer], [forms])[0].weight.shape == (1, 1)


@pytest.mark.parametrize(
    ("network", "sides"),
    [
        (
            chain(([[1e-305, 0], [-1e-305, 0]], [0, 1e40]), ([[1e290, 1e-34]], [0])),
            (0, 1),
        ),
        (chain(([[1e99, 0]], [0]), ([[1e99]], [0]), ([[1]], [0])), (0, "4e-324")),
        (chain(([["1e-330", "0"]], ["0"]), ([["1"]], ["0"])), (0, "1e60")),
        (chain(([["1e400", "0"]], ["0"]), ([["1"]], ["0"])), (0, 1)),
    ],
)
def test_sizes_that_underflow_are_refused(network, sides):
    box = Box([Segment(*sides), Segment(0, 1)])
    with pytest.raises(HypothesisError, match="1e-100"):
        sweep(network, Formula("0*x1", 2), box, limit="1e-3", seconds=1)


@pytest.mark.parametrize("activation", [TANH, SIGMOID, THRESHOLD], ids=str)
def test_other_units_are_refused(activation):
    network = Network([Affine([[1, 0]], [0]), Affine([[1]], [0])], [activation])
    with pytest.raises(HypothesisError, match="only networks of ReLUs"):
        sweep(network, Formula("x1*x2"), SQUARE, limit=1)


def test_absolute_values_and_leaky_units_are_followed():
    network = Network([Affine([[1, 0]], [0]), Affine([[1]], [0])], [ABS])
    found = sweep(network, Formula("abs(x1)", 2), SQUARE, limit="1/10", seconds=20)
    assert found.complete


def test_what_does_not_fit_is_refused():
    two = chain(([[1, 0], [0, 1]], [0, 0]), ([[1, 0], [0, 1]], [0, 7]))
    one, box = product_network(0), Box.cube(Segment(0, 1), 3)
    for network, formula, on, limit, seconds in (
        (two, Formula("x1*x2"), SQUARE, 1, 1),
        (one, Formula("x1*x2"), box, 1, 1),
        (one, Formula("x1*x2*x3"), SQUARE, 1, 1),
        (one, Formula("x1*x2"), SQUARE, 0, 1),
        (one, Formula("x1*x2"), SQUARE, 1, float("nan")),
    ):
        with pytest.raises(HypothesisError):
            sweep(network, formula, on, limit=limit, seconds=seconds)
    assert sweep(one, Polynomial("x1*x2"), SQUARE, limit="1/15", seconds=9).complete


def test_networks_of_any_scale_are_followed():
    rows = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    for scale in (1, 2.0**-46):
        network = chain((rows * scale, [0] * 4), ([[1 / scale] * 4], [0]))
        target = Formula("abs(x1) + abs(x2)")
        found = sweep(network, target, SQUARE, limit="1/5", seconds=20)
        assert found.complete and found.boxes < 5000


def test_formulas_beyond_all_balls_are_never_proved():
    zero = chain(([[1, 0]], [0]), ([[0]], [0]))
    target = Formula("exp(exp(13*x1)) + 0*x2", 2)
    found = sweep(zero, target, Box.cube(Segment(0, 1), 2), limit=9, seconds=1)
    assert not found.complete


def test_polynomials_that_are_no_formulas_here_are_not_examined():
    network = random_network(3, 9, (4, 4))
    found = examine(network, Problem("poly:x1*x2*x9", accuracy=1))
    assert isinstance(found, Inapplicable)


def test_time_is_kept():
    network = random_network(1, 5, (60, 60))
    target = Formula("x1*x2*x3*x4*x5")
    start = monotonic()
    sweep(network, target, Box.cube(Segment(-1, 1), 5), limit="1/10", seconds=0.5)
    assert monotonic() - start < 8


@pytest.mark.parametrize(("levels", "limit"), [(0, "1/15"), (1, "1/60"), (3, "1/900")])
def test_a_product_is_confirmed_and_refuted(levels, limit):
    network = product_network(levels)
    true = fmpq(1, 4 ** (levels + 2))
    assert true < rational(limit)
    found = sweep(network, Formula("x1*x2"), SQUARE, limit=limit, seconds=60)
    assert found.complete and found.share == pytest.approx(1)
    assert true <= rational(found.upper) <= rational(limit)
    below = sweep(
        network, Formula("x1*x2"), SQUARE, limit=true * fmpq(9, 10), seconds=1
    )
    assert not below.complete and below.share < 1


KINKS = ["abs(x1) + x2", "max(x1, x2)", "sqrt(1.1 + x1) - x2"]


@pytest.mark.parametrize("formula", mostly_slow(KINKS[1:], KINKS))
def test_kinks_and_roots_of_the_target_are_followed(formula):
    rows = {"abs(x1) + x2": ([[1, 0], [-1, 0], [0, 1], [0, -1]], [1, 1, 1, -1])}
    rows["max(x1, x2)"] = ([[1, -1], [0, 1], [0, -1]], [1, 1, -1])
    if formula in rows:
        inner, outer = rows[formula]
        network = Network([Affine(inner, [0] * len(outer)), Affine([outer], [0])])
        limit = "1/10"
    else:
        network, limit = Network([Affine([[1, 0]], [0]), Affine([[0]], [1])]), 3
    found = sweep(network, Formula(formula), SQUARE, limit=limit, seconds=60)
    assert found.complete


def test_the_local_model_holds_the_formula():
    target = Formula("exp(x1)*sin(3*x2) + x1**3")
    low, high = np.array([0.1, -0.4]), np.array([0.35, 0.1])
    model = local_model(target, low, high)
    points = low + (high - low) * np.random.default_rng(0).random((500, 2))
    y = points - model.middle
    values = model.value + y @ model.gradient + ((y @ model.hessian) * y).sum(1) / 2
    assert 0 < np.abs(values - target.floats(points)).max() <= model.rest < 0.2


def test_a_formula_undefined_inside_has_no_model():
    bad = local_model(
        Formula("log(x1) + x2"), np.array([-1.0, 0.0]), np.array([1.0, 1.0])
    )
    assert not np.isfinite(bad.rest)
    jump = local_model(
        Formula("atan(1/x1) + x2"), np.array([-1.0, 0.0]), np.array([1.0, 1.0])
    )
    assert not np.isfinite(jump.rest)


def test_networks_that_are_no_sum_of_ridges_are_examined():
    network = random_network(5, 2, (6, 5))
    target = Problem("expr:x1*x2", Segment(-1, 1), accuracy=50)
    found = examine(network, target)
    assert found.method == "box" and found.error.upper == 50
    points = target.law.sample(4000, 1)
    seen = np.abs(network.floats(points)[:, 0] - points.prod(axis=1)).max()
    assert found.error.lower <= rational(seen * 1.3) <= 50
    wrong = Problem("expr:x1*x2", Segment(-1, 1), accuracy="1e-3")
    with pytest.raises(CertificationError, match="above the accuracy"):
        certify(network, wrong)


def test_too_little_time_is_said():
    network = random_network(5, 2, (6, 5))
    problem = Problem("expr:x1*x2", Segment(-1, 1), accuracy=12)
    lower = examine(network, problem, seconds=30).error.lower
    tight = Problem("expr:x1*x2", Segment(-1, 1), accuracy=lower * fmpq(1001, 1000))
    found = examine(network, tight, seconds=0)
    assert isinstance(found, Inapplicable)
    assert "was proved only on 0 % of the box" in found.reason


def net(*pairs):
    return Network([Affine(w, b) for w, b in pairs])


def test_huge_weights_are_not_explored():
    network = net(([[1e300, 0]], [0]), ([[1]], [0]))
    found = examine(network, Problem("product", accuracy=1))
    assert isinstance(found, Inapplicable) and "1e100" in found.reason
