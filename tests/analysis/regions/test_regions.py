"""Regions of networks: counts of the references, both engines, degenerate networks."""

import inspect
import sys
from itertools import product

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep import HypothesisError, TooLargeError
from depthsep.analysis import on_interval
from depthsep.analysis.regions import Polygon, along, extremes, regions
from depthsep.analysis.regions._regions import blocks, whole
from depthsep.exact import rational
from depthsep.interop.files._npz import read_npz
from depthsep.laws import Segment
from depthsep.networks import Affine, Network
from support.places import COUNTS, NETS
from support.regions import ENGINES, cube, euler, random_network

UNIT = Segment(-1, 1)
LARGE = ("n2_64x3_s0", "tent16")  # by one engine


@pytest.mark.parametrize(
    ("name", "engine"),
    [(n, e) for n, e in product(COUNTS, ENGINES) if n not in LARGE or e == "auto"],
)
def test_counts_of_the_references(name, engine):
    wanted, network = COUNTS[name], read_npz(NETS / f"{name}.npz")
    on = Segment(0, 1) if "domain" in wanted else cube(wanted["d"])
    found = regions(network, on, engine=engine)
    assert euler(found.faces) == 1
    count = wanted.get("activation_regions", wanted.get("pieces"))
    assert found.activation_regions == count
    for name in ("vertices", "edges"):
        if name in wanted:
            assert getattr(found, name) == wanted[name]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    dim=st.integers(1, 4),
    bits=st.sampled_from([1, 2, 4, 8, None]),
    hidden=st.lists(st.integers(1, 5), min_size=1, max_size=3),
)
def test_the_filter_decides_as_rationals_do(seed, dim, bits, hidden):
    network = random_network(np.random.default_rng(seed), [dim, *hidden, 1], bits)
    first, *others = (regions(network, cube(dim), engine=e) for e in ENGINES)
    assert all(found.faces == first.faces for found in others)
    assert euler(first.faces) == 1


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("bits", [1, 2, 4])
def test_regions_are_the_signs_that_points_meet(seed, bits):
    """Regions and sign vectors inside them are one to one; float64 is exact here."""
    network = random_network(np.random.default_rng(seed), [2, 3, 3, 1], bits)
    x = np.random.default_rng(1).integers(-(2**30), 2**30, (30_000, 2)) / 2**30
    signs = []
    for weight, bias in (layer.as_floats for layer in network.layers[:-1]):
        z = x @ weight.T + bias
        signs.append(np.sign(z))
        x = np.maximum(z, 0)
    met = len(np.unique(np.concatenate(signs, axis=1), axis=0))
    found = regions(network, cube(2)).activation_regions
    assert met <= found <= met + (0 if bits == 1 else 2)  # small ones may be missed


@pytest.mark.parametrize("nearly", [0.0, 2.0**-20, 2.0**-40, 2.0**-52])
@pytest.mark.parametrize("seed", range(4))
def test_values_are_within_their_bounds(seed, nearly):
    """Also of units that are nearly parallel, whose crossings are ill-conditioned."""
    rng = np.random.default_rng(seed)
    network = random_network(rng, [2, 8, 8, 8, 1])
    if nearly:
        arrays = [a.copy() for layer in network.layers for a in layer.as_floats]
        for k in (0, 2, 4):
            arrays[k][4:] = arrays[k][:4] * (1 + nearly * rng.standard_normal((4, 1)))
            arrays[k + 1][4:] = arrays[k + 1][:4] * (1 + nearly)
        network = Network.from_arrays(*arrays)
    cells = whole(network, cube(2), engine="filtered")
    assert cells.own == regions(network, cube(2), engine="rational").faces
    own, level = cells.vertices, network.depth - 2
    for vertex in range(0, own.count, 7):
        row = own.exact.row(vertex, level)
        q, exact = fmpq(int(row[0])), [fmpq(int(z)) for z in row[3:]]
        values, bounds = own.values[vertex].tolist(), own.errors[vertex].tolist()
        for value, bound, z in zip(values, bounds, exact, strict=True):
            assert abs(rational(value) - z / q) <= rational(bound)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("size", [1, 3, 10])
@pytest.mark.parametrize("dim", [1, 2, 3, 4])
def test_parts_count_every_face_once(dim, size, engine):
    for bits in (1, 2, None):
        network = random_network(np.random.default_rng(2), [dim, 5, 4, 3, 1], bits)
        found = blocks(network, cube(dim), engine=engine, size=size)
        total = np.sum([block.own for block in found], axis=0)
        assert tuple(total) == whole(network, cube(dim), engine=engine).own


def test_on_an_interval_regions_are_the_pieces_or_finer():
    for seed in range(20):
        network = random_network(np.random.default_rng(seed), [1, 6, 5, 1])
        found = regions(network, Segment(-2, 3))
        pieces = len(on_interval(network, -2, 3).knots) - 1
        assert found.activation_regions >= pieces


@pytest.mark.parametrize("engine", ENGINES)
def test_units_with_one_zero_set_cut_once(engine):
    rows = np.array([[1.0, 1.0], [-1.0, -1.0], [2.0, 2.0], [1.0, -1.0], [0.0, 0.0]])
    bias = np.array([0.0, 0.0, 0.0, 0.0, -1.0])
    network = Network.from_arrays(rows, bias, np.ones((1, 5)), np.zeros(1))
    found = regions(network, cube(2), engine=engine)
    assert found.faces == (5, 8, 4)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_layer_that_vanishes_cuts_nothing(engine):
    first = (np.array([[1.0, 0.0]]), np.array([0.0]))
    second = (np.array([[-1.0], [1.0]]), np.zeros(2))  # 0 where the first is off
    network = Network.from_arrays(*first, *second, np.ones((1, 2)), np.zeros(1))
    assert regions(network, cube(2), engine=engine).faces == (6, 7, 2)


def test_polygons_are_cut_like_boxes():
    network = read_npz(NETS / "n2_8x2_s0.npz")
    square = Polygon([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    assert regions(network, square).faces == (81, 143, 63)
    triangle = Polygon([(0, 0), ("1/3", 0), (0, "1/7")])
    found = [regions(network, triangle, engine=e).faces for e in ENGINES]
    assert found[0] == found[1] == found[2] and euler(found[0]) == 1


def test_rational_weights_and_leaky_units():
    third = np.array([[fmpq(1, 3), fmpq(-1, 7)], [fmpq(1, 5), fmpq(2, 3)]], object)
    network = Network.from_arrays(
        third, np.array([fmpq(1, 9), fmpq(0)], object), np.ones((1, 2)), np.zeros(1)
    )
    for engine in ENGINES:
        assert regions(network, cube(2), engine=engine).activation_regions == 4


def test_numbers_of_any_size_are_followed():
    for size in (1e-300, 1e-160, 1e160, 1e300):
        network = Network.from_arrays(
            np.array([[size, size], [size, -size / 2]]),
            np.array([0.0, size / 3]),
            np.ones((1, 2)),
            np.zeros(1),
        )
        found = [regions(network, cube(2), engine=e).faces for e in ENGINES]
        assert found[0] == found[1] == found[2]


def test_sums_that_overflow_on_the_way_are_not_believed():
    rows = np.zeros((16, 2))
    rows[0, 0] = 0.75
    weights = np.repeat([[1e308, -1e308, -1.1e308]], [8, 4, 4], axis=1)
    network = Network.from_arrays(rows, np.ones(16), weights, [0], [[1]], [0])
    for engine in ENGINES:
        assert regions(network, cube(2), engine=engine).faces == (6, 7, 2)


@pytest.mark.parametrize(
    ("corners", "message"),
    [
        ([(0, 0), (1, 0)], "three or more corners"),
        ([(0, 0), (1, 0), (2, 0)], "convex"),
        ([(0, 0), (1, 1), (1, 0), (0, 1)], "convex"),
        ([(0, 0), (2, 0), (1, "1/2"), (2, 2), (0, 2)], "convex"),
        (5, "three or more corners"),
        ([(0, 0, 0), (1, 0, 0), (0, 1, 0)], "three or more corners"),
    ],
)
def test_polygons_that_are_not_convex_are_refused(corners, message):
    with pytest.raises(HypothesisError, match=message):
        Polygon(corners)


def test_a_star_that_always_turns_left_is_refused():
    turns = [(0, 2), (-1, -1), (2, 1), (-2, 1), (1, -1)]
    with pytest.raises(HypothesisError, match="convex"):
        Polygon(turns)


def test_what_does_not_fit_is_refused():
    network = read_npz(NETS / "n2_8x2_s0.npz")
    with pytest.raises(HypothesisError, match="2 inputs"):
        regions(network, Segment(0, 1))
    with pytest.raises(HypothesisError, match="choose auto"):
        regions(network, cube(2), engine="fast")
    with pytest.raises(TooLargeError, match="more than 10 regions"):
        regions(network, cube(2), most=10)
    with pytest.raises(HypothesisError, match="slice"):
        regions(network, cube(5))


def test_rationals_beyond_float64_are_followed():
    huge = Network([Affine([[fmpq(10) ** 400], [1]], [0, 0]), Affine([[1, 1]], [0])])
    for engine in ENGINES:
        assert regions(huge, UNIT, engine=engine).activation_regions == 2
    flat = Network([Affine([[1e308, 0.0]], [1e308])])
    points = [fmpq(-1), fmpq(0)], [fmpq(1), fmpq(0)]
    assert along(flat, *points, level=-1e308) == (1, 1)


@pytest.fixture
def few_calls():
    """At most 250 calls may be nested from here on."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 250)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.slow
def test_more_layers_than_calls_may_be_nested_are_followed(few_calls):
    deep = Network([Affine([[1.0]], [0.0])] * 350)
    for engine in ENGINES:
        assert regions(deep, UNIT, engine=engine).activation_regions == 2
    assert extremes(deep, UNIT).largest == 1


@pytest.mark.slow
def test_too_many_regions_are_refused_soon():
    tents = Network(
        [Affine([[1.0], [1.0]], [0.0, -0.5])]
        + [Affine([[2.0, -4.0], [2.0, -4.0]], [0.0, -0.5])] * 41
        + [Affine([[2.0, -4.0]], [0.0])]
    )
    with pytest.raises(TooLargeError, match="more than 40000"):
        regions(tents, Segment(0, 1), most=40_000)
