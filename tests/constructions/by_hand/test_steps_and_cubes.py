"""Step networks in one dimension, bumps on a grid of cubes: values and errata."""

import math

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError, TooLargeError
from depthsep.analysis import on_interval
from depthsep.approximation import distance_to_target
from depthsep.constructions import (
    bump_error,
    cube_network,
    largest_gamma,
    relu_count,
    step_network,
)
from depthsep.constructions.by_hand._steps import step_count
from depthsep.constructions.by_hand.cubes._cubes import cubes_per_side
from depthsep.exact import rational
from depthsep.laws import Segment
from depthsep.targets import Expression, target_from_text
from support.places import reference

ENTRIES = reference("approximation")
UNIT = Segment(0, 1)


def entries(name):
    found = [e for e in ENTRIES if e["name"] == name]
    assert found
    return pytest.mark.parametrize("entry", found, ids=lambda e: str(e["inputs"]))


def inputs(entry, *names):
    return [entry["inputs"][name] for name in names]


@entries("prop2.1_width_corrected")
def test_the_steps_of_a_lipschitz_function(entry):
    assert step_count(*inputs(entry, "rho", "eps")) == int(entry["value"])


@entries("prop2.1_width_midpoint_optimal")
def test_half_as_many_steps_at_mid_range(entry):
    count = step_count(*inputs(entry, "rho", "eps"), "mid-range")
    assert count == int(entry["value"])


@entries("thm2.3_k_corrected")
def test_the_cubes_on_a_side(entry):
    assert cubes_per_side(*inputs(entry, "d", "rho", "eps")) == int(entry["value"])


@entries("thm2.3_k_centre_L1")
def test_fewer_cubes_with_values_at_the_centres(entry):
    found = cubes_per_side(*inputs(entry, "d", "rho", "eps"), "centre")
    assert found == int(entry["value"])


@entries("thm2.3_k_printed_wrong")
def test_the_printed_number_of_cubes_leaves_an_error_of_d_accuracies(entry):
    # g = rho 1.x / sqrt(d): on a cube of side 1/k it varies by rho sqrt(d) / k
    d, rho, eps = inputs(entry, "d", "rho", "eps")
    printed, corrected = int(entry["value"]), cubes_per_side(d, rho, eps)
    variation = float(rational(rho).p) * math.sqrt(d)
    assert variation / corrected <= float(rational(eps).p) / float(rational(eps).q)
    if d > 1:
        assert variation / printed > float(rational(eps).p) / float(rational(eps).q)


@entries("thm2.3_total_relu_naive")
def test_the_units_without_sharing(entry):
    d, rho, eps = inputs(entry, "d", "rho", "eps")
    k = cubes_per_side(d, rho, eps)
    assert relu_count(d, k, shared=False) == int(entry["value"])


@entries("thm2.3_first_layer_shared")
def test_the_shared_units_of_the_first_layer(entry):
    d, rho, eps = inputs(entry, "d", "rho", "eps")
    k = cubes_per_side(d, rho, eps)
    assert relu_count(d, k) - k**d == int(entry["value"])


@entries("thm2.3_bump_L1_exact_Rd")
def test_the_exact_error_of_a_bump(entry):
    assert bump_error(*inputs(entry, "d", "side", "gamma")) == rational(entry["value"])


@entries("thm2.3_bump_L1_doc_bound")
def test_the_printed_bound_of_a_bump_is_larger(entry):
    d, side, gamma = inputs(entry, "d", "side", "gamma")
    s, g = rational(side), rational(gamma)
    assert (s + 2 * g) ** d - s**d == rational(entry["value"])
    assert bump_error(d, s, g) < rational(entry["value"])


@entries("thm2.3_gamma_closed_form")
def test_the_largest_gamma(entry):
    found = largest_gamma(*inputs(entry, "d", "k", "tau"))
    value = rational(entry["value"])
    assert found.upper - found.lower < fmpq(1, 10**30)
    assert abs(found.lower - value) < fmpq(1, 10**30)


def test_a_bump_has_its_exact_error_in_the_plane():
    side, gamma, n = 0.4, 0.2, 2000
    x = (np.arange(n) + 0.5) / n * (side + 2 * gamma) - gamma
    trapezoid = np.clip(np.minimum(x + gamma, side + gamma - x) / gamma, 0, 1)
    inside = (x >= 0) & (x <= side)
    bump = np.maximum(trapezoid[:, None] + trapezoid[None, :] - 1, 0)
    off = np.abs(bump - (inside[:, None] & inside[None, :])).mean()
    exact = bump_error(2, "2/5", "1/5")
    assert off * (side + 2 * gamma) ** 2 == pytest.approx(
        int(exact.p) / int(exact.q), rel=1e-3
    )


@pytest.mark.parametrize("form", ["printed", "mid-range", "adaptive"])
@pytest.mark.parametrize(
    ("text", "lipschitz"), [("x", 1), ("x**8", 8), ("sin(7*x)", 7), ("1/3 + 0*x", 0)]
)
def test_step_networks_meet_the_accuracy(text, lipschitz, form):
    target, accuracy = target_from_text(f"expr:{text}"), fmpq(1, 20)
    network = step_network(target, UNIT, accuracy, lipschitz=lipschitz, form=form)
    f = on_interval(network, 0, 1)
    found = distance_to_target(f, target, "linf", UNIT)
    assert found.upper <= accuracy * fmpq(1001, 1000)
    if form != "adaptive":
        assert network.units == step_count(lipschitz, accuracy, form)


def test_adaptive_steps_are_as_few_as_the_variation_allows():
    network = step_network(target_from_text("expr:x**8"), UNIT, "1/100")
    assert network.units == 50
    assert step_count(8, "1/100") == 800


def test_a_printed_width_of_zero_cannot_compute_a_constant():
    assert step_count(0, "1/10") == 1
    network = step_network(
        target_from_text("expr:1 + 0*x"), UNIT, "1/10", lipschitz=0, form="printed"
    )
    assert network([fmpq(1, 2)]) == (1,)


def test_a_ceiling_in_doubles_comes_out_too_small():
    rho, eps = 5 * 0.01, 0.01
    assert math.ceil(rho / eps) < step_count(rho, eps)


@pytest.mark.parametrize(("dim", "accuracy"), [(1, "1/8"), (2, "1/2"), (3, "1")])
def test_cube_networks_are_within_two_accuracies_in_the_mean(dim, accuracy):
    def f(x):
        return np.cos(x.sum(axis=1) / math.sqrt(dim))

    built = cube_network(f, dim, 1, accuracy)
    error = rational(accuracy)
    assert built.step_error <= error * fmpq(1001, 1000)
    assert built.bump_error <= error
    x = np.random.default_rng(0).random((40_000, dim))
    off = np.abs(built.network.floats(x)[:, 0] - f(x)).mean()
    assert off <= 2 * int(error.p) / int(error.q)
    assert built.network.units == relu_count(dim, built.steps)


def test_a_zero_function_needs_no_bumps():
    built = cube_network(lambda x: np.zeros(len(x)), 2, 1, "1/2")
    assert built.network([fmpq(1, 3), fmpq(1, 5)]) == (0,)


@pytest.mark.parametrize(
    "bad",
    [
        lambda: step_count(1, 0),
        lambda: step_count(1, 1, "adaptive"),
        lambda: cubes_per_side(2, 1, 1, "edge"),
        lambda: cubes_per_side(0, 1, 1),
        lambda: largest_gamma(2, 3, 0),
        lambda: step_network(target_from_text("square"), UNIT, "0.1", form="printed"),
        lambda: step_network(
            target_from_text("square"), UNIT, "1e-9", lipschitz=2, form="printed"
        ),
    ],
)
def test_hypotheses_are_checked(bad):
    with pytest.raises(HypothesisError):
        bad()


def test_too_many_cubes_are_refused_with_their_number():
    with pytest.raises(TooLargeError, match=r"\^5 cubes"):
        cube_network(lambda x: x[:, 0], 5, 1, "1/50")


@pytest.mark.parametrize("accuracy", [0, -1, "1e-12"])
def test_steps_without_end_are_refused(accuracy):
    with pytest.raises(HypothesisError):
        step_network(Expression("x**2"), Segment(0, 1), accuracy)


@pytest.mark.parametrize("form", ["adaptive", "printed", "mid-range"])
def test_the_first_step_is_not_above_the_start(form):
    network = step_network(
        Expression("x+5"), Segment("1/10", 1), "1/100", lipschitz=1, form=form
    )
    assert abs(network([fmpq(1, 10)])[0] - fmpq(51, 10)) <= fmpq(11, 1000)
