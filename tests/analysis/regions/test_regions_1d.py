"""Piece counts of trained and folded networks of one input, on both engines."""

import itertools

import numpy as np
import pytest

from depthsep.analysis import crossings, most_pieces, on_interval
from depthsep.interop.files._npz import read_npz
from depthsep.networks import Network
from depthsep.targets import zigzag
from support.oracles import cut, pieces
from support.places import COUNTS, NETS

ONE_INPUT = sorted(name for name, entry in COUNTS.items() if entry["d"] == 1)
TENTS = [name for name in ONE_INPUT if name.startswith("tent")]
ENGINES = pytest.mark.parametrize("exact", [True, False], ids=["exact", "float64"])


def network_of(name):
    """The stored network, read here with numpy alone."""
    with np.load(NETS / f"{name}.npz") as stored:
        depth = len(stored.files) // 2
        arrays = [stored[f"{kind}{j}"] for j in range(1, depth + 1) for kind in "Wb"]
    return Network.from_arrays(*arrays)


def domain(name):
    return COUNTS[name].get("domain", [-1, 1])


@ENGINES
@pytest.mark.parametrize("name", ONE_INPUT)
def test_the_number_of_pieces_is_the_confirmed_one(name, exact):
    function = on_interval(network_of(name), *domain(name), exact=exact)
    assert function.pieces == COUNTS[name]["pieces"]
    assert function.pieces <= most_pieces(network_of(name).widths)


@pytest.mark.parametrize("name", ONE_INPUT)
def test_the_reader_gives_the_same_network(name):
    assert read_npz(NETS / f"{name}.npz") == network_of(name)


@ENGINES
@pytest.mark.parametrize("name", TENTS)
def test_the_tents_are_zigzags(name, exact):
    function = on_interval(network_of(name), 0, 1, exact=exact)
    expected = zigzag(COUNTS[name]["pieces"])
    assert (
        function.knots.astype(float).tolist() == expected.knots.astype(float).tolist()
    )
    assert (
        function.values.astype(float).tolist() == expected.values.astype(float).tolist()
    )
    assert crossings(function) == COUNTS[name]["pieces"] + 1


@pytest.mark.parametrize("name", ["n1_64x3_s0", "n1_256x3_s0"])
def test_both_engines_find_the_same_knots_and_values(name):
    network = network_of(name)
    exact, floats = (on_interval(network, -1, 1, exact=e) for e in (True, False))
    np.testing.assert_allclose(floats.knots, exact.knots.astype(float), atol=1e-12)
    np.testing.assert_allclose(floats.values, exact.values.astype(float), atol=1e-9)


@pytest.mark.parametrize("name", ["n1_64x3_s0", "tent8"])
def test_the_function_is_the_network_at_its_knots_and_between(name):
    network = network_of(name)
    function = on_interval(network, *domain(name))
    knots = function.knots.tolist()
    for a, b in list(itertools.pairwise(knots))[::17]:
        for x in (a, b, (a + b) / 2, (2 * a + b) / 3):
            assert function(x) == network([x])[0]


def test_all_of_the_line_has_at_least_the_pieces_of_an_interval():
    network = network_of("n1_64x3_s0")
    everywhere = on_interval(network)
    assert everywhere.is_on_whole_line
    assert everywhere.pieces >= COUNTS["n1_64x3_s0"]["pieces"]
    assert everywhere.pieces == on_interval(network, exact=False).pieces


def test_the_slow_count_in_fractions_agrees_on_a_small_tent():
    assert pieces(cut(network_of("tent4"), 0, 1)) == COUNTS["tent4"]["pieces"]
