"""Domains and networks for tests of regions."""

from itertools import pairwise

import numpy as np

from depthsep.laws import Box, Segment
from depthsep.networks import Network

ENGINES = ("filtered", "rational", "auto")


def cube(dim, start=-1, stop=1):
    side = Segment(start, stop)
    return side if dim == 1 else Box.cube(side, dim)


def euler(faces):
    return sum((-1) ** k * count for k, count in enumerate(faces))


def random_network(rng, sizes, bits=None):
    arrays = []
    for fan, units in pairwise(sizes):
        for shape in ((units, fan), (units,)):
            values = rng.standard_normal(shape)
            if bits is not None:
                values = np.round(values * 2 ** (bits - 1)) / 2 ** (bits - 1)
            arrays.append(values)
    return Network.from_arrays(*arrays)


def diamond():
    """|x| + |y|."""
    rows = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    return Network.from_arrays(rows, np.zeros(4), np.ones((1, 4)), np.zeros(1))
