r"""Deep linear networks: what depth does to gradient descent on a linear model.

x -> W_N ... W_1 x, with the loss L of the one-layer model at the product and weight
decay lam/2 sum |W_j|_F^2. Formulas are written for arrays of any kind, so that steps
with rational entries (object arrays) are exact.

Source: Arora, Cohen and Hazan (2018). The restatements at hand leave out that the
end-to-end rule needs balanced weights, W_{j+1}^T W_{j+1} = W_j W_j^T, and that for
discrete steps it holds up to O(eta^2).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._inputs import Numbers, floats, whole

Gradient = Callable[[Numbers], Numbers]


class Overparametrised(NamedTuple):
    """w = second * first: a linear model of two layers of width 1."""

    first: Numbers
    second: Numbers

    @property
    def product(self) -> Numbers:
        """w = w_1 w_2."""
        return self.first * self.second


def regression_gradient(x: Numbers, y: Numbers, power: int) -> Gradient:
    """w -> the gradient of (1/p) mean |x w - y|^p, x of shape (n, d).

    For odd p the power is that of the absolute value.

    Raises:
        HypothesisError: p < 2.
    """
    whole(power, "p", least=2, most=64)

    def gradient(w: Numbers) -> Numbers:
        gap = x @ w - y
        slope = gap ** (power - 1)
        if power % 2:
            slope = abs(gap) ** (power - 2) * gap
        return x.T @ slope / len(y)

    return gradient


def regression_loss(x: Numbers, y: Numbers, power: int) -> Callable[[Numbers], Numbers]:
    """w -> (1/p) mean |x w - y|^p."""
    whole(power, "p", least=2, most=64)
    return lambda w: (abs(x @ w - y) ** power).sum() / (power * len(y))


def overparametrised_step(
    weights: Overparametrised, gradient: Gradient, rate: float
) -> Overparametrised:
    """One step of gradient descent on both factors: G at w, times w_2 and w_1."""
    g = gradient(weights.product)
    first, second = weights
    return Overparametrised(first - rate * second * g, second - rate * (first @ g))


def overparametrised_product(
    weights: Overparametrised, g: Numbers, rate: float
) -> Numbers:
    """w after that step, from w, w_2 and G alone, nothing dropped.

    w - eta w_2^2 G - eta <w, G> w / w_2^2 + eta^2 <w, G> G. Printed without the last
    term, as O(eta^2).

    Raises:
        HypothesisError: w_2 = 0, where w does not determine w_1.
    """
    w, square = weights.product, weights.second * weights.second
    if square == 0:
        raise HypothesisError("w_2 is 0, so the product does not determine w_1")
    inner = w @ g
    return w - rate * square * g - rate * inner / square * w + rate * rate * inner * g


class Momentum(NamedTuple):
    """The steps seen as descent with memory: w_t = (prod decay) w_0 - sum mu_s G_s.

    Attributes:
        rate: (steps,), rho_s = eta w_2^2 - eta^2 <w, G>, of the gradient of step s.
        decay: (steps,), gamma_s = eta <w, G> / w_2^2.
        memory: (steps,), the weight of G_s in w after all steps:
            rho_s prod_{r > s} (1 - gamma_r).
        start: what is left of w_0, prod (1 - gamma_s); the printed form has no such
            term, so it needs w_0 = 0 (and is approximate near 0).
        mu: (steps - 1,), for the last step t alone, w_{t+1} = w_t - rho_t G_t -
            sum_{s < t} mu_s G_s: -gamma_t rho_s prod_{s < r < t} (1 - gamma_r). As
            printed it needs w_0 = 0; else gamma_t prod_{r < t} (1 - gamma_r) w_0 is
            subtracted too.
    """

    rate: Numbers
    decay: Numbers
    memory: Numbers
    start: Numbers | float
    mu: Numbers


def momentum_form(
    weights: Overparametrised, gradient: Gradient, rate: float, steps: int
) -> tuple[Momentum, Numbers]:
    """The coefficients of `steps` steps, and the gradients (steps, d) they multiply.

    Exact: with rational entries, start * w_0 - sum memory_s G_s is w after the steps.
    The index of the first gradient is 0.

    Raises:
        HypothesisError: w_2 becomes 0.
    """
    whole(steps, "steps", least=1)
    rates, decays, gradients = [], [], []
    for _ in range(steps):
        w, g = weights.product, gradient(weights.product)
        square, inner = weights.second * weights.second, w @ g
        if square == 0:
            raise HypothesisError("w_2 became 0, so there is no momentum form")
        rates.append(rate * square - rate * rate * inner)
        decays.append(rate * inner / square)
        gradients.append(g)
        weights = overparametrised_step(weights, gradient, rate)
    memory, start = _weights_of_gradients(rates, decays)
    before, _ = _weights_of_gradients(rates[:-1], decays[:-1])
    mu = np.array([-decays[-1] * x for x in before])
    form = Momentum(np.array(rates), np.array(decays), memory, start, mu)
    return form, np.array(gradients)


def _weights_of_gradients(
    rates: list[Numbers], decays: list[Numbers]
) -> tuple[np.ndarray, Numbers | float]:
    """rho_s prod_{r > s} (1 - gamma_r), and the whole product."""
    left, memory = 1, []
    for rho, gamma in zip(reversed(rates), reversed(decays), strict=True):
        memory.append(rho * left)
        left = left * (1 - gamma)
    return np.array(memory[::-1]), left


def end_to_end(layers: Sequence[Numbers]) -> Numbers:
    """W_N ... W_1.

    Raises:
        HypothesisError: no layers.
    """
    if not len(layers):
        raise HypothesisError("a product needs at least one layer")
    product = layers[0]
    for layer in layers[1:]:
        product = layer @ product
    return product


def layer_gradients(
    layers: Sequence[Numbers], g: Numbers, decay: float = 0
) -> list[Numbers]:
    """dL/dW_j + lam W_j from the gradient g of the one-layer loss at the product."""
    found = []
    for j, layer in enumerate(layers):
        part = g
        if j + 1 < len(layers):
            part = end_to_end(layers[j + 1 :]).T @ part
        if j > 0:
            part = part @ end_to_end(layers[:j]).T
        found.append(part + decay * layer)
    return found


def descend_layers(
    layers: Sequence[Numbers], gradient: Gradient, rate: float, decay: float = 0
) -> list[Numbers]:
    """One step of gradient descent on all layers."""
    slopes = layer_gradients(layers, gradient(end_to_end(layers)), decay)
    return [w - rate * s for w, s in zip(layers, slopes, strict=True)]


def imbalance(layers: Sequence[Numbers]) -> list[Numbers]:
    """D_j = W_{j+1}^T W_{j+1} - W_j W_j^T: the flow multiplies them by e^(-2 lam t).

    All 0 for balanced weights, as the end-to-end rule needs.
    """
    return [after.T @ after - before @ before.T for before, after in pairwise(layers)]


def velocity_of_product(layers: Sequence[Numbers], g: Numbers) -> Numbers:
    """W' under the flow, from any layers: -sum_j A_j A_j^T G B_j^T B_j.

    A_j = W_N ... W_(j+1), B_j = W_(j-1) ... W_1. Rational entries (object arrays) give
    an exact velocity; for balanced layers it is `end_to_end_velocity` of the product.
    """
    slopes, found = layer_gradients(layers, g), 0 * end_to_end(layers)
    for j, slope in enumerate(slopes):
        part = -1 * slope
        if j + 1 < len(layers):
            part = end_to_end(layers[j + 1 :]) @ part
        if j > 0:
            part = part @ end_to_end(layers[:j])
        found = found + part
    return found


def end_to_end_velocity(
    w: Numbers, g: Numbers, depth: int, decay: float = 0.0
) -> np.ndarray:
    """W' under the flow, from the product alone, for balanced layers.

    -lam N W - sum_{j=1}^N (W W^T)^{(j-1)/N} G (W^T W)^{(N-j)/N}, powers 0 being the
    identity also where W is singular.
    """
    return -decay * depth * np.asarray(w, dtype=float) - preconditioner(w, depth)(g)


@dataclass(frozen=True, eq=False)
class Preconditioner:
    """G -> sum_{j=1}^N (W W^T)^{(j-1)/N} G (W^T W)^{(N-j)/N}, diagonalised.

    Attributes:
        left, right: orthogonal, the columns u_r and v_s of the singular vectors of W.
        eigenvalues: (rows, columns) of u_r v_s^T, sum_j s_r^{2(j-1)/N} s_s^{2(N-j)/N}:
            directions of large singular values go fastest.
    """

    left: np.ndarray
    right: np.ndarray
    eigenvalues: np.ndarray

    def __call__(self, g: Numbers) -> np.ndarray:
        """What the gradient G becomes."""
        inside = self.left.T @ np.asarray(g, dtype=float) @ self.right
        return self.left @ (self.eigenvalues * inside) @ self.right.T


def preconditioner(w: Numbers, depth: int) -> Preconditioner:
    """The linear map that balanced layers apply to the gradient at their product.

    Source:
        Arora, Cohen and Hazan (2018), Claim 1, on vectorised gradients.
    """
    whole(depth, "depth", least=1)
    matrix = np.asarray(w, dtype=float)
    left, size, right = np.linalg.svd(matrix)
    size = _above_rounding(size, matrix.shape)
    rows, columns = np.zeros(matrix.shape[0]), np.zeros(matrix.shape[1])
    rows[: len(size)] = columns[: len(size)] = size
    eigenvalues = sum(
        np.outer(
            _power(rows, 2 * (j - 1) / depth), _power(columns, 2 * (depth - j) / depth)
        )
        for j in range(1, depth + 1)
    )
    return Preconditioner(left, right.T, np.asarray(eigenvalues))


def end_to_end_step(
    w: Numbers, g: Numbers, depth: int, rate: float, decay: float = 0.0
) -> np.ndarray:
    """W + eta W': what balanced descent does to the product, up to O(eta^2)."""
    return np.asarray(w, dtype=float) + rate * end_to_end_velocity(w, g, depth, decay)


def vector_velocity(
    w: Numbers, g: Numbers, depth: int, decay: float = 0.0
) -> np.ndarray:
    """The same for one output: -|w|^(2-2/N) (G + (N-1) Pr_w G) - lam N w.

    Pr_w is the projection to w, 0 at w = 0.
    """
    whole(depth, "depth", least=1)
    w, g = np.asarray(w, dtype=float), np.asarray(g, dtype=float)
    square = float(w @ w)
    along = (w @ g) / square * w if square else np.zeros_like(w)
    size = square ** (1 - 1 / depth) if depth > 1 else 1.0
    return -size * (g + (depth - 1) * along) - decay * depth * w


def balanced_layers(w: Numbers, depth: int) -> list[np.ndarray]:
    """Balanced layers with the product w, from its singular values' N-th roots."""
    whole(depth, "depth", least=1)
    w = np.asarray(floats(w, "w", ndim=2), dtype=float)
    if depth == 1:
        return [w]
    left, size, right = np.linalg.svd(w, full_matrices=False)
    size = _above_rounding(size, w.shape)
    root = size ** (1 / depth)
    middle = [np.diag(root) for _ in range(depth - 2)]
    return [root[:, None] * right, *middle, left * root]


def _above_rounding(size: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Singular values, 0 where rounding alone explains them: roots would show it."""
    small = max(shape) * np.finfo(float).eps * size.max(initial=0.0)
    return np.where(size > small, size, 0.0)


def _power(sizes: np.ndarray, exponent: float) -> np.ndarray:
    return np.ones_like(sizes) if exponent == 0 else sizes**exponent
