"""Ranks of products and bits of Lipschitz functions, beside numbers."""

from itertools import product

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError
from depthsep.lower_bounds._counting import lipschitz_bits, product_rank
from depthsep.separation import bound


@pytest.mark.parametrize("pairs", [1, 2, 3, 5])
def test_all_singular_values_of_the_product_are_equal(pairs) -> None:
    """On Gauss nodes, two for each variable: exact for these degrees."""
    x, w = np.polynomial.legendre.leggauss(2)
    nodes = np.array(list(product(x, repeat=pairs)))
    roots = np.sqrt(np.array([np.prod(v) for v in product(w / 2, repeat=pairs)]))
    f = np.prod(nodes[:, None] + nodes[None], axis=2)
    values = np.linalg.svd(roots[:, None] * f * roots, compute_uv=False)
    assert values == pytest.approx(np.full(2**pairs, 3 ** (-pairs / 2)))
    for rank in range(1, 2**pairs):
        left = np.sqrt((values[rank:] ** 2).sum() / (values**2).sum())
        assert product_rank(pairs, fmpq(int(left * 10**9) + 1, 10**9)) <= rank


def test_the_sum_of_all_monomials_has_the_rank() -> None:
    assert product_rank(10, fmpq(0)) == 1024
    assert bound("sum-product-rank", pairs=40, accuracy="1/2").value == 3 * 2**38
    with pytest.raises(HypothesisError):
        product_rank(3, fmpq(1))


@pytest.mark.parametrize(("dim", "accuracy"), [(1, "1/10"), (2, "1/6"), (3, "1/5")])
def test_lipschitz_functions_that_no_two_share_a_neighbour(dim, accuracy) -> None:
    """The functions of the proof at centres: one more cell is too many."""
    error, bits = fmpq(accuracy), lipschitz_bits(dim, fmpq(accuracy))
    cells = round(bits ** (1 / dim))
    assert cells**dim == bits and fmpq(1, cells) > 2 * error >= fmpq(1, cells + 1)


def test_large_errors_need_no_bits() -> None:
    assert lipschitz_bits(5, fmpq(1, 2)) == 0
    assert bound("lipschitz-bits", dim=20, accuracy="1/10").value == 4**20


@pytest.mark.parametrize("order", [1, 2, 4])
def test_sobolev_sizes_grow_at_their_rates(order) -> None:
    sizes, layers = [], []
    for power in (2, 4, 8, 16):
        given = {"dim": 2, "order": order, "accuracy": f"1/{10**power}"}
        sizes.append(bound("sobolev-points", **given).log2)
        layers.append(bound("sobolev-layers", **given).value)
    wanted = 8 * np.log2(10) * 2 / order
    assert sizes[3] - sizes[2] == pytest.approx(wanted, rel=0.02)
    rises = np.diff(layers) / np.diff([2, 4, 8, 16])
    assert rises.max() <= 1.3 * rises.min() + 1


def test_the_size_is_within_the_corrected_bound() -> None:
    from depthsep.constructions.box._glued_taylor import corrected_bound
    from depthsep.constructions.box._sobolev_rate import taylor_shape

    for accuracy in (fmpq(1, 10), fmpq(1, 10**5)):
        shape = taylor_shape(3, 2, accuracy, fmpq(2))
        at = (3, 2, shape.steps, shape.levels, fmpq(2))
        assert corrected_bound(*at) <= accuracy
        fewer = (3, 2, shape.steps, shape.levels - 1, fmpq(2))
        assert shape.levels == 1 or corrected_bound(*fewer) > accuracy


@pytest.mark.parametrize(("functions", "t"), [(1, 5), (3, 4), (6, 2)])
def test_cuts_of_composed_functions_are_joined(functions, t) -> None:
    """Partitions in general position: their union has one interval more than cuts."""
    cuts = {k + j * functions for k in range(functions) for j in range(t - 1)}
    given = {"functions": functions, "t": t, "degree": 2, "outer": 3}
    found = bound("composed-polynomials", **given).text
    assert found == f"({len(cuts) + 1}, 6)" and len(cuts) + 1 <= functions * t
