"""How many regions networks of given widths can have: published bounds."""

from collections.abc import Sequence
from math import comb, prod

from depthsep._errors import HypothesisError
from depthsep.analysis.line.pieces._piece_counts import kinks
from depthsep.networks import RELU, Network


def most_regions(widths: Sequence[int], inputs: int) -> int:
    r"""No ReLU network of these widths has more activation regions, on any convex set.

    sum over (j_1, ..., j_L) of prod C(m_l, j_l), where
    0 <= j_l <= min(n, m_1 - j_1, ..., m_{l-1} - j_{l-1}, m_l). For one input and widths
    of two or more this is Theorem A, prod (m_l + 1).

    Source:
        Serra, Tjandraatmadja and Ramalingam (2018), Theorem 1; a short proof stands in
        docs/regions.md.

    Raises:
        HypothesisError: no inputs, or a negative width.
    """
    _check(widths, inputs)
    ways = {inputs: 1}  # of dimensions that are left
    for m in widths:
        found: dict[int, int] = {}
        for dim, count in ways.items():
            for j in range(min(dim, m) + 1):
                left = min(dim, m - j)
                found[left] = found.get(left, 0) + count * comb(m, j)
        ways = found
    return sum(ways.values())


def most_regions_without_rank(widths: Sequence[int], inputs: int) -> int:
    r"""The same for units of two affine pieces each, such as leaky ReLUs and |z|.

    prod_l sum_{j <= d_l} C(m_l, j) with d_l = min(n, m_1, ..., m_{l-1}): at most that
    many parts of a d_l-dimensional space are made by m_l hyperplanes.

    Source:
        Montufar (2017), Proposition 3; docs/regions.md shows why units of any two
        affine pieces may stand there.

    Raises:
        HypothesisError: no inputs, or a negative width.
    """
    _check(widths, inputs)
    dims = [min([inputs, *widths[:k]]) for k in range(len(widths))]
    return prod(
        sum(comb(m, j) for j in range(min(d, m) + 1))
        for m, d in zip(widths, dims, strict=True)
    )


def regions_reached(widths: Sequence[int], inputs: int) -> int:
    r"""Some ReLU network of these widths has at least so many regions on R^n.

    prod_{l < L} floor(m_l / k)^k times sum_{j <= k} C(m_L, j), where k = n if no layer
    is narrower; else the least width, by a network that reads k inputs alone.

    Source:
        Montufar, Pascanu, Cho and Bengio (2014), Theorem 5.

    Raises:
        HypothesisError: no inputs, or a negative width.
    """
    _check(widths, inputs)
    k = min([inputs, *widths])
    if not widths or k == 0:
        return 1
    folds = prod((m // k) ** k for m in widths[:-1])
    return folds * sum(comb(widths[-1], j) for j in range(k + 1))


def region_bound(network: Network, dim: int | None = None) -> int:
    """The bound that fits a network's units, on a slice of `dim` dimensions if given.

    Raises:
        HypothesisError: units that are not continuous and piecewise affine.
    """
    inputs = network.in_dim if dim is None else min(dim, network.in_dim)
    if not all(a.relus for a in network.activations):
        raise HypothesisError(
            "a bound on the number of regions is known only for "
            "networks whose units are ReLUs, leaky ReLUs, clips or |z|"
        )
    if all(a is RELU for a in network.activations):
        return most_regions(network.widths, inputs)
    return most_regions_without_rank(kinks(network), inputs)


def _check(widths: Sequence[int], inputs: int) -> None:
    if inputs < 1 or any(m < 0 for m in widths):
        raise HypothesisError(
            f"`widths` is {tuple(widths)} and `inputs` is {inputs}; "
            "give widths of 0 or more and at least one input"
        )
