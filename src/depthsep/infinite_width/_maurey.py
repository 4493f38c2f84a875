r"""Maurey sampling of a finite law in a Hilbert space: exact variance, greedy choice.

V takes the values v_1..v_n with probabilities p; X = E V. Then E |X - mean of k|^2 =
(E |V|^2 - |X|^2) / k (Lemma 2.16, an equality), and choosing each U_t in the support to
minimise |sum_{i<=t} (U_i - X)| meets that bound without luck: averaging over the next
choice, the square grows by at most the variance in every step.
"""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import rational, total


@dataclass(frozen=True, eq=False)
class FiniteLaw:
    """A random vector with finitely many values.

    Args:
        values: (n, D), float64 or rationals; for L2(P) over points x_i of mass P_i, the
            feature's values at x_i times sqrt(P_i), or see `weights`.
        probabilities: (n,), positive, of sum 1 (float64: up to rounding).
        weights: (D,) of the inner product, all 1 if not given: P itself for L2(P).

    Raises:
        HypothesisError: shapes that do not fit, probabilities that do not add up to 1.
    """

    values: np.ndarray
    probabilities: np.ndarray
    weights: np.ndarray

    def __init__(
        self, values: object, probabilities: object, weights: object = None
    ) -> None:
        v, p = _array(values), _array(probabilities)
        if v.ndim != 2 or p.shape != v.shape[:1] or not v.size:
            raise HypothesisError(
                f"the values have shape {v.shape} and the probabilities {p.shape}; "
                "give shapes (n, D) and (n,), with n and D at least 1"
            )
        w = np.ones(v.shape[1]) if weights is None else _array(weights)
        if w.shape != v.shape[1:]:
            raise HypothesisError(
                f"the weights have shape {w.shape}; give ({v.shape[1]},)"
            )
        exact = any(a.dtype == object for a in (v, p, w))
        v, p, w = (_exact(a) if exact else a for a in (v, p, w))
        if not exact and not all(np.isfinite(a).all() for a in (v, p, w)):
            raise HypothesisError("values, probabilities and weights must be finite")
        if any(x < 0 for x in w.tolist()):
            raise HypothesisError("weights of an inner product must not be negative")
        whole = sum(p.tolist())
        off = whole != 1 if exact else abs(whole - 1) > 1e-9
        if off or any(x <= 0 for x in p.tolist()):
            raise HypothesisError("probabilities must be positive and have the sum 1")
        for name, array in (("values", v), ("probabilities", p), ("weights", w)):
            object.__setattr__(self, name, array)

    @property
    def is_exact(self) -> bool:
        """Whether all numbers are rationals."""
        return self.values.dtype == object

    @property
    def mean(self) -> np.ndarray:
        """X = E V, shape (D,)."""
        return self.probabilities @ self.values

    @property
    def variance(self) -> fmpq | float:
        """E |V|^2 - |X|^2: divided by k, exactly the mean squared error of k samples.

        float64 values: as the mean of |V - X|^2, which does not cancel.
        """
        return self._sum(self.probabilities * self._squares(self.values - self.mean))

    def sample(self, count: int, seed: int) -> np.ndarray:
        """Indices of `count` independent samples."""
        chances = np.array([float(_as_float(p)) for p in self.probabilities.tolist()])
        rng = np.random.default_rng(seed)
        return rng.choice(len(chances), size=count, p=chances / chances.sum())

    def greedy(self, count: int) -> np.ndarray:
        """Indices of a choice with squared error at most variance / count.

        Exact for rationals; in float64 up to rounding. Costs count * n * D operations
        and a copy of the values.

        Source:
            Lemma 2.16, with the expectation replaced by a choice; ties go to the first.
        """
        centred = self.values - self.mean
        squares = self._squares(centred)
        path, chosen = centred[0] * 0, []
        for _ in range(count):
            # |path + c|^2 = |path|^2 + 2 <path, c> + |c|^2
            gain = 2 * (centred @ (self.weights * path)) + squares
            best = min(range(len(gain)), key=gain.__getitem__)
            best = int(np.argmin(gain)) if not self.is_exact else best
            chosen.append(best)
            path = path + centred[best]
        return np.array(chosen)

    def squared_error(self, indices: np.ndarray) -> fmpq | float:
        """|X - mean of the chosen values|^2; exact for rationals."""
        count = len(indices)
        if not count:
            raise HypothesisError("no values were chosen; give at least one index")
        whole = (self.values[indices] - self.mean).sum(axis=0)
        square = self._squares(whole[None, :])[0]
        return square / (fmpq(count) ** 2 if self.is_exact else count**2)

    def _squares(self, vectors: np.ndarray) -> np.ndarray:
        return (vectors * vectors) @ self.weights

    def _sum(self, terms: np.ndarray) -> fmpq | float:
        return total(terms.tolist()) if self.is_exact else float(terms.sum())


def _array(given: object) -> np.ndarray:
    array = np.asarray(given)
    if array.dtype == object:
        return array
    return array.astype(np.float64)


def _exact(values: np.ndarray) -> np.ndarray:
    """As rationals, whatever numbers they are."""
    out = np.empty(values.size, dtype=object)
    out[:] = [rational(v) for v in values.ravel().tolist()]
    return out.reshape(values.shape)


def _as_float(value: object) -> float:
    if isinstance(value, fmpq):
        return int(value.p) / int(value.q)
    return float(value)  # type: ignore[arg-type]
