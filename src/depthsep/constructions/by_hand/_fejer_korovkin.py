r"""Universal approximation as an algorithm, for continuous functions on [0, 1]^d.

Means with the Fejer-Korovkin kernel of the function, reflected evenly, are cosine
polynomials; products of cosines are sums of ridge cosines cos(pi k.x); each is
interpolated by ReLUs or replaced by sums of another activation. For small n there is
the printed way too: Bernstein polynomials in 2^{x_i}, sums of exponentials.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product as cartesian
from math import comb, pi

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import ball_upper, rational, total
from depthsep.networks import COS, EXP, Affine, Network

PRECISION = 128
MAX_SAMPLES = 1 << 22
MAX_UNITS = 1 << 20
MAX_NODES = 4096
Values = Callable[[np.ndarray], np.ndarray]


def fejer_korovkin_bound(degree: int, dim: int, lipschitz: object) -> Enclosure:
    """The sup error of the mean: rho sqrt(d) sin(pi / (2 n + 4)), rho to l2.

    Source:
        t^2 <= pi^2 sin^2(t / 2) in the second moment of the Fejer-Korovkin kernel.
    """
    rho = rational(lipschitz, name="rho")
    if degree < 1 or dim < 1 or rho < 0:
        raise HypothesisError(f"n = {degree}, d = {dim}, rho = {rho} are out of range")
    with ctx.workprec(PRECISION):
        angle = arb(fmpq(1, 2 * degree + 4)).sin_pi()
        ball = arb(rho) * arb(dim).sqrt() * angle
        return Enclosure(-ball_upper(-ball), ball_upper(ball), Rigour.ENCLOSED)


def kernel_coefficients(degree: int) -> np.ndarray:
    """rho_0 = 1, rho_1 = cos(pi/(n+2)), ..., rho_n of the Fejer-Korovkin kernel."""
    n, k = degree, np.arange(degree + 1)
    angle = pi / (n + 2)
    upper = (n - k + 3) * np.sin((k + 1) * angle)
    lower = (n - k + 1) * np.sin((k - 1) * angle)
    return (upper - lower) / (2 * (n + 2) * np.sin(angle))


def cosine_coefficients(values: Values, dim: int, degree: int) -> np.ndarray:
    """c_k, 0 <= k_i <= n, of the mean sum_k c_k prod_i cos(pi k_i x_i).

    From values at x = j / M, j = 0..M, 2 M >= n + 2 (trapezoidal weights): equispaced
    sums reproduce all moments of degree < 2 M, so the kernel's bound holds as it is.
    """
    m = degree + 2
    if (m + 1) ** dim > MAX_SAMPLES:
        raise TooLargeError(f"{m + 1}^{dim} values are needed; at most {MAX_SAMPLES}")
    nodes = np.arange(m + 1) / m
    grid = np.stack(np.meshgrid(*[nodes] * dim, indexing="ij"), axis=-1)
    table = np.asarray(values(grid.reshape(-1, dim))).reshape((m + 1,) * dim)
    weights = np.full(m + 1, 1.0 / m)
    weights[[0, -1]] /= 2
    k = np.arange(degree + 1)
    basis = np.cos(pi * np.outer(k, nodes)) * weights
    basis *= (np.where(k > 0, 2.0, 1.0) * kernel_coefficients(degree))[:, None]
    for axis in range(dim):
        table = np.moveaxis(np.tensordot(basis, table, axes=(1, axis)), 0, axis)
    return table


def ridge_cosines(coefficients: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(directions (K, d), weights (K,)) with mean = sum_k weight cos(pi direction . x).

    prod cos a_i is the mean of cos(a_1 +- a_2 +- ...), so at most 2^{d-1} (n+1)^d.
    """
    dim, found = coefficients.ndim, {}
    for k in cartesian(*map(range, coefficients.shape)):
        used = [i for i in range(dim) if k[i]]
        share = float(coefficients[k]) / 2 ** max(0, len(used) - 1)
        for signs in cartesian((1, -1), repeat=max(0, len(used) - 1)):
            direction = [0] * dim
            for i, sign in zip(used, (1, *signs), strict=False):
                direction[i] = sign * k[i]
            key = tuple(direction)
            found[key] = found.get(key, 0.0) + share
    kept = {w: c for w, c in found.items() if c != 0.0}
    return np.array(list(kept)).reshape(-1, dim), np.array(list(kept.values()))


@dataclass(frozen=True)
class UniversalNetwork:
    """A network of one hidden layer with a bound on its sup error on [0, 1]^d.

    The bound is of the exact weights; float64 coefficients add rounding, so `sampled`
    at the level of 1e-12 of sum |c|.

    Attributes:
        mean_error: rho sqrt(d) sin(pi / (2 n + 4)).
        cosine_error: what replacing the cosines adds.
    """

    network: Network
    mean_error: Enclosure
    cosine_error: fmpq
    ridges: int


def universal_network(
    values: Values, dim: int, degree: int, lipschitz: object, tolerance: object
) -> UniversalNetwork:
    r"""ReLUs: cos(pi r) interpolated with step h = sqrt(8 delta / |c|_1) / pi.

    The sup error is at most rho sqrt(d) sin(pi / (2 n + 4)) + delta.

    Args:
        values: (m, d) points to (m,) values, for a rho-Lipschitz function (l2).
        tolerance: delta.

    Raises:
        TooLargeError: more than 2^20 units.

    Source:
        Telgarsky (2023), Theorem 2.5, made an algorithm; its step from exponentials to
        other activations rests on density in one dimension, which is not proved there.
    """
    mean_error = fejer_korovkin_bound(degree, dim, lipschitz)
    directions, weights = ridge_cosines(cosine_coefficients(values, dim, degree))
    step = _step(weights, rational(tolerance, name="the tolerance"))
    counts = [_pieces(w, step) for w in directions]
    if sum(counts) > MAX_UNITS:
        raise TooLargeError(
            f"{sum(counts)} units are needed; at most {MAX_UNITS} are built. Choose a "
            "larger tolerance or a smaller degree"
        )
    network = _interpolated(directions, weights, counts)
    return UniversalNetwork(network, mean_error, rational(tolerance), len(weights))


def cosine_network(directions: np.ndarray, weights: np.ndarray) -> Network:
    """The sum of ridge cosines as it stands: one unit of activation cos for each."""
    first = Affine(pi * directions.astype(float), np.zeros(len(directions)))
    return Network([first, Affine(weights[None, :], np.zeros(1))], [COS])


def _range(direction: np.ndarray) -> tuple[float, float]:
    return float(np.minimum(direction, 0).sum()), float(np.maximum(direction, 0).sum())


def _step(weights: np.ndarray, tolerance: fmpq) -> fmpq:
    """A rational just below sqrt(8 delta / |c|_1) / pi."""
    if tolerance <= 0:
        raise HypothesisError(f"the tolerance is {tolerance}; it must be positive")
    size = total(abs(rational(float(c))) for c in weights) or fmpq(1)
    with ctx.workprec(PRECISION):
        return -ball_upper(-(arb(8 * tolerance / size).sqrt() / arb.pi()))


def _pieces(direction: np.ndarray, step: fmpq) -> int:
    """Interpolation pieces over the range of direction . x, counted in rationals."""
    return int((fmpq(int(np.abs(direction).sum())) / step).ceil())


def _interpolated(
    directions: np.ndarray, weights: np.ndarray, counts: Sequence[int]
) -> Network:
    rows, offsets, outer, constant = [], [], [], 0.0
    for w, c, count in zip(directions, weights, counts, strict=True):
        low, high = _range(w)
        constant += c * np.cos(pi * low)
        if not count:
            continue
        knots = np.linspace(low, high, count + 1)
        slopes = np.diff(np.cos(pi * knots)) / np.diff(knots)
        rows.append(np.tile(w.astype(float), (count, 1)))
        offsets.append(-knots[:-1])
        outer.append(c * np.diff(slopes, prepend=0.0))
    if not rows:
        return Network([Affine(np.zeros((1, directions.shape[1])), [constant])])
    first = Affine(np.concatenate(rows), np.concatenate(offsets))
    last = Affine(np.concatenate(outer)[None, :], np.array([constant]))
    return Network([first, last])


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
    if degree < 1 or dim < 1 or (degree + 1) ** dim > MAX_NODES:
        raise HypothesisError(
            f"n = {degree} in {dim} dimensions: at most {MAX_NODES} exponentials"
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
        raise HypothesisError("give outer weights a_l of exponents l >= 0")
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
