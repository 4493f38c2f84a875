"""Independent values near initialisation, each computed by other means."""

import json
from pathlib import Path

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep.evidence import Enclosure
from depthsep.exact import rational
from depthsep.near_init import (
    TangentKernel,
    constant,
    enclosed_kernel,
    linearised_value,
    network_value,
    plant,
    relu_bound,
)
from depthsep.near_init.bounds._caps import (
    cap_chance,
    cap_chance_below,
    row_share,
    rows_per_unit,
    width_chernoff,
    width_printed,
)
from depthsep.near_init.bounds._linear_bounds import near_kink_bound, near_kink_chance
from depthsep.near_init.bounds._noise import (
    noise_ball_bound,
    noise_bound,
    noise_bound_sharp,
    noise_tail,
)
from depthsep.near_init.kernels._universality import circle_coefficient, maclaurin
from depthsep.near_init.kernels.pairs._square_rows import uniform_square_chance
from depthsep.separation import bound
from depthsep.special import binomial_tail
from support.places import reference

ENTRIES = reference("approximation")


def entries(name):
    found = [e for e in ENTRIES if e["name"] == name]
    assert found, name
    return pytest.mark.parametrize("entry", found, ids=lambda e: str(e["inputs"]))


def agrees(ball, entry, digits=28):
    """Whether a ball is this sharp and holds the printed digits."""
    with ctx.workprec(160):
        value = arb(rational(entry["value"]))
        slack = abs(value) * arb(10) ** -digits
        assert abs(arb(ball) - value) <= slack, (ball, value)


def meets(enclosure, entry, digits=28):
    """The same for an enclosure by rationals."""
    value = rational(entry["value"])
    slack = abs(value) / 10**digits
    assert enclosure.upper - enclosure.lower <= slack
    assert enclosure.lower - slack <= value <= enclosure.upper + slack


def given(entry):
    return {
        k: rational(str(v)) for k, v in entry["inputs"].items() if k not in ("a", "how")
    }


def points(entry):
    return tuple([rational(v) for v in entry["inputs"][k]] for k in ("x", "xp"))


def floats(point):
    return np.array([[int(v.p) / int(v.q) for v in point]])


def close(value, entry, tolerance=1e-12):
    assert value == pytest.approx(float(entry["value"]), rel=tolerance, abs=0)


@entries("k_inf_relu_unit")
def test_the_first_layer_kernel_of_unit_vectors(entry):
    t = rational(entry["inputs"]["inner_product"])
    unit = np.array([[float(arb(t)), float((1 - arb(t) ** 2).max(arb(0)).sqrt())]])
    found = TangentKernel(trained=(1,))(np.array([[1.0, 0.0]]), unit)[0, 0]
    assert found == pytest.approx(float(entry["value"]), rel=1e-12, abs=1e-16)


@entries("k_inf_relu_general")
def test_the_first_layer_kernel_of_any_norms(entry):
    x, z = points(entry)
    agrees(enclosed_kernel(x, z, trained=(1,)), entry)
    close(TangentKernel(trained=(1,))(floats(x), floats(z))[0, 0], entry)


@entries("second_layer_kernel_relu")
def test_the_second_layer_kernel(entry):
    x, z = points(entry)
    agrees(enclosed_kernel(x, z, trained=(2,)), entry)
    close(TangentKernel(trained=(2,))(floats(x), floats(z))[0, 0], entry)
    close(TangentKernel().nngp(floats(x), floats(z))[0, 0], entry)


@entries("two_layer_full_ntk_relu_rho1")
def test_the_kernel_of_both_layers(entry):
    x, z = points(entry)
    agrees(enclosed_kernel(x, z), entry)
    close(TangentKernel()(floats(x), floats(z))[0, 0], entry)


@entries("deep_ntk_relu_c2")
def test_deep_kernels(entry):
    x, z = points(entry)
    depth = entry["inputs"]["hidden_layers"] + 1
    agrees(enclosed_kernel(x, z, depth=depth, weight_variance=fmpq(2)), entry)
    close(TangentKernel("relu", depth, 2)(floats(x), floats(z))[0, 0], entry)


def pair(entry):
    """Points of R^2 with this covariance."""
    a, b, c = (float(arb(rational(entry["inputs"][k]))) for k in COVARIANCE)
    return np.array([[a**0.5, 0.0]]), np.array([[b / a**0.5, (c - b * b / a) ** 0.5]])


COVARIANCE = ("cov11", "cov12", "cov22")


@pytest.mark.parametrize("name", ["erf", "cos", "sin", "exp"])
def test_duals(name):
    for entry in (e for e in ENTRIES if e["name"] == f"dual_{name}"):
        close(TangentKernel(name).nngp(*pair(entry))[0, 0], entry, 1e-13)


@entries("dual_erf_prime")
def test_the_dual_of_the_derivative_of_erf(entry):
    x, z = pair(entry)
    first = TangentKernel("erf", trained=(1,))(x, z)[0, 0]
    close(first / (x @ z.T)[0, 0], entry, 1e-13)


@entries("circle_cos_coeff_of_unbiased_k_inf")
def test_cosine_coefficients_without_bias(entry):
    found = circle_coefficient(entry["inputs"]["k"])
    if entry["value"] == "0.0":
        assert found == 0
    else:
        agrees(found, entry)


@entries("prop3.25_maclaurin_coeff_of_f")
def test_maclaurin_coefficients(entry):
    agrees(maclaurin(12)[entry["inputs"]["n"]], entry)


@entries("lemma3.8_bound_ln_inside_root")
def test_rows_near_the_kink(entry):
    i = given(entry)
    agrees(near_kink_bound(int(i["m"].p), i["tau"], i["delta"]), entry)


@entries("lemma3.8_exact_failure_prob")
def test_the_exact_chance_of_more_rows_near_the_kink(entry):
    i = given(entry)
    m = int(i["m"].p)
    limit = int(near_kink_bound(m, i["tau"], i["delta"]).floor().unique_fmpz())
    tail = binomial_tail(m, near_kink_chance(i["tau"]), limit + 1)
    agrees(tail, entry, 20)
    assert tail <= i["delta"]


@entries("lemma3.15_1_bound")
def test_the_noise_at_a_point(entry):
    i = given(entry)
    agrees(noise_bound(int(i["m"].p), i["delta"], i["norm_x"]), entry)


@entries("lemma3.15_1_sharp")
def test_the_noise_at_a_point_without_a_logarithm(entry):
    i = given(entry)
    agrees(noise_bound_sharp(int(i["m"].p), i["delta"], i["norm_x"]), entry)


@entries("exact_tail_F_at_init")
def test_the_exact_law_of_the_noise(entry):
    i = given(entry)
    agrees(noise_tail(int(i["m"].p), i["t"], i["norm_x"]), entry)


@entries("lemma3.15_2_bound")
def test_the_noise_on_the_ball(entry):
    i = given(entry)
    agrees(noise_ball_bound(int(i["m"].p), int(i["d"].p), i["delta"]), entry)


@entries("prop3.7_bound")
def test_the_printed_bound_on_linearisation(entry):
    i = given(entry)
    agrees(relu_bound(int(i["m"].p), i["B"], i["delta"], i["a_inf"]), entry)


@entries("thm3.10_tau_d")
def test_the_share_of_rows(entry):
    i = given(entry)
    assert row_share(int(i["d"].p), i["tau"]) == rational(entry["value"])


@entries("thm3.10_m_printed")
def test_the_printed_width(entry):
    i = given(entry)
    assert width_printed(int(i["d"].p), i["tau"], i["delta"]) == int(entry["value"])


@entries("thm3.10_m_chernoff")
def test_the_width_by_chernoff(entry):
    i = given(entry)
    found = width_chernoff(int(i["d"].p), i["tau"], i["delta"], int(i["k"].p))
    assert found == int(entry["value"])


@entries("thm3.10_frob_factor_proof")
def test_the_distance_of_planting(entry):
    i = given(entry)
    d = int(i["d"].p)
    width = 7 * int((1 / row_share(d, i["tau"])).ceil())  # m tau_d = 7
    assert width * row_share(d, i["tau"]) == 7
    meets(bound("planting-distance", width=width, dim=d, tau=i["tau"]).value, entry)


@entries("thm3.10_frob_factor_printed")
def test_the_printed_distance_is_another(entry):
    i = given(entry)
    d = int(i["d"].p)
    assert fmpq(2) ** (d + 1) / i["tau"] ** (d - 1) == rational(entry["value"])


@entries("cap_probability_exact")
def test_the_chance_of_a_cap(entry):
    i = given(entry)
    agrees(cap_chance(int(i["d"].p), i["tau"]), entry)


@entries("cap_probability_ball_lower")
def test_the_bound_on_the_chance_of_a_cap(entry):
    i = given(entry)
    found = cap_chance_below(int(i["d"].p), i["tau"])
    assert found == rational(entry["value"])
    assert cap_chance(int(i["d"].p), i["tau"]) >= found


@entries("pytorch_uniform_square_halfplane_prob")
def test_rows_uniform_on_a_square(entry):
    agrees(uniform_square_chance(rational(entry["inputs"]["theta_over_pi"])), entry)


@entries("F_inf_constant_transport")
def test_a_constant_transport_map(entry):
    t, x = (entry["inputs"][k] for k in ("T(v)", "x"))
    value = bound("telgarsky-3.14", t=",".join(t), x=",".join(x)).value
    assert value == rational(entry["value"]) == fmpq(3, 2)
    point = np.array([[float(arb(rational(v))) for v in x]])
    assert constant([float(v) for v in t]).limit(point)[0] == pytest.approx(1.5)


@entries("prop3.7_adversary_limit_constant")
def test_the_constant_of_the_adversary(entry):
    found = bound("linearisation-attained", width=10**6, distance=1).value
    hundredth = Enclosure(found.lower / 100, found.upper / 100, found.rigour)
    meets(hundredth, entry)  # the cube root of the width is 100


def planting(entry):
    """The network of the reference and what is planted in it."""
    i = entry["inputs"]
    m = i["m"]
    j = np.arange(m)
    angle = 2 * np.pi * (j + int(i["shift"])) / m
    start = (1 + j / m)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    signs = np.where(j % 2 == 0, 1, -1)
    alpha = np.array([float(arb(rational(v))) for v in i["alpha"]])
    beta = np.array([[float(v) for v in row] for row in i["beta"]])
    x = np.array([[float(arb(rational(v))) for v in i["x"]]])
    return plant(alpha, beta, signs, start, i["tau"]), alpha, beta, x


@entries("planting_n")
def test_planting_uses_the_stated_number_of_rows(entry):
    i = entry["inputs"]
    assert rows_per_unit(i["m"], i["d"], rational(i["tau"])) == int(entry["value"])
    assert {len(r) for r in planting(entry)[0].rows} == {int(entry["value"])}


@entries("planting_indices")
def test_planting_uses_the_first_rows(entry):
    assert [r.tolist() for r in planting(entry)[0].rows] == json.loads(entry["value"])


@entries("planting_F_V0")
def test_the_network_before_planting(entry):
    found, _, _, x = planting(entry)
    close(network_value(found.signs, found.start, x)[0], entry)


@entries("planting_F_V")
def test_the_planted_network_and_its_linearisation(entry):
    found, _, _, x = planting(entry)
    close(network_value(found.signs, found.planted, x)[0], entry)
    close(linearised_value(found.signs, found.start, found.planted, x)[0], entry)


@entries("planting_frobenius")
def test_the_distance_that_planting_moves(entry):
    found = planting(entry)[0]
    close(found.frobenius, entry)
    close(found.predicted_frobenius, entry)


@entries("planting_c0_g")
def test_the_planted_function(entry):
    found, alpha, beta, x = planting(entry)
    g = network_value(alpha, beta, x)[0]
    close(found.scale * g, entry)
    grown = (
        network_value(found.signs, found.planted, x)[0]
        - network_value(found.signs, found.start, x)[0]
    )
    assert abs(grown - found.scale * g) <= found.noise_free_error


def test_every_value_of_this_chapter_is_a_test():
    here = Path(__file__).read_text("utf-8")
    chapter = [e["name"] for e in ENTRIES if e["name"].startswith(CHAPTER)]
    assert len(chapter) > 70
    for name in set(chapter):
        assert name in here or (name.startswith("dual_") and name[5:] in here)


CHAPTER = (
    *("k_inf", "second_layer", "two_layer", "deep_ntk", "dual_", "circle_"),
    *("prop3", "lemma3", "exact_tail", "thm3", "cap_", "planting", "pytorch", "F_inf"),
)
