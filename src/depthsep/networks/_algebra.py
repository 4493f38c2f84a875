"""Algebra on networks: every operation returns a network, exactly equal as a function.

Where float64 weights cannot hold an exact result, the layer concerned becomes
rational; no operation rounds.
"""

from collections.abc import Sequence

import numpy as np
from flint import fmpq, fmpz_mat

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.exact import floats_if_exact, rational, rationals
from depthsep.networks._affine import Affine
from depthsep.networks._network import Network
from depthsep.networks.activations._activations import RELU


def compose(outer: Network, inner: Network) -> Network:
    """x -> outer(inner(x)); the two affine maps that meet are fused into one.

    The depth is ``outer.depth + inner.depth - 1``.
    """
    if outer.in_dim != inner.out_dim:
        raise HypothesisError(
            f"the inner network gives {plural(inner.out_dim, 'value')}, the outer "
            f"one takes {outer.in_dim}; these must agree"
        )
    seam = _fused(outer.layers[0], inner.layers[-1])
    return Network(
        (*inner.layers[:-1], seam, *outer.layers[1:]),
        inner.activations + outer.activations,
    )


def parallel(first: Network, second: Network) -> Network:
    """x -> (first(x), second(x)); the shallower one is deepened."""
    first, second = _aligned(first, second)
    return Network(_side_by_side(first, second), first.activations)


def add(first: Network, second: Network) -> Network:
    """x -> first(x) + second(x); the shallower one is deepened."""
    if first.out_dim != second.out_dim:
        raise HypothesisError(
            f"the networks give {first.out_dim} and {second.out_dim} values; to be "
            "added, they must give the same number of values"
        )
    first, second = _aligned(first, second)
    a, b = first.layers[-1], second.layers[-1]
    if first.depth == 1:
        return Network([Affine(added(a.weight, b.weight), added(a.bias, b.bias))])
    last = Affine(joined([a.weight, b.weight], 1), added(a.bias, b.bias))
    return Network((*_side_by_side(first, second)[:-1], last), first.activations)


def scale(network: Network, factor: object) -> Network:
    """x -> factor * network(x)."""
    c = rational(factor, name="factor")
    last = network.layers[-1]
    larger = Affine(scaled(last.weight, c), scaled(last.bias, c))
    return Network((*network.layers[:-1], larger), network.activations)


def shift(network: Network, amount: object) -> Network:
    """x -> network(x) + amount, the same amount for every output."""
    c = rational(amount, name="amount")
    last = network.layers[-1]
    moved = Affine(last.weight, added(last.bias, _constants(network.out_dim, c)))
    return Network((*network.layers[:-1], moved), network.activations)


def restrict(
    network: Network, base: Sequence[object], *directions: Sequence[object]
) -> Network:
    """The network on an affine subspace: t -> network(base + sum_k t_k direction_k).

    One direction gives the restriction to a line, a function of one variable.
    """
    if not directions:
        raise HypothesisError("give at least one direction")
    for vector in (base, *directions):
        if len(vector) != network.in_dim:
            raise HypothesisError(
                f"the vector has {plural(len(vector), 'number')}; the network "
                f"takes {network.in_dim}"
            )
    columns = [[rational(x, name="a coordinate") for x in d] for d in directions]
    point = [rational(x, name="a coordinate") for x in base]
    chart = Affine([list(row) for row in zip(*columns, strict=True)], point)
    return compose(network, Network([chart]))


def deepen(network: Network, depth: int) -> Network:
    """The same function with more ReLU layers, which pass what they carry unchanged.

    Carries either the last hidden layer as it is (where its units are never negative)
    or the outputs as two units each, whichever is narrower.
    """
    missing = depth - network.depth
    if missing < 0:
        raise HypothesisError(
            f"the network already has depth {network.depth}; the new depth "
            "must not be smaller"
        )
    if missing == 0:
        return network
    passes_on = network.depth > 1 and network.activations[-1].nonnegative
    if passes_on and network.widths[-1] <= 2 * network.out_dim:
        m = network.widths[-1]
        carry = Affine(np.eye(m), np.zeros(m))
        layers = [*network.layers[:-1], *[carry] * missing, network.layers[-1]]
    else:
        split, join = _sign_split(network.out_dim)
        carry = Affine(np.eye(2 * network.out_dim), np.zeros(2 * network.out_dim))
        first = _fused(split, network.layers[-1])
        layers = [*network.layers[:-1], first, *[carry] * (missing - 1), join]
    return Network(layers, network.activations + (RELU,) * missing)


def _sign_split(n: int) -> tuple[Affine, Affine]:
    # x = relu(x) - relu(-x)
    eye = np.eye(n)
    split = Affine(np.vstack([eye, -eye]), np.zeros(2 * n))
    return split, Affine(np.hstack([eye, -eye]), np.zeros(n))


def _aligned(first: Network, second: Network) -> tuple[Network, Network]:
    if first.in_dim != second.in_dim:
        raise HypothesisError(
            f"the networks take {first.in_dim} and {second.in_dim} "
            "inputs; these must agree"
        )
    depth = max(first.depth, second.depth)
    first, second = deepen(first, depth), deepen(second, depth)
    if first.activations != second.activations:
        raise HypothesisError(
            "the networks have different activations in one layer, which "
            "is not supported"
        )
    return first, second


def _side_by_side(first: Network, second: Network) -> list[Affine]:
    pairs = list(zip(first.layers, second.layers, strict=True))
    a, b = pairs[0]
    layers = [Affine(joined([a.weight, b.weight], 0), joined([a.bias, b.bias], 0))]
    for a, b in pairs[1:]:
        layers.append(Affine(_diagonal(a, b), joined([a.bias, b.bias], 0)))
    return layers


def _diagonal(a: Affine, b: Affine) -> np.ndarray:
    (p, q), (r, s) = a.shape, b.shape
    upper = joined([a.weight, np.zeros((p, s))], 1)
    return joined([upper, joined([np.zeros((r, q)), b.weight], 1)], 0)


def joined(arrays: list[np.ndarray], axis: int = 0) -> np.ndarray:
    """Concatenate weights of either storage; rational if any of them is."""
    if any(x.dtype == object for x in arrays):
        arrays = [rationals(x) for x in arrays]
    return np.concatenate(arrays, axis=axis)


def _constants(n: int, c: fmpq) -> np.ndarray:
    out = np.empty(n, dtype=object)
    out[:] = [c] * n
    return out


def added(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The exact sum; float64 where that holds it and the first was."""
    return _stored(rationals(a) + rationals(b), a.dtype != object)


def scaled(a: np.ndarray, c: fmpq) -> np.ndarray:
    """Weights times a rational; float64 where that is exact."""
    return _stored(rationals(a) * c, a.dtype != object)


def _stored(exact: np.ndarray, as_floats: bool) -> np.ndarray:
    """Back to float64 when wanted and when nothing is lost."""
    return floats_if_exact(exact) if as_floats else exact


def _fused(outer: Affine, inner: Affine) -> Affine:
    """The affine map outer(inner(x)), multiplied out in exact integers."""
    wo, bo, so = outer.integers
    wi, bi, si = inner.integers
    both = np.concatenate([wi.astype(object), bi.astype(object)[:, None]], axis=1)
    product = fmpz_mat(wo.tolist()) * fmpz_mat(both.tolist())
    entries = np.empty(product.nrows() * product.ncols(), dtype=object)
    entries[:] = [fmpq(x, so * si) for x in product.entries()]
    table = entries.reshape(product.nrows(), product.ncols())
    bias = table[:, -1] + np.array(
        [fmpq(int(x), so) for x in bo.tolist()], dtype=object
    )
    as_floats = outer.is_float and inner.is_float
    return Affine(_stored(table[:, :-1], as_floats), _stored(bias, as_floats))


def check_output(network: Network, output: int) -> None:
    """Refuse an output that does not exist; they count from 0.

    Raises:
        HypothesisError: names the output and how many there are.
    """
    if not 0 <= output < network.out_dim:
        raise HypothesisError(
            f"output {output} does not exist; outputs are counted from "
            f"0, and their number is {network.out_dim}"
        )


def single_output(network: Network, output: int) -> Network:
    """The network with one of its outputs alone.

    Raises:
        HypothesisError: there is no such output.
    """
    check_output(network, output)
    last = network.layers[-1]
    row = Affine(last.weight[output : output + 1], last.bias[output : output + 1])
    return Network((*network.layers[:-1], row), network.activations)
