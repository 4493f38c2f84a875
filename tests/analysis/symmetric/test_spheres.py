"""The examiner of functions of an inner product on spheres."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import Problem
from depthsep.analysis import examine
from depthsep.evidence import Inapplicable
from depthsep.exact import rational
from depthsep.networks import Affine, Network
from depthsep.targets import InnerProduct


def test_tiny_directions_are_refused_or_enclosed():
    asked = Problem(InnerProduct("0", 2), norm="linf", accuracy="1/10")
    v = 2.7e-162
    for rows, bias, read in (
        ([[v, 0, v, 0]] * 2, [1.0, -5e-162], [[1e-309, 1e165]]),
        ([[1e-200, 0, 1e-200, 0], [0, 1e-200, 0, 1e-200]], [0.0, 0], [[1.0, 1]]),
    ):
        network = Network([Affine(np.array(rows), bias), Affine(np.array(read), [0.0])])
        found = examine(network, asked)
        if not isinstance(found, Inapplicable):
            seen = np.abs(network.floats(asked.law.sample(2000, 1))).max()
            assert rational(float(seen)) <= found.error.upper <= fmpq(1, 10**100)


@pytest.mark.parametrize("read", [[0.0, 0, 0, 0], [1.0, -1, -1, 1], [1e308] * 4])
def test_odd_read_outs_are_no_crash(read):
    rows = np.array([[1.0, 0, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 1, 0, 1]])
    network = Network([Affine(rows, np.zeros(4)), Affine(np.array([read]), [0.0])])
    found = examine(network, Problem(InnerProduct("t", 2), accuracy="1/10"))
    assert isinstance(found, Inapplicable) or found.error.upper >= 1
