r"""Transport maps: the infinite-width limit of networks near their start.

v_j = v_0j + a_j T(v_0j) / (rho sqrt m) gives rho / sqrt(m) F_0(x; V) = noise +
(1/m) sum_j T(v_0j) . x sigma'(v_0j . x), which tends to
F_inf(x; T) = E T(v) . x sigma'(v . x), v ~ N(0, I_d), for any activation with a mean
derivative; ReLU if none is named.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from flint import arb

from depthsep._errors import HypothesisError
from depthsep.near_init.kernels._kernel import TangentKernel
from depthsep.near_init.kernels._slopes import mean_slope, with_slope

SAMPLED_ONLY = ("tanh", "logistic", "softplus")  # no kernel in closed form
ROWS_A_BLOCK = 1 << 16


@dataclass(frozen=True)
class Transport:
    """A map T from rows (m, d) to rows (m, d), with F_inf where it is known.

    Attributes:
        move: T, vectorised.
        limit: F_inf of points (n, d), shape (n,); None if only sampling knows it.
        activation: sigma, by name.
    """

    move: Callable[[np.ndarray], np.ndarray]
    limit: Callable[[np.ndarray], np.ndarray] | None = None
    activation: str = "relu"


def constant(t: object, activation: str = "relu") -> Transport:
    """T(v) = t: F_inf(x) = t . x E sigma'(|x| g), g of law N(0, 1); t . x / 2 for ReLU.

    In closed form for relu, leaky-relu:ALPHA, identity, abs, erf, sin, cos and exp.
    """
    vector = np.asarray(t, dtype=float)
    known = mean_slope(activation, arb(1)) is not None

    def limit(x: np.ndarray) -> np.ndarray:
        squares = (x**2).sum(axis=1).tolist()
        slopes = [mean_slope(activation, arb(s)) for s in squares]
        return x @ vector * np.array([float(arb(s)) for s in slopes if s is not None])

    return Transport(
        lambda v: np.broadcast_to(vector, v.shape),
        limit if known else None,
        activation,
    )


def kernel_combination(
    alpha: object, centres: object, activation: str = "relu"
) -> Transport:
    """T(v) = sum_i alpha_i x_i sigma'(v . x_i): F_inf = sum_i alpha_i k_inf(x_i, .).

    In closed form for the activations of `TangentKernel`.
    """
    weights = np.atleast_1d(np.asarray(alpha, dtype=float))
    points = np.atleast_2d(np.asarray(centres, dtype=float))
    if weights.shape != points.shape[:1]:
        raise HypothesisError(
            f"there are {weights.shape[0]} weights for "
            f"{points.shape[0]} centres; give one weight for each centre"
        )

    def move(v: np.ndarray) -> np.ndarray:
        return (with_slope(activation, v @ points.T)[1] * weights) @ points

    if activation in SAMPLED_ONLY:
        return Transport(move, activation=activation)
    kernel = TangentKernel(activation, 2, trained=(1,))
    return Transport(move, lambda x: kernel(x, points) @ weights, activation)


def one_kernel(centre: object, activation: str = "relu") -> Transport:
    """T(v) = x' sigma'(v . x'): F_inf(x) = k_inf(x, x')."""
    return kernel_combination([1.0], [centre], activation)


def transported(
    transport: Transport,
    signs: np.ndarray,
    start: np.ndarray,
    rho: float,
    *,
    printed: bool = False,
) -> np.ndarray:
    """V: rows v_0j + a_j T(v_0j) / (rho sqrt m).

    Args:
        printed: the factor a_j rho / sqrt(m) of equation (3.13) in print; with it the
            planted part is multiplied by rho^2 and tends to 0 with rho.

    Source:
        Telgarsky (2023), equation (3.13), corrected.
    """
    if not rho > 0:
        raise HypothesisError(f"rho is {rho}; give a positive number")
    factor = rho if printed else 1 / rho
    moved, a = transport.move(start), np.ravel(signs)
    return start + (factor / len(start) ** 0.5) * a[:, None] * moved


def scaled_linearisation(
    signs: np.ndarray,
    start: np.ndarray,
    v: np.ndarray,
    x: np.ndarray,
    rho: float,
    activation: str = "relu",
) -> np.ndarray:
    """rho / sqrt(m) F_0(x; V) for points (n, d), by blocks of rows: shape (n,)."""
    found, a = np.zeros(len(x)), np.ravel(signs)
    for i in range(0, len(start), ROWS_A_BLOCK):
        part = slice(i, i + ROWS_A_BLOCK)
        z = x @ start[part].T
        value, slope = with_slope(activation, z)
        found += (value + slope * (x @ v[part].T - z)) @ a[part]
    return rho / len(start) ** 0.5 * found


@dataclass(frozen=True, eq=False)
class Sampled:
    """A Monte Carlo mean: `sampled`.

    Attributes:
        mean, standard_error: shape (n,); the error bars are those of the central limit
            theorem.
    """

    mean: np.ndarray
    standard_error: np.ndarray
    samples: int


def sampled_limit(
    transport: Transport,
    x: np.ndarray,
    samples: int,
    seed: int,
) -> Sampled:
    """F_inf(x; T) of points (n, d) from random rows.

    Raises:
        HypothesisError: fewer than two samples.
    """
    if samples < 2:
        raise HypothesisError(f"error bars need 2 samples or more, not {samples}")
    rng = np.random.default_rng(seed)
    total, square = np.zeros(len(x)), np.zeros(len(x))
    left = samples
    while left:
        count = min(left, ROWS_A_BLOCK)
        v = rng.standard_normal((count, x.shape[1]))
        slopes = with_slope(transport.activation, x @ v.T)[1]
        terms = slopes * (x @ transport.move(v).T)
        total += terms.sum(axis=1)
        square += (terms**2).sum(axis=1)
        left -= count
    mean = total / samples
    spread = np.maximum(square / samples - mean**2, 0) * samples / (samples - 1)
    return Sampled(mean, np.sqrt(spread / samples), samples)
