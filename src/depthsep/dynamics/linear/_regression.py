"""Data of linear regressions, and the least l_p loss on them."""

from typing import NamedTuple

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._inputs import real, whole

SAMPLES, INPUTS = 400, 10
ROUNDING = 2.0**-50  # four units of the last place


class Regression(NamedTuple):
    """Data of a linear regression: inputs (n, d), values (n,), and their name.

    Attributes:
        digest: SHA-256 of the file they come from; empty if they come from none.
    """

    inputs: np.ndarray
    values: np.ndarray
    name: str
    digest: str = ""


def scaled(data: Regression) -> Regression:
    """Inputs and values centred and of variance 1; what is constant becomes 0."""
    inputs, values = (_scaled(np.asarray(part)) for part in data[:2])
    return data._replace(inputs=inputs, values=values)


def _scaled(columns: np.ndarray) -> np.ndarray:
    size = columns.std(axis=0)
    return (columns - columns.mean(axis=0)) / np.where(size > 0, size, 1)


def regression(name: str, *, seed: int = 0, condition: float = 100.0) -> Regression:
    """``synthetic`` (of a condition number, Laplace noise) or ``diabetes``.

    Values are centred and scaled to unit variance, the inputs of diabetes too.

    Args:
        condition: of the covariance of the synthetic inputs.

    Raises:
        HypothesisError: another name, or scikit-learn, which has the data, is missing.
    """
    whole(seed, "seed", most=2**31 - 1)
    real(condition, "condition", least=1)
    if name == "synthetic":
        rng = np.random.default_rng(seed)
        sizes = np.geomspace(1, condition**-0.5, INPUTS)
        turn, _ = np.linalg.qr(rng.standard_normal((INPUTS, INPUTS)))
        x = rng.standard_normal((SAMPLES, INPUTS)) * sizes @ turn
        y = x @ (turn.T @ (rng.standard_normal(INPUTS) / sizes)) / INPUTS**0.5
        y = y + 0.1 * rng.laplace(size=SAMPLES)
        return Regression(x, (y - y.mean()) / y.std(), name)
    if name == "diabetes":
        try:
            from sklearn.datasets import load_diabetes
        except ImportError:
            raise HypothesisError(
                "the diabetes data come with scikit-learn: pip install depthsep[data]"
            ) from None
        x, y = (np.asarray(v) for v in load_diabetes(return_X_y=True))
        return scaled(Regression(x, y, name))
    raise HypothesisError(f"`data` is {name!r}; choose synthetic or diabetes")


def least_loss(x: np.ndarray, y: np.ndarray, power: int) -> float:
    """Of the convex problem, by scipy's trust region from least squares.

    0 where least squares fit every value to rounding: such data are realisable.
    """
    from scipy.optimize import minimize

    def value(w: np.ndarray) -> float:
        return float((np.abs(x @ w - y) ** power).mean() / power)

    def slope(w: np.ndarray) -> np.ndarray:
        gap = x @ w - y
        return x.T @ (np.abs(gap) ** (power - 1) * np.sign(gap)) / len(y)

    def curvature(w: np.ndarray) -> np.ndarray:
        bend = (power - 1) * np.abs(x @ w - y) ** (power - 2)
        return (x.T * bend) @ x / len(y)

    start = np.linalg.lstsq(x, y, rcond=None)[0]
    size, terms = value(start), np.abs(x) @ np.abs(start) + np.abs(y)
    if (np.abs(x @ start - y) <= ROUNDING * max(x.shape) * terms.max()).all():
        return 0.0
    found = minimize(
        lambda w: value(w) / size,
        start,
        jac=lambda w: slope(w) / size,
        hess=lambda w: curvature(w) / size,
        method="trust-exact",
        options={"gtol": 1e-12, "maxiter": 10_000},
    )
    return float(min(found.fun, 1.0) * size)
