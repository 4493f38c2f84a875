"""Independent values for mean-field networks, each computed by other means."""

import json
from functools import cache

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from scipy.optimize import brentq

from depthsep import dynamics
from depthsep.dynamics import (
    RadialNetwork,
    RadialTask,
    alpha,
    decompose,
    expected_spread,
    infinite_width,
    limit_alpha,
    radial_loss,
    radial_velocity,
    scaled_relu_mean,
    spread,
)
from depthsep.dynamics.radial._constants import relu_mean, relu_product_mean
from depthsep.dynamics.radial.network._network import Directions
from depthsep.exact import rational
from depthsep.special import squared_transform_cdf, unit_ball_radius
from support.places import reference

ENTRIES = reference("mean_field")
TESTED = set()


def entries(*names):
    found = [e for e in ENTRIES if e["name"] in names]
    assert {e["name"] for e in found} == set(names)
    TESTED.update(names)
    return pytest.mark.parametrize("entry", found, ids=lambda e: str(e["inputs"])[:60])


def encloses(ball, entry):
    """Whether a ball is within the entry's tolerance of its value."""
    with ctx.workprec(160):
        gap = abs(arb(ball) - arb(rational(entry["value"])))
        return gap <= arb(entry["tolerance"])


@entries("c_d")
def test_relu_mean(entry):
    with ctx.workprec(100):
        assert encloses(relu_mean(entry["inputs"]["d"]), entry)


@entries("C_Gamma")
def test_scaled_relu_mean(entry):
    with ctx.workprec(100):
        assert encloses(scaled_relu_mean(entry["inputs"]["d"]), entry)


@entries("C_Gamma_limit")
def test_scaled_relu_mean_has_a_limit(entry):
    with ctx.workprec(100):
        far = scaled_relu_mean(10**6)
        assert 0 < far - arb(rational(entry["value"])) < arb("1e-6")
        assert encloses(1 / (2 * arb.pi()).sqrt(), entry)


@entries("alpha")
def test_alpha(entry):
    given = entry["inputs"]
    rows = np.zeros((2, given["d"]))
    rows[:, 0] = given["E_norm2"] ** 0.5
    assert alpha(rows) == pytest.approx(float(entry["value"]), abs=entry["tolerance"])


@entries("expected_N0_sphere_init")
def test_expected_spread(entry):
    given = entry["inputs"]
    square = fmpq(given["R"] ** 2, 3)  # E r^2 under U[0, R]
    with ctx.workprec(100):
        assert encloses(expected_spread(given["d"], given["m1"]) * square, entry)


@entries("sphere_arccos1")
def test_relu_product_mean(entry):
    given = entry["inputs"]
    with ctx.workprec(100):
        angle = arb(rational(str(given["theta"])))
        assert encloses(relu_product_mean(given["d"], angle), entry)


@entries("tiny_alpha", "tiny_E_u(G-alpha)^2")
def test_tiny_networks_first_layer(entry):
    rows = np.array(entry["inputs"]["W"])
    found = alpha(rows)
    if entry["name"] != "tiny_alpha":
        network = RadialNetwork(rows, None, np.ones((1, 1)), np.ones(1), np.ones(1))
        found = float(spread(network)) * found**2
    assert found == pytest.approx(float(entry["value"]), abs=entry["tolerance"])


def tiny():
    """The network of four neurons in the plane, its task, and an exact quadrature.

    Gauss's rule between all angles at which a neuron or a unit's edge turns.
    """
    given = next(e for e in ENTRIES if e["name"] == "tiny_L")["inputs"]
    rows, a, b = (np.array(given[k]) for k in ("W", "a", "b"))
    sizes = np.linalg.norm(rows, axis=1)

    def first(angle):
        u = np.array([np.cos(angle), np.sin(angle)])
        return np.tensordot(sizes, np.maximum(rows @ u, 0), 1) / len(sizes)

    turns = list(np.arctan2(-rows[:, 0], rows[:, 1]) % np.pi)
    grid = np.linspace(0, 2 * np.pi, 20_001)
    for edge in -b / (a * given["R"]):
        values = first(grid) - edge
        for k in np.nonzero(np.diff(np.sign(values)))[0]:
            root = brentq(
                lambda t, e=edge: first(t) - e, grid[k], grid[k + 1], xtol=1e-15
            )
            turns.append(root % np.pi)
    turns = np.sort(turns)
    turns = np.concatenate([[turns[-1] - np.pi], turns])
    x, w = np.polynomial.legendre.leggauss(40)
    half = np.diff(turns) / 2
    angles = ((turns[:-1] + turns[1:]) / 2)[:, None] + half[:, None] * x
    points = np.stack([np.cos(angles.ravel()), np.sin(angles.ravel())], axis=1)
    weights = (half[:, None] * w).ravel() / np.pi
    at = Directions(points, weights, np.ones(len(weights)))
    network = RadialNetwork(rows, None, a[:, None], b, np.ones(2))
    return network, RadialTask(2, 4, second=2, precision="float64"), at


@pytest.fixture(scope="module")
def small():
    return tiny()


@entries("tiny_L", "tiny_L1", "tiny_L2", "tiny_X")
def test_tiny_networks_loss_in_three_terms(entry, small):
    network, task, at = small
    found = decompose(network, task, directions=at)
    value = {
        "tiny_L": found.loss,
        "tiny_L1": found.terms.fit,
        "tiny_L2": found.terms.spread,
        "tiny_X": found.terms.cross,
    }[entry["name"]]
    assert value == pytest.approx(float(entry["value"]), abs=entry["tolerance"])
    if entry["name"] == "tiny_L":
        assert radial_loss(network, task, directions=at) == pytest.approx(value)


@entries("tiny_velocity_W", "tiny_velocity_a", "tiny_velocity_b")
def test_tiny_networks_velocity(entry, small):
    network, task, at = small
    moved = radial_velocity(network, task, directions=at)
    value = {
        "W": moved.weights,
        "a": moved.slopes[:, 0],
        "b": moved.offsets,
    }[entry["name"][-1]]
    gap = np.abs(value - np.array(entry["value"], dtype=float)).max()
    assert gap < min(entry["tolerance"], 1e-10)


def limit_task(given, time, **more):
    start = {"slope": given["a0"], "offset": given["b0"], "alpha": given["alpha0"]}
    return RadialTask(
        given["d"], 2, second=len(given["a0"]), time=time, **start, **more
    )


@cache
def limit(inputs):
    """The limit at the times 0, 1, ..., 100, by steps of length 1."""
    return infinite_width(limit_task(json.loads(inputs), 100.0, step=1.0, records=100))


@entries("reduced_ode")
def test_the_infinite_width_flow(entry):
    found = limit(json.dumps(entry["inputs"]))
    for point in entry["value"]:
        k = int(point["t"])
        assert found.times[k] == point["t"]
        assert found.flow.alpha[k] == pytest.approx(point["alpha"], abs=1e-9)
        assert found.flow.slopes[k] == pytest.approx(point["a"], abs=1e-9)
        assert found.flow.offsets[k] == pytest.approx(point["b"], abs=1e-9)


@entries("reduced_rhs_at_0")
def test_the_infinite_width_velocity(entry):
    # one step of Euler of length 1: alpha grows by a square
    states = limit(json.dumps(entry["inputs"])).stepped
    first = states.alpha[0]
    growth = np.sqrt(states.alpha[1] / first) - 1
    velocity = [2 * growth * first]
    velocity += list(states.slopes[1] - states.slopes[0])
    velocity += list(states.offsets[1] - states.offsets[0])
    assert velocity == pytest.approx([float(v) for v in entry["value"]], abs=1e-13)


@entries("alpha_infinity_single_neuron")
def test_where_alpha_ends(entry):
    given = entry["inputs"]
    with ctx.workprec(100):
        ball = limit_alpha(given["d"], str(given["alpha0"]), str(given["a0"]))
        assert encloses(ball, entry)
        assert ball.rad() < arb(2) ** -100


@entries("phi2_cdf_s")
def test_the_law_phi_squared(entry):
    given = entry["inputs"]
    assert encloses(squared_transform_cdf(given["d"], rational(given["s"])), entry)


@entries("unit_volume_radius_R_d")
def test_the_ball_of_volume_one(entry):
    with ctx.workprec(100):
        assert encloses(unit_ball_radius(entry["inputs"]["d"]), entry)


def test_no_reference_value_is_left_out():
    assert {e["name"] for e in ENTRIES} == TESTED
    assert dynamics.__doc__
