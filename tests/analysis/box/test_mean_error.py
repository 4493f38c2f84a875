"""Means of the error over boxes: around known values, samples and exact ones."""

from math import sqrt

import numpy as np
import pytest
from flint import fmpq, fmpz
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep import CertificationError, HypothesisError, Problem
from depthsep.analysis import certify, examine, line_error, mean_error
from depthsep.constructions import cube_network, kuhn_network
from depthsep.exact import nearest_float
from depthsep.laws import Box, Segment, uniform_on
from depthsep.networks import SIGMOID, Affine, Network
from depthsep.targets import Polynomial, target_from_text

UNIT = Box.cube(Segment(0, 1), 2)
PRODUCT = Polynomial("x1*x2")
NOTHING = Network([Affine([[0, 0]], [0]), Affine([[0]], [0])])
RAMP = Network([Affine([[1, -1]], [0]), Affine([[1]], [0])])  # relu(x1 - x2)


def random_network(seed, dim, widths):
    rng, layers = np.random.default_rng(seed), []
    for before, after in zip((dim, *widths), (*widths, 1), strict=True):
        weight, bias = rng.normal(size=(after, before)), rng.normal(size=after)
        layers.append(Affine(np.rint(4 * weight) / 4, np.rint(8 * bias) / 8))
    return Network(layers)


def sampled(network, target, box, norm, count=200_000):
    """The error by samples, and six standard deviations of its mean or mean square."""
    x = uniform_on(box).sample(count, seed=7)
    off = np.abs(network.floats(x)[:, 0] - target.floats(x))
    off = off**2 if norm == "l2" else off
    return off.mean(), 6 * off.std() / sqrt(count) + 1e-9


@pytest.mark.parametrize(("norm", "value"), [("l1", fmpq(1, 4)), ("l2", fmpq(1, 3))])
@pytest.mark.parametrize("factor", [fmpq(101, 100), fmpq(99, 100)])
def test_known_means_of_a_product(norm, value, factor):
    found = mean_error(NOTHING, PRODUCT, UNIT, norm=norm, limit=factor * value)
    assert found.lower <= value <= found.upper
    assert (found.upper <= factor * value) == (factor > 1)
    assert (found.lower > factor * value) == (factor < 1)


def test_known_means_of_a_ramp():
    zero = target_from_text("expr:0*x1", 2)
    one = mean_error(RAMP, zero, UNIT, norm="l1", limit=fmpq(17, 100))
    assert one.lower <= fmpq(1, 6) <= one.upper <= fmpq(17, 100)
    two = mean_error(RAMP, zero, UNIT, norm="l2", limit=fmpq(28, 100))
    assert two.lower <= fmpq(28868, 10**5) and two.lower > fmpq(28, 100)
    assert two.upper >= fmpq(28867, 10**5)


@given(seed=st.integers(0, 10**6), widths=st.sampled_from([(4,), (3, 3), (2, 3, 2)]))
@settings(max_examples=15, deadline=None)
def test_against_exact_pieces_on_the_line(seed, widths):
    network, target = random_network(seed, 1, widths), target_from_text("expr:sin(3*x)")
    first, *rest = network.layers
    blind = np.column_stack([first.weight, 0 * first.weight])
    wide = Network([Affine(blind, first.bias), *rest])
    box = Box([Segment(fmpq(-1, 3), 1), Segment(0, fmpq(1, 3))])
    for norm in ("l1", "l2"):
        exact = line_error(network, Problem(target, box.sides[0], norm, fmpq(1, 10)))
        lifted = target_from_text("expr:sin(3*x1)", 2)
        for factor in (fmpq(9, 10), fmpq(11, 10)):
            limit = factor * exact.upper
            found = mean_error(wide, lifted, box, norm=norm, limit=limit)
            assert found.lower <= exact.upper and exact.lower <= found.upper
            assert found.upper <= limit or found.lower > limit


@given(seed=st.integers(0, 10**6), norm=st.sampled_from(["l1", "l2"]))
@settings(max_examples=8, deadline=None)
def test_around_samples_in_the_plane(seed, norm):
    network = random_network(seed, 2, (5, 4))
    target = target_from_text("expr:exp(x1)*cos(2*x2)", 2)
    box = Box([Segment(fmpq(-1, 3), fmpq(2, 7)), Segment(0, fmpq(10, 3))])
    near, bar = sampled(network, target, box, norm)
    limit = fmpq(round(1.2e6 * (near if norm == "l1" else sqrt(near))) + 1, 10**6)
    found = mean_error(network, target, box, norm=norm, limit=limit)
    low, high = nearest_float(found.lower), nearest_float(found.upper)
    if norm == "l2":
        low, high = low**2, high**2
    assert low <= near + bar and near - bar <= high
    assert found.upper <= limit


@pytest.mark.parametrize("accuracy", ["1/2", "1/4"])
def test_cubes_keep_their_promise(accuracy):
    target = target_from_text("expr:sin(3*x1)*x2", 2)
    built = cube_network(target.floats, 2, fmpq(33, 10), accuracy, "centre").network
    promised = Problem(target, UNIT, "l1", 2 * fmpq(accuracy))
    assert certify(built, promised).error.upper <= promised.accuracy
    near, bar = sampled(built, target, UNIT, "l1")
    finer = Problem(target, UNIT, "l1", fmpq(round(500 * near), 1000))
    found = examine(built, finer).error
    assert found.lower > finer.accuracy
    assert nearest_float(found.lower) <= near + bar
    assert near - bar <= nearest_float(found.upper) and found.upper < fmpq(accuracy)


@pytest.mark.slow
def test_the_sup_would_not_do():
    target = target_from_text("expr:x1*x1+x2", 2)
    built = kuhn_network(target.floats, 2, 3, fmpq(1, 2)).network
    for norm in ("l1", "l2"):
        near, _ = sampled(built, target, UNIT, norm)
        size = near if norm == "l1" else sqrt(near)
        accuracy = fmpq(round(1.1e6 * size), 10**6)
        certify(built, Problem(target, UNIT, norm, accuracy))
        assert (
            examine(built, Problem(target, UNIT, "linf", accuracy)).error.lower
            > accuracy
        )


def test_refusals():
    zero, limit = target_from_text("expr:0*x1", 2), fmpq(1, 2)
    with pytest.raises(
        HypothesisError, match="mean errors are computed in l1 and l2 only"
    ):
        mean_error(RAMP, zero, UNIT, norm="linf", limit=limit)
    with pytest.raises(HypothesisError, match="must be positive"):
        mean_error(RAMP, zero, UNIT, norm="l1", limit=0)
    smooth = Network([Affine([[1, 1]], [0]), Affine([[1]], [0])], [SIGMOID])
    with pytest.raises(HypothesisError, match="only networks of ReLUs"):
        mean_error(smooth, zero, UNIT, norm="l1", limit=limit)
    three = target_from_text("expr:x1+x3", 3)
    with pytest.raises(HypothesisError, match="these must agree"):
        mean_error(RAMP, three, UNIT, norm="l1", limit=limit)
    with pytest.raises(HypothesisError, match="no finite bound"):
        pole = target_from_text("expr:1/(x1+x2)", 2)
        mean_error(RAMP, pole, UNIT, norm="l1", limit=limit)


def test_time_is_kept():
    found = mean_error(RAMP, PRODUCT, UNIT, norm="l1", limit=fmpq(1, 10**9), seconds=0)
    assert found.lower <= found.upper


@pytest.mark.parametrize("exponent", [20, 78, 82, 90, 99])
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_boxes_whose_volume_no_float_holds(exponent, norm):
    box = Box([Segment(0, fmpq(1, fmpz(10) ** exponent))] * 4)
    five = Network([Affine([[0] * 4], [5])])
    target = target_from_text("expr:sin(x1)*x2*x3*x4", 4)
    found = mean_error(five, target, box, norm=norm, limit=1)
    assert found.lower > 4 and found.upper >= 5
    with pytest.raises(CertificationError):
        certify(five, Problem(target, box, norm, fmpq(1, 10)))


@pytest.mark.parametrize("exponent", [-150, -90, -78, 0, 75, 78, 79, 81, 90])
def test_squares_that_no_float_holds(exponent):
    """s x1 with s = 10^-2k: the root of its mean square is s / sqrt(3)."""
    root = fmpq(10) ** -exponent
    network = Network([Affine([[root, 0]], [0]), Affine([[root]], [0])])
    zero, size = target_from_text("expr:0*x1*x2", 2), root**2
    for factor in (fmpq(57, 100), fmpq(58, 100)):
        if not fmpq(1, fmpz(10) ** 100) < root < fmpz(10) ** 100:
            continue
        found = mean_error(network, zero, UNIT, norm="l2", limit=factor * size)
        assert found.lower <= size * fmpq(57736, 10**5)
        assert size * fmpq(57735, 10**5) <= found.upper
        assert (found.upper <= factor * size) == (factor == fmpq(58, 100))


def test_roots_are_followed_through_their_kink():
    box = Box([Segment(fmpq(-1, 4), fmpq(3, 4)), Segment(fmpq(1, 3), fmpq(2, 3))])
    root = target_from_text("expr:sqrt(abs(x1))", 2)
    # the mean of sqrt |x| over [-1/4, 3/4]: 2/3 (1/8 + (3/4)^(3/2))
    exact = 2 / 3 * (1 / 8 + 0.75**1.5)
    for factor in (0.9, 1.1):
        limit = fmpq(round(10**6 * factor * exact), 10**6)
        found = mean_error(NOTHING, root, box, norm="l1", limit=limit)
        assert nearest_float(found.lower) <= exact <= nearest_float(found.upper)
        assert (found.upper <= limit) == (factor > 1)


def test_tiny_boxes_are_decided_not_crashed_on():
    box = Box([Segment(0, fmpq(1, fmpz(10) ** 90))] * 4)
    target = target_from_text("expr:x1*x2*x3*x4", 4)
    ramp = Network([Affine([[1, 0, 0, 0]], [0]), Affine([[1]], [5])])
    with pytest.raises(CertificationError, match=r"between|about|not checked"):
        certify(ramp, Problem(target, box, "l1", fmpq(1, 10)))
