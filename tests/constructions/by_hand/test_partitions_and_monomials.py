"""Partitions of unity and all monomials as networks of their own."""

from itertools import product

import numpy as np
import pytest

from depthsep import HypothesisError, TooLargeError
from depthsep.constructions import monomials_network, partition_network
from depthsep.constructions.by_hand.products._products import monomial_exponents


@pytest.mark.parametrize(("dim", "steps", "levels"), [(1, 4, 0), (2, 3, 2), (3, 1, 3)])
def test_partitions_add_up_to_1_and_are_local(dim, steps, levels):
    network = partition_network(dim, steps, levels)
    x = np.random.default_rng(0).random((500, dim))
    x[:20] = np.round(x[:20] * steps) / steps
    values, e = network.floats(x), 4.0 ** (-levels - 2)
    grid = list(product(range(steps + 1), repeat=dim))
    assert values.shape == (500, len(grid))
    assert np.abs(values.sum(1) - 1).max() <= 2**dim * (dim - 1) * e + 1e-12
    for k, point in enumerate(grid):
        hats = np.maximum(1 - np.abs(steps * x - np.array(point)), 0)
        assert np.abs(values[:, k] - hats.prod(1)).max() <= (dim - 1) * e + 1e-12
        assert np.abs(values[hats.min(1) == 0, k]).max(initial=0) < 1e-12


@pytest.mark.parametrize(("dim", "degree", "levels"), [(2, 3, 4), (3, 2, 3), (1, 4, 5)])
def test_all_monomials_are_within_their_error(dim, degree, levels):
    network, exponents = (
        monomials_network(dim, degree, levels),
        monomial_exponents(dim, degree),
    )
    assert len(set(exponents)) == network.out_dim == len(exponents)
    assert {sum(e) for e in exponents} == set(range(1, degree + 1))
    x = np.random.default_rng(1).uniform(-1, 1, (400, dim))
    values = network.floats(x)
    for k, alpha in enumerate(exponents):
        off = np.abs(values[:, k] - (x ** np.array(alpha)).prod(1)).max()
        assert off <= (sum(alpha) - 1) * 4.0 ** (-levels - 2) + 1e-12


@pytest.mark.parametrize("make", [partition_network, monomials_network])
def test_sizes_are_checked(make):
    with pytest.raises(HypothesisError):
        make(0, 1, 1)
    with pytest.raises(HypothesisError):
        make(1, 0, 1)
    with pytest.raises(TooLargeError):
        make(9, 9, 1)


def test_as_many_monomials_as_the_refusal_allows():
    assert len(monomial_exponents(1, 256)) == 256
    with pytest.raises(
        TooLargeError, match="257 monomials are needed, and at most 256"
    ):
        monomial_exponents(1, 257)
