"""Continuous functions on [0, 1]^d by sums of exponentials: the printed way.

Bernstein polynomials in 2^{x_i}, for small n and exact arithmetic only.
"""

from collections.abc import Callable, Sequence
from itertools import product as cartesian
from math import comb

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import rational, total
from depthsep.networks import EXP, Affine, Network

MAX_NODES = 4096


def bernstein_exponentials(
    values: Callable[[Sequence[fmpq]], fmpq], dim: int, degree: int
) -> dict[tuple[int, ...], fmpq]:
    r"""Outer weights a_l with B_n G = sum_l a_l e^{ln 2 (l . x)}, l in {0..n}^d, exact.

    G(y) = g(log2(1 + y)) at y_i = 2^{x_i} - 1 in [0, 1]; the Bernstein polynomial in y
    is expanded by y = T - 1, 1 - y = 2 - T, T = 2^x. |a|_1 may reach 5^{n d} sup|g|:
    this is for small n and exact arithmetic only.

    Args:
        values: G at rational points of [0, 1]^d.

    Source:
        Telgarsky (2023), Lemma 2.7; error at most L_G sqrt(d / (4 n)), L_G = rho/ln 2.
    """
    if degree < 1 or dim < 1:
        raise HypothesisError(
            f"degree = {degree}, dim = {dim}: give 1 or more for both"
        )
    if (degree + 1) ** dim > MAX_NODES:
        raise HypothesisError(
            f"degree n = {degree} in d = {dim} dimensions needs (n + "
            f"1)^d exponentials; at most {MAX_NODES} are built"
        )
    n, one = degree, [_in_powers_of_two(degree, j) for j in range(degree + 1)]
    weights: dict[tuple[int, ...], fmpq] = {
        exponents: fmpq(0) for exponents in cartesian(range(n + 1), repeat=dim)
    }
    for index in cartesian(range(n + 1), repeat=dim):
        value = values([fmpq(j, n) for j in index])
        for exponents in weights:
            term = value
            for j, power in zip(index, exponents, strict=True):
                term *= one[j][power]
            weights[exponents] += term
    return weights


def _in_powers_of_two(n: int, j: int) -> list[fmpq]:
    """C(n, j) (T - 1)^j (2 - T)^{n-j} as coefficients of T^0..T^n."""
    out = [fmpq(0)] * (n + 1)
    for a in range(j + 1):
        for b in range(n - j + 1):
            ways = comb(n, j) * comb(j, a) * comb(n - j, b)
            out[a + b] += (-1) ** (j - a + b) * ways * 2 ** (n - j - b)
    return out


def exponential_network(
    weights: dict[tuple[int, ...], fmpq], tolerance: object = fmpq(1, 2**64)
) -> Network:
    """The sum of a_l e^{ln 2 (l . x)} as a network with one hidden layer, unit by unit.

    Inner weights are rationals near l ln 2, with so many digits that rounding them
    changes the values on [0, 1]^d by at most `tolerance`, however large the outer
    weights are. Evaluate with `balls` at enough precision: float64 loses about
    |a|_1 2^(|l|_1 - 53).

    Raises:
        HypothesisError: no weights, an exponent below 0, or a tolerance <= 0.

    Source:
        Telgarsky (2023), Lemma 2.7.
    """
    allowed = rational(tolerance, name="the tolerance")
    if allowed <= 0:
        raise HypothesisError(f"the tolerance is {allowed}; it must be positive")
    if not weights or any(power < 0 for powers in weights for power in powers):
        raise HypothesisError(
            "there are no outer weights, or an exponent is negative; give "
            "weights a_l with exponents l >= 0"
        )
    factor = _log_two(_bits(weights, allowed))
    inner = np.array([[factor * k for k in powers] for powers in weights], dtype=object)
    outer = np.array([list(weights.values())], dtype=object)
    layers = [Affine(inner, [fmpq(0)] * len(weights)), Affine(outer, [fmpq(0)])]
    return Network(layers, [EXP])


def _bits(weights: dict[tuple[int, ...], fmpq], tolerance: fmpq) -> int:
    """Digits of ln 2 that keep the sum within the tolerance."""
    # |2^t - e^(t c)| <= 2^s 2 s |ln 2 - c| for 0 <= t <= s and s |ln 2 - c| <= 1/2
    moved = total(abs(a) * 2 ** sum(s) * sum(s) for s, a in weights.items())
    parts = 2 * (moved + max(map(sum, weights)) + 1) / min(tolerance, fmpq(1))
    return int(parts.ceil()).bit_length()


def _log_two(bits: int) -> fmpq:
    """ln 2 within 2^-bits."""
    with ctx.workprec(bits + 8):
        mantissa, exponent = arb.const_log2().mid().man_exp()
    return fmpq(mantissa) * fmpq(2) ** int(exponent)
