r"""Regression with kernels: solved once, or followed through training.

For squared loss (1/2) sum_i (f(x_i) - y_i)^2 and a kernel that stays fixed the residual
obeys r' = -K r: f_t(x) = f_0(x) + k(x, X) a_t with
a_t = (1 - exp(-t K)) / K (y - f_0(X)); gradient descent with rate h replaces exp(-t K)
by (1 - h K)^steps.
"""

from dataclasses import dataclass

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._inputs import floats, real, whole

ROUNDING = 10  # entries of a kernel are a few units in the last place off
NEGATIVE = 1e-6  # what share of the largest eigenvalue may be lost to rounding


@dataclass(frozen=True, eq=False)
class KernelFit:
    """Coefficients of f = sum_i a_i k(., x_i), and what it took to find them.

    Attributes:
        coefficients: (n,) or (n, k).
        jitter: added to the diagonal for Cholesky to succeed; 0 for least squares.
        rank: eigenvalues inverted (n for Cholesky).
        cutoff: eigenvalues up to it were taken as 0 (0.0 for Cholesky).
        residual: largest |K a - y|.
    """

    coefficients: np.ndarray
    jitter: float
    rank: int
    cutoff: float
    residual: float

    def predict(self, cross: object) -> np.ndarray:
        """Values at new points from k(new, X), shape (m, n)."""
        found = floats(cross, "k(new, X)", ndim=2)
        if found.shape[1] != len(self.coefficients):
            raise HypothesisError(
                f"k(new, X) has shape {found.shape}; it needs "
                f"{len(self.coefficients)} columns, one for each training point"
            )
        return found @ self.coefficients


def fit(
    gram: object, targets: object, *, ridge: float = 0.0, method: str = "cholesky"
) -> KernelFit:
    """Solve (K + ridge) a = y.

    Args:
        gram: K (n, n), symmetric and positive semidefinite up to rounding.
        targets: y, (n,) or (n, k).
        method: "cholesky", with the least jitter n eps 10^j that solves the system, or
            "least-squares": minimum norm, by eigenvalues above a cutoff; the ridge
            counts where eigenvalue + ridge exceeds it.

    Raises:
        HypothesisError: shapes that do not fit, NaN, a matrix that is not symmetric or
            is indefinite beyond rounding, a singular one that cannot give these
            targets (Cholesky), an unknown method.
    """
    k, y = _checked(gram, targets)
    ridge = real(ridge, "ridge", least=0.0)
    if method == "least-squares":
        return _least_squares(k, y, ridge)
    if method != "cholesky":
        raise HypothesisError(
            f"there is no method {method!r}; choose cholesky or least-squares"
        )
    return _cholesky(k, y, ridge)


def _cholesky(k: np.ndarray, y: np.ndarray, ridge: float) -> KernelFit:
    from scipy import linalg

    size = float(np.abs(np.diag(k)).mean()) if len(k) else 0.0
    eps = float(np.finfo(k.dtype).eps)
    step, tolerance = len(k) * eps * size, eps**0.5
    top = float(np.abs(y).max()) if y.size else 0.0
    jitter = 0.0
    for jitter in (0.0, *(step * 10.0**j for j in range(8))):
        shifted = k.copy()
        shifted[np.diag_indices(len(k))] += ridge + jitter
        try:
            factor = linalg.cho_factor(shifted, lower=True, overwrite_a=True)
        except linalg.LinAlgError:
            continue
        a = linalg.cho_solve(factor, y)
        # a factor of a singular matrix may go through and mean nothing
        if np.isfinite(a).all() and _left(k, a, y - ridge * a) <= tolerance * top:
            return KernelFit(a, float(jitter), len(k), 0.0, _left(k, a, y))
    raise HypothesisError(
        "the Gram matrix is singular or indefinite, or nearly so, even "
        f"with up to {jitter:.1e} added to its diagonal; use "
        "method='least-squares' or a larger ridge"
    )


def _least_squares(k: np.ndarray, y: np.ndarray, ridge: float) -> KernelFit:
    values, vectors, cutoff = spectrum(k)
    kept = values > cutoff if ridge == 0 else values + ridge > cutoff
    inverse = np.zeros_like(values)
    inverse[kept] = 1 / (values[kept] + ridge)
    part = vectors.T @ y
    a = vectors @ (inverse.reshape((-1,) + (1,) * (y.ndim - 1)) * part)
    return KernelFit(a, 0.0, int(kept.sum()), cutoff, _left(k, a, y))


def spectrum(k: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Eigenvalues (negative ones as 0), eigenvectors, and the cutoff 10 n eps |K|.

    Raises:
        HypothesisError: an eigenvalue is negative beyond rounding.
    """
    from scipy import linalg

    if not len(k):
        return np.zeros(0), np.zeros((0, 0)), 0.0
    values, vectors = linalg.eigh(k)
    top = float(np.abs(values).max())
    share = max(NEGATIVE, 100 * len(k) * float(np.finfo(k.dtype).eps))
    if values[0] < -share * top:
        raise HypothesisError(
            f"the matrix is indefinite: its eigenvalue {values[0]:.3e} is too "
            "negative to be a rounding error (the largest absolute value of an "
            f"eigenvalue is {top:.3e}); check the kernel"
        )
    cutoff = ROUNDING * len(k) * float(np.finfo(k.dtype).eps) * top
    return np.maximum(values, 0), vectors, cutoff


@dataclass(frozen=True, eq=False)
class LinearTraining:
    """Training with a fixed kernel, in closed form at every time.

    Args:
        gram: K of the training points, (n, n).
        residual: y - f_0(X), (n,) or (n, k).
    """

    values: np.ndarray
    vectors: np.ndarray
    parts: np.ndarray

    def __init__(self, gram: object, residual: object) -> None:
        k, r = _checked(gram, residual)
        values, vectors, _ = spectrum(k)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "vectors", vectors)
        object.__setattr__(self, "parts", vectors.T @ r)

    @property
    def largest_rate(self) -> float:
        """Gradient descent converges for rates below 2 / (largest eigenvalue)."""
        top = float(self.values[-1]) if len(self.values) else 0.0
        return 2 / top if top > 0 else np.inf

    def flow(self, time: float) -> np.ndarray:
        """a_t of gradient flow: f_t = f_0 + k(., X) a_t."""
        time = real(time, "time", least=0.0)
        with np.errstate(over="ignore", under="ignore"):
            grown = -np.expm1(-self.values * time)
        return self._weighted(self._limit(grown, time))

    def descent(self, steps: int, rate: float) -> np.ndarray:
        """a after `steps` steps of gradient descent with this rate.

        Raises:
            HypothesisError: a negative number of steps, or a rate that diverges.
        """
        steps, rate = whole(steps, "steps"), real(rate, "rate")
        if not 0 < rate < self.largest_rate:
            raise HypothesisError(
                f"rate is {rate}; it must be above 0 and below {self.largest_rate:.6g}"
            )
        z = np.minimum(rate * self.values, 2.0)
        # 1 - (1 - z)^n, by logarithms while z is small
        small = z < 0.5
        power = np.where(
            small,
            -np.expm1(steps * np.log1p(-np.where(small, z, 0.0))),
            1 - (1 - z) ** steps,
        )
        return self._weighted(self._limit(power, steps * rate))

    def _limit(self, grown: np.ndarray, time: float) -> np.ndarray:
        """grown / value, and its limit `time` where the value is 0."""
        safe = np.where(self.values > 0, self.values, 1.0)
        return np.where(self.values > 0, grown / safe, time)

    def _weighted(self, weights: np.ndarray) -> np.ndarray:
        shape = (-1,) + (1,) * (self.parts.ndim - 1)
        return self.vectors @ (weights.reshape(shape) * self.parts)


def _checked(gram: object, targets: object) -> tuple[np.ndarray, np.ndarray]:
    k, y = floats(gram, "the Gram matrix"), floats(targets, "the targets")
    both = np.result_type(k, y)
    k, y = k.astype(both, copy=False), y.astype(both, copy=False)
    if (
        k.ndim != 2
        or k.shape[0] != k.shape[1]
        or y.shape[:1] != k.shape[:1]
        or y.ndim > 2
    ):
        raise HypothesisError(
            f"the Gram matrix has shape {k.shape} and the targets {y.shape}; give (n, "
            "n) for the matrix, and (n,) or (n, k) for the targets"
        )
    with np.errstate(over="ignore"):
        gap = float(np.abs(k - k.T).max(initial=0))
    if gap > 1e3 * float(np.finfo(both).eps) * float(np.abs(k).max(initial=0)):
        raise HypothesisError(
            "the Gram matrix is not symmetric: it differs from its "
            f"transpose by up to {gap:.3g}"
        )
    return k, y


def _left(k: np.ndarray, a: np.ndarray, y: np.ndarray) -> float:
    return float(np.abs(k @ a - y).max()) if y.size else 0.0
