"""Affine regions: pieces on intervals, merged neighbours, maps of the network."""

import json
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from depthsep.analysis import on_interval
from depthsep.analysis.regions import affine_regions, regions
from depthsep.exact import nearest_float
from depthsep.interop import read_npz
from depthsep.laws import Uniform
from depthsep.networks import Network
from test_regions import cube, random_network

NETS = Path(__file__).parent / "reference" / "nets"
REFERENCE = json.loads((NETS.parent / "regions.json").read_text("utf-8"))["networks"]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), bits=st.sampled_from([1, 2, 4, 8, None]))
def test_on_an_interval_they_are_the_pieces(seed, bits):
    network = random_network(np.random.default_rng(seed), [1, 5, 4, 1], bits)
    f = on_interval(network, -2, 1)
    assert len(affine_regions(network, Uniform(-2, 1))) == len(f.knots) - 1


@pytest.mark.parametrize("name", [n for n, w in REFERENCE.items() if "pieces" in w])
def test_pieces_of_the_references(name):
    wanted = REFERENCE[name]
    on = Uniform(0, 1) if "domain" in wanted else Uniform(-1, 1)
    if wanted["pieces"] <= 4096:
        found = affine_regions(read_npz(NETS / f"{name}.npz"), on)
        assert len(found) == wanted["pieces"]


def test_an_identity_in_disguise_is_one_region():
    both = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]])
    network = Network.from_arrays(
        both, np.zeros(3), np.array([[1.0, -1.0, 0.0]]), np.zeros(1)
    )
    assert regions(network, cube(2)).activation_regions == 4
    assert affine_regions(network, cube(2)) == [(fmpq(0), fmpq(1), fmpq(0))]


@pytest.mark.parametrize("dim", [2, 3])
def test_maps_are_the_network_s(dim):
    rng = np.random.default_rng(5)
    network = random_network(rng, [dim, 5, 4, 2])
    maps = affine_regions(network, cube(dim))
    floats = np.array([[nearest_float(v) for v in m] for m in maps])
    x = rng.uniform(-1, 1, (500, dim))
    values = network.floats(x)
    wide = np.concatenate([np.ones((500, 1)), x], axis=1)
    found = wide @ floats.reshape(-1, dim + 1).T
    off = np.abs(found.reshape(500, -1, 2) - values[:, None]).max(axis=2).min(axis=1)
    assert off.max() < 1e-12
    assert len(maps) <= regions(network, cube(dim)).activation_regions
