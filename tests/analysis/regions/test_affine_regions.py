"""Affine regions: pieces on intervals, merged neighbours, maps of the network."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep.analysis import on_interval
from depthsep.analysis.line.pieces._enumerate import on_line
from depthsep.analysis.regions import Polygon, affine_regions, along, regions, subdivide
from depthsep.analysis.regions.cells._rational import RationalVertices
from depthsep.exact import nearest_float
from depthsep.interop.files._npz import read_npz
from depthsep.laws import Box, Segment
from depthsep.networks import Affine, Network
from support.places import COUNTS, NETS
from support.regions import ENGINES, cube, random_network

UNIT = Segment(-1, 1)
SMALLEST = fmpq(1, 2**1074)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), bits=st.sampled_from([1, 2, 4, 8, None]))
def test_on_an_interval_they_are_the_pieces(seed, bits):
    network = random_network(np.random.default_rng(seed), [1, 5, 4, 1], bits)
    f = on_interval(network, -2, 1)
    for engine in ENGINES:
        found = affine_regions(network, Segment(-2, 1), engine=engine)
        assert found == len(f.knots) - 1


@pytest.mark.parametrize("name", [n for n, w in COUNTS.items() if "pieces" in w])
def test_pieces_of_the_references(name):
    wanted = COUNTS[name]
    on = Segment(0, 1) if "domain" in wanted else Segment(-1, 1)
    assert affine_regions(read_npz(NETS / f"{name}.npz"), on) == wanted["pieces"]


def test_an_identity_in_disguise_is_one_region():
    both = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]])
    network = Network.from_arrays(
        both, np.zeros(3), np.array([[1.0, -1.0, 0.0]]), np.zeros(1)
    )
    assert regions(network, cube(2)).activation_regions == 4
    found = subdivide(network, cube(2))
    assert found.affine_regions == found.distinct_maps == 1
    assert set(found.maps()) == {(fmpq(0), fmpq(1), fmpq(0))}


@pytest.mark.parametrize("dim", [2, 3])
def test_maps_are_the_network_s(dim):
    rng = np.random.default_rng(5)
    network = random_network(rng, [dim, 5, 4, 2])
    maps = subdivide(network, cube(dim)).maps()
    floats = np.array([[nearest_float(v) for v in m] for m in maps])
    x = rng.uniform(-1, 1, (500, dim))
    values = network.floats(x)
    wide = np.concatenate([np.ones((500, 1)), x], axis=1)
    found = wide @ floats.reshape(-1, dim + 1).T
    off = np.abs(found.reshape(500, -1, 2) - values[:, None]).max(axis=2).min(axis=1)
    assert off.max() < 1e-12
    assert len(maps) == regions(network, cube(dim)).activation_regions


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    dim=st.integers(1, 3),
    bits=st.sampled_from([1, 2, 4, 8, None]),
)
def test_both_engines_merge_alike_and_walk_the_same_regions(seed, dim, bits):
    network = random_network(np.random.default_rng(seed), [dim, 4, 3, 2, 2], bits)
    first, second, third = (subdivide(network, cube(dim), engine=e) for e in ENGINES)
    assert first.affine_regions == second.affine_regions == third.affine_regions
    assert sum(r.volume for r in second) == 2**dim

    def known(found):
        return {(frozenset(r.corners), r.map, r.volume) for r in found}

    assert known(first) == known(second) == known(third)


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_a_region_holds_what_its_pattern_says(dim):
    network = random_network(np.random.default_rng(4), [dim, 5, 4, 2], 2)
    found = subdivide(network, cube(dim), engine="rational")
    for number, region in enumerate(found):
        middle = [
            sum(x) / len(region.corners) for x in zip(*region.corners, strict=True)
        ]
        values = network(middle)
        for k, value in enumerate(values):
            level, *slopes = region.map[k * (dim + 1) : (k + 1) * (dim + 1)]
            steps = [s * x for s, x in zip(slopes, middle, strict=True)]
            assert value == level + sum(steps)
        z = middle
        for layer, pattern in zip(network.layers[:-1], region.pattern, strict=True):
            z = layer(list(z))
            assert [v > 0 for v in z] == pattern.tolist()
            z = [max(v, fmpq(0)) for v in z]
        for other in region.neighbours:
            shared = set(region.corners) & set(found[other].corners)
            assert len(shared) >= dim and number in found[other].neighbours


def test_corners_of_polygons_go_once_round():
    network = random_network(np.random.default_rng(9), [2, 8, 6, 1])
    found = subdivide(network, cube(2))
    for region, near in zip(found, found.near_corners(), strict=True):
        Polygon(region.corners)  # refuses what is not convex and in order
        exact = [[nearest_float(x) for x in c] for c in region.corners]
        assert np.allclose(near, exact, atol=1e-12)
        x, y = near.T
        area = abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2
        assert area == pytest.approx(nearest_float(region.volume), abs=1e-12)


def test_an_affine_network_has_one_region():
    plane = Network.from_arrays([[1, "1/3"]], [2])
    found = subdivide(plane, cube(2))
    assert len(found) == found.affine_regions == 1
    assert found[0].map == (2, 1, fmpq(1, 3)) and found[0].volume == 4
    assert found[0].pattern == () and found[0].neighbours == ()


def test_slopes_that_overflow_are_compared_exactly():
    rows, bias = np.ones((4, 1)), np.array([0.5, 0.0, -0.5, -0.75])
    network = Network.from_arrays(rows, bias, [[1.5e308, 1.5e308, 1.0, 0.0]], [0])
    assert regions(network, Segment(-1, 1)).activation_regions == 5
    assert affine_regions(network, Segment(-1, 1)) == 4


@pytest.mark.parametrize("engine", ENGINES)
def test_slopes_that_underflow_are_compared_exactly(engine):
    a = 3 * 2.0**-1030
    plus, minus = (2.0**52 + 1) * 2.0**970, (2.0**52 - 1) * 2.0**970
    outer = [[plus, -minus, -6 * 2.0**-60]]
    first = Network([Affine([[a], [a], [-1.0]], [0.0] * 3), Affine(outer, [0.0])])
    tiny = SMALLEST * fmpq(7, 5)
    far = fmpq(2) ** 1000
    second = Network(
        [Affine([[tiny], [-1]], [0, 0]), Affine([[far, -tiny * far]], [0])]
    )
    for network in (first, second):
        assert affine_regions(network, UNIT, engine=engine) == 1
        ends = [fmpq(-1)], [fmpq(1)]
        assert along(network, *ends).pieces == on_line(network, *ends).pieces == 1


def test_maps_that_occur_twice_are_counted_once():
    # a tent on x1 in [-1, 3]: 0, x1, 2 - x1 and 0 again
    tent = Network.from_arrays([[1, 0], [1, 0], [1, 0]], [0, -1, -2], [[1, -2, 1]], [0])
    found = subdivide(tent, Box([Segment(-1, 3), Segment(0, 1)]))
    assert found.affine_regions == 4 and found.distinct_maps == 3
    assert found.distinct_maps == len({str(region.map) for region in found})


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), bits=st.sampled_from([1, 2, 4, None]))
def test_labels_are_equal_just_where_the_maps_are(seed, bits):
    rng = np.random.default_rng(seed)
    network = random_network(rng, [2, 5, 4, 3, 2], bits)
    found = subdivide(network, cube(2))
    maps, labels = found.maps(), found.map_numbers.tolist()
    assert found.distinct_maps == len(set(maps)) == len(set(labels))
    assert len(set(zip(labels, maps, strict=True))) == len(set(maps))


def test_maps_that_only_the_last_digit_tells_apart():
    hidden, last = Affine([[1], [1]], [0, fmpq(-1, 2)]), fmpq(1, 2**200)
    network = Network([hidden, Affine([[1, last]], [0])])
    assert subdivide(network, Segment(0, 1)).distinct_maps == 2
    network = Network([hidden, Affine([[1, 0]], [0])])
    assert subdivide(network, Segment(0, 1)).distinct_maps == 1


@pytest.mark.parametrize("zero", [0, 1, 2])
def test_ties_bring_the_rational_engine_back(zero):
    """A maximum of equal long numbers: many signs are 0, and float64 tells none."""
    third = fmpq(1, 3) ** 30
    first = [[third, 1], [third, 1], [1, -third]]
    layers = [Affine([[0, 0]] * zero + first, [0] * zero + [third, third, 0])]
    tie = [[0] * zero + row for row in ([1, -1, 0], [-1, 1, 0], [0, 0, 1])]
    layers += [Affine(tie, [0] * 3)] + [Affine(np.eye(3, dtype=int), [0] * 3)] * 2
    network = Network([*layers, Affine([[1, 1, 1]], [0])])
    found = subdivide(network, cube(2))
    assert isinstance(found.complex.vertices, RationalVertices)
    filtered = subdivide(network, cube(2), engine="filtered")
    assert len(found) == len(filtered) == 4
    assert found.complex.vertices.tally[0] < filtered.complex.vertices.tally[0]
    corners = {frozenset(region.corners) for region in found}
    assert corners == {frozenset(region.corners) for region in filtered}
