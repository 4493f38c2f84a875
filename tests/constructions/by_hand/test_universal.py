"""Universal approximation as an algorithm: coefficients, bounds, networks."""

import math

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep import HypothesisError, TooLargeError
from depthsep.constructions import (
    bernstein_exponentials,
    exponential_network,
    universal_network,
)
from depthsep.constructions.by_hand.cubes._fejer_korovkin import (
    cosine_coefficients,
    fejer_korovkin_bound,
    kernel_coefficients,
    ridge_cosines,
)
from depthsep.constructions.by_hand.cubes._ridge_cosines import cosine_network
from depthsep.exact import rational
from support.places import reference

ENTRIES = reference("approximation")


def entries(name):
    found = [e for e in ENTRIES if e["name"] == name]
    assert found
    return pytest.mark.parametrize("entry", found, ids=lambda e: str(e["inputs"]))


@entries("fejer_korovkin_bound")
def test_the_bound_of_the_mean(entry):
    given = entry["inputs"]
    found = fejer_korovkin_bound(given["n"], given["d"], given["L"])
    value = rational(entry["value"])
    assert abs(found.upper - value) < fmpq(1, 10**28)
    assert found.lower <= found.upper


@entries("bernstein_exp_outer_weights")
def test_the_weights_of_the_exponentials(entry):
    power = int(entry["inputs"]["g"][-1])
    weights = bernstein_exponentials(lambda y: y[0] ** power, 1, entry["inputs"]["n"])
    assert [str(w) for w in weights.values()] == entry["value"]


def test_the_kernel_is_nonnegative_with_the_known_first_coefficient():
    for n in (1, 4, 17):
        rho = kernel_coefficients(n)
        assert rho[0] == pytest.approx(1) and rho[1] == pytest.approx(
            math.cos(math.pi / (n + 2))
        )
        t = np.linspace(-np.pi, np.pi, 4001)
        kernel = 1 + 2 * (rho[1:, None] * np.cos(np.outer(np.arange(1, n + 1), t))).sum(
            0
        )
        assert kernel.min() > -1e-9


def hill(x):
    return np.minimum(1, np.abs(x - 0.4).sum(axis=1)) / math.sqrt(x.shape[1])


@pytest.mark.parametrize(("dim", "degree"), [(1, 8), (1, 40), (2, 12), (3, 5)])
def test_the_mean_and_the_network_stay_below_their_bounds(dim, degree):
    built = universal_network(hill, dim, degree, 1, 0.02)
    directions, weights = ridge_cosines(cosine_coefficients(hill, dim, degree))
    assert len(weights) <= 2 ** (dim - 1) * (degree + 1) ** dim
    x = np.random.default_rng(0).random((2000, dim))
    mean = np.cos(np.pi * x @ directions.T) @ weights
    bound = float(built.mean_error)
    assert np.abs(mean - hill(x)).max() <= bound
    values = built.network.floats(x)[:, 0]
    assert rational(np.abs(values - mean).max()) <= built.cosine_error
    assert np.abs(values - hill(x)).max() <= bound + 0.02
    exact = cosine_network(directions, weights).floats(x)[:, 0]
    assert np.abs(exact - mean).max() < 1e-9


def test_constants_are_kept():
    built = universal_network(lambda x: np.full(len(x), 3.0), 2, 3, 0, 0.1)
    assert built.network.floats([[0.3, 0.9]])[0, 0] == pytest.approx(3)


@pytest.mark.parametrize(("dim", "degree"), [(1, 12), (2, 4)])
def test_exponentials_follow_the_bernstein_polynomial(dim, degree):
    def values(y):
        return sum((v * v for v in y), fmpq(0))

    weights = bernstein_exponentials(values, dim, degree)
    network = exponential_network(weights)
    x = np.random.default_rng(1).random((50, dim))
    y = 2**x - 1
    # B_n of y^2 is y^2 + y (1 - y) / n in each coordinate
    bernstein = (y * y + y * (1 - y) / degree).sum(axis=1)
    assert np.abs(network.floats(x)[:, 0] - bernstein).max() < 1e-4
    lipschitz = 2 * math.sqrt(dim)
    assert np.abs(bernstein - (y * y).sum(axis=1)).max() <= lipschitz * math.sqrt(
        dim / (4 * degree)
    )


@pytest.mark.parametrize("degree", [25, 40])
def test_exponentials_keep_their_values_under_huge_weights(degree):
    def tent(y):
        return abs(y[0] - fmpq(1, 2))

    weights = bernstein_exponentials(tent, 1, degree)
    network = exponential_network(weights, fmpq(1, 10**9))
    with ctx.workprec(64 * degree):
        at_one, at_zero = (network.balls([arb(x)])[0] for x in (1, 0))
    # Bernstein polynomials interpolate at both ends
    for value in (at_one, at_zero):
        assert abs(value - fmpq(1, 2)).upper() < 1e-9


@pytest.mark.parametrize("weights", [{}, {(-1,): fmpq(1)}])
def test_exponents_are_checked(weights):
    with pytest.raises(HypothesisError):
        exponential_network(weights)


def test_a_sum_of_exponentials_needs_a_tolerance():
    with pytest.raises(HypothesisError, match="tolerance"):
        exponential_network({(1,): fmpq(1)}, 0)


@pytest.mark.parametrize(
    "bad",
    [
        lambda: fejer_korovkin_bound(0, 1, 1),
        lambda: fejer_korovkin_bound(1, 1, -1),
        lambda: universal_network(hill, 1, 3, 1, 0.0),
        lambda: bernstein_exponentials(lambda y: y[0], 1, 0),
        lambda: bernstein_exponentials(lambda y: y[0], 9, 9),
    ],
)
def test_hypotheses_are_checked(bad):
    with pytest.raises(HypothesisError):
        bad()


def test_too_large_networks_are_refused_with_their_size():
    with pytest.raises(TooLargeError, match="units are needed"):
        universal_network(hill, 1, 30, 1, 1e-13)
    with pytest.raises(TooLargeError, match="values of the function are needed"):
        universal_network(hill, 9, 30, 1, 0.1)
