"""Exact integrals over regions: references, volumes, samples, degenerate networks."""

from functools import cache

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.analysis import on_interval
from depthsep.analysis.regions import Polygon, extremes, integrals
from depthsep.exact import nearest_float
from depthsep.interop.files._npz import read_npz
from depthsep.laws import Segment
from depthsep.networks import Network
from support.places import COUNTS, NETS
from support.regions import cube, random_network
from support.slow import mostly_slow

INTEGRALS = [n for n, w in COUNTS.items() if "integral" in w]
SMALL = [n for n in INTEGRALS if COUNTS[n]["activation_regions"] < 2000]


@cache
def balls(name):
    return integrals(read_npz(NETS / f"{name}.npz"), cube(2), exact=False)


@pytest.mark.parametrize("name", mostly_slow(SMALL, INTEGRALS))
def test_integrals_of_the_references(name):
    found, wanted = balls(name).integral, COUNTS[name]["integral"]
    for end in (found.lower, found.upper):
        assert nearest_float(end) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("name", SMALL)
def test_exact_integrals_lie_in_narrow_balls(name):
    found, near = integrals(read_npz(NETS / f"{name}.npz"), cube(2)), balls(name)
    wanted = COUNTS[name]["integral"]
    assert nearest_float(found.integral.lower) == pytest.approx(wanted, rel=1e-12)
    assert found.integral.is_point and found.volume.lower == 4
    for part in ("volume", "integral", "absolute", "square"):
        exact, ball = getattr(found, part).lower, getattr(near, part)
        assert ball.lower <= exact <= ball.upper
        assert ball.upper - ball.lower < abs(exact) * fmpq(1, 10**50)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    dim=st.integers(1, 4),
    bits=st.sampled_from([1, 2, 4, None]),
)
def test_cells_add_up_to_the_domain(seed, dim, bits):
    network = random_network(np.random.default_rng(seed), [dim, 4, 3, 1], bits)
    found = integrals(network, cube(dim))
    parts = (found.volume, found.integral, found.absolute, found.square)
    volume, integral, absolute, square = (part.lower for part in parts)
    assert volume == 2**dim
    assert abs(integral) <= absolute <= found.largest * volume
    assert absolute**2 <= square * volume
    assert square <= found.largest * absolute


def test_on_an_interval_they_are_those_of_the_pieces():
    network = random_network(np.random.default_rng(3), [1, 8, 5, 1])
    found, f = integrals(network, Segment(-1, 2)), on_interval(network, -1, 2)
    wanted = fmpq(0)
    for k in range(len(f.knots) - 1):
        wanted += (f.knots[k + 1] - f.knots[k]) * (f.values[k] + f.values[k + 1]) / 2
    assert found.integral.lower == wanted
    assert found.largest == max(map(abs, f.values))


@pytest.mark.parametrize("dim", [2, 3])
def test_integrals_are_means_of_samples(dim):
    rng = np.random.default_rng(7)
    network = random_network(rng, [dim, 6, 5, 1])
    found = integrals(network, cube(dim))
    f = network.floats(rng.uniform(-1, 1, (200_000, dim)))[:, 0] * 2**dim
    pairs = (
        (f, found.integral),
        (abs(f), found.absolute),
        (f * f / 2**dim, found.square),
    )
    for values, exact in pairs:
        assert abs(values.mean() - float(exact)) < 5 * values.std() / 447


def test_a_triangle_and_an_affine_function():
    plane = Network.from_arrays(np.array([[1.0, 1.0]]), np.array([-0.5]))
    found = integrals(plane, Polygon([(0, 0), (1, 0), (0, 1)]))
    assert (found.volume.lower, found.integral.lower) == (fmpq(1, 2), fmpq(1, 12))
    assert found.largest == fmpq(1, 2)
    assert found.absolute.lower == fmpq(1, 12) + 2 * fmpq(1, 48)


def test_an_output_that_does_not_exist_is_refused():
    network = read_npz(NETS / "n2_8x2_s0.npz")
    with pytest.raises(HypothesisError, match="does not exist"):
        integrals(network, cube(2), output=1)


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_extremes_are_taken_where_they_say_and_nowhere_passed(dim):
    network = random_network(np.random.default_rng(11), [dim, 6, 5, 2])
    found = extremes(network, cube(dim), output=1)
    assert network(found.least_at)[1] == found.least
    assert network(found.largest_at)[1] == found.largest
    x = np.random.default_rng(1).uniform(-1, 1, (100_000, dim))
    values = network.floats(x)[:, 1]
    assert nearest_float(found.least) <= values.min()
    assert values.max() <= nearest_float(found.largest)
    whole = integrals(network, cube(dim), output=1)
    assert max(-found.least, found.largest) == whole.largest
