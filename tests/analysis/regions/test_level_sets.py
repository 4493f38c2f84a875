"""Level sets and distances of networks: by hand, by samples, on both engines."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from depthsep import HypothesisError
from depthsep.analysis import on_interval
from depthsep.analysis.regions import (
    Polygon,
    integrals,
    level_set,
    network_distance,
    regions,
)
from depthsep.approximation import distance
from depthsep.laws import Box, Segment
from depthsep.networks import Network, leaky_relu
from support.regions import ENGINES, cube, diamond, euler, random_network


@pytest.mark.parametrize("engine", ENGINES)
def test_the_level_set_of_a_norm_is_a_diamond(engine):
    found = level_set(diamond(), cube(2), level="1/2", engine=engine)
    assert (found.facets, found.flat, found.above, found.below) == (4, 0, 1, 1)
    half = fmpq(1, 2)
    corners = {(half, fmpq(0)), (-half, fmpq(0)), (fmpq(0), half), (fmpq(0), -half)}
    assert {p for s in found.segments() for p in s} == corners
    length = found.length()
    assert length.lower <= length.upper and float(length) == pytest.approx(8**0.5)


def test_levels_that_touch_are_thin_or_empty():
    nothing = level_set(diamond(), cube(2), level=-1)
    assert (nothing.facets, nothing.above, nothing.below) == (0, 1, 0)
    point = level_set(diamond(), cube(2), level=0)
    assert (point.facets, point.flat, point.above, point.below) == (0, 0, 1, 0)
    corners = level_set(diamond(), cube(2), level=1)
    assert (corners.facets, corners.above, corners.below) == (4, 4, 1)


def test_flat_parts_are_counted_as_cells():
    ramp = Network.from_arrays([[1, 0]], [0], [[1]], [0])  # relu(x)
    found = level_set(ramp, cube(2), level=0)
    assert (found.facets, found.flat, found.above, found.below) == (4, 1, 1, 0)
    assert float(found.length()) == 6.0


def test_a_zero_facet_parts_what_is_above():
    ridge = Network.from_arrays([[1, 0], [-1, 0]], [0, 0], [[1, 1]], [0])  # |x|
    found = level_set(ridge, cube(2))
    assert (found.facets, found.above, found.below) == (1, 2, 0)


@pytest.mark.parametrize("seed", range(8))
def test_parts_are_those_that_a_fine_grid_sees(seed):
    network = random_network(np.random.default_rng(seed), [2, 6, 1], 3)
    found = level_set(network, cube(2), level="1/8")
    x = (np.arange(-600, 600) + 0.5) / 600
    grid = np.stack(np.meshgrid(x, x), axis=-1).reshape(-1, 2)
    values = network.floats(grid)[:, 0].reshape(1200, 1200)
    assert ndimage.label(values > 0.125)[1] == found.above
    assert ndimage.label(values < 0.125)[1] == found.below


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    dim=st.integers(1, 3),
    bits=st.sampled_from([1, 2, 4, None]),
)
def test_both_engines_find_one_level_set(seed, dim, bits):
    network = random_network(np.random.default_rng(seed), [dim, 4, 3, 2], bits)
    first, *others = (
        level_set(network, cube(dim), level="1/2", output=1, engine=e) for e in ENGINES
    )
    for name in ("facets", "flat", "above", "below"):
        for found in others:
            assert getattr(first, name) == getattr(found, name)
    assert euler(first.complex.own) == 1


def test_on_an_interval_it_is_the_places_where_f_passes():
    network = random_network(np.random.default_rng(6), [1, 9, 7, 1])
    found, f = level_set(network, Segment(-2, 2)), on_interval(network, -2, 2)
    signs = np.sign(f.values.astype(float))
    assert found.facets == int((signs[1:] != signs[:-1]).sum())
    with pytest.raises(HypothesisError, match="two dimensions"):
        found.segments()


@pytest.mark.parametrize("norm", ["linf", "l1", "l2"])
def test_distances_on_an_interval_are_those_of_functions(norm):
    rng = np.random.default_rng(8)
    first, second = (
        random_network(rng, sizes, 6) for sizes in ([1, 5, 1], [1, 3, 4, 1])
    )
    on = Segment(-1, 3)
    wanted = distance(on_interval(first, -1, 3), on_interval(second, -1, 3), norm, on)
    assert network_distance(first, second, on, norm) == wanted


@pytest.mark.parametrize("norm", ["linf", "l1", "l2"])
def test_distances_in_the_plane(norm):
    domain = Polygon([(0, 0), (1, 0), (0, 1)])
    plane = Network.from_arrays([[1, 1]], [0])
    nothing = network_distance(plane, diamond(), domain, norm)
    assert nothing.upper == 0
    lowered = Network.from_arrays([[1, 1]], ["1/3"])
    assert network_distance(lowered, diamond(), domain, norm).upper == fmpq(1, 3)
    leaky = Network.from_arrays([[1, 0]], [0], [[1]], [0], activation=leaky_relu("1/2"))
    far = network_distance(leaky, plane, Box.cube(Segment(-1, 1), 2), norm)
    apart = Network.from_arrays([[1, 0]], [0], [[1]], [0])  # relu(x)
    # leaky(x) - (x + y) = relu(-x)/2 - y
    by_hand = Network.from_arrays(
        [[-1, 0], [0, 1], [0, -1]], [0, 0, 0], [["1/2", -1, 1]], [0]
    )
    found = integrals(by_hand, cube(2))
    sizes = {"linf": found.largest, "l1": found.absolute.lower / 4}
    if norm == "l2":
        assert far.square == found.square.lower / 4
    else:
        assert far.upper == sizes[norm]
    assert regions(apart, cube(2)).activation_regions == 2


def test_what_does_not_fit_is_refused():
    two = Network.from_arrays([[1, 0], [0, 1]], [0, 0])
    with pytest.raises(HypothesisError, match="one output"):
        network_distance(two, diamond(), cube(2))
    with pytest.raises(HypothesisError, match="unknown norm"):
        network_distance(diamond(), diamond(), cube(2), "l3")
    with pytest.raises(HypothesisError, match="does not exist"):
        level_set(diamond(), cube(2), output=1)
