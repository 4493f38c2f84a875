"""Sums of ridge functions, fitted by least squares from 200 starts: none is below."""

import numpy as np
import pytest

from depthsep.every_dimension import bounds_for

DEGREES = {2: 24, 3: 12}  # of the function of each linear form


def ball(dim, count, rng):
    x = rng.normal(size=(count, dim))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return x * rng.random((count, 1)) ** (1 / dim)


def least_error(x, f, ways):
    """Of sums of polynomials of the forms, any coefficients: in the mean square."""
    forms = x @ (ways / np.linalg.norm(ways, axis=1, keepdims=True)).T
    scale = np.abs(forms).max() or 1.0
    basis = np.polynomial.chebyshev.chebvander(forms / scale, DEGREES[x.shape[1]])[
        ..., 1:
    ]
    basis = np.concatenate([np.ones((len(x), 1)), basis.reshape(len(x), -1)], axis=1)
    q = np.linalg.qr(basis)[0]
    left = f - q @ (q.T @ f)
    # as many coefficients as points would fit anything: what a fit leaves is corrected
    return np.sqrt((left**2).sum() / (len(x) - q.shape[1]))


CASES = {
    "ball": (
        "radial:sin(4*pi*d**2*r**2)",
        1 / 8,
        lambda d, r: np.sin(4 * np.pi * d * d * r**2),
    ),
    "jump": (
        "radial:1 on 0,1-1/(2*d)",
        1 / 20,
        lambda d, r: (r < 1 - 1 / (2 * d)) * 1.0,
    ),
    "kink": (
        "radial:max(1-1/(2*d)-r,0)",
        None,
        lambda d, r: np.maximum(1 - 1 / (2 * d) - r, 0),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "dim"), [("ball", 2), ("ball", 3), ("jump", 2), ("kink", 2)]
)
def test_no_sum_of_fewer_functions_is_within(name, dim) -> None:
    target, error, f = CASES[name]
    lower = bounds_for(target)[0]
    error = error or 1 / (200 * dim**3)
    rng = np.random.default_rng(7)
    x = ball(dim, 1_000, rng)
    right = f(dim, np.linalg.norm(x, axis=1))
    units = lower.at(dim, f"{error:.12f}").value - 1
    assert units >= 2
    found = [least_error(x, right, rng.normal(size=(units, dim))) for _ in range(200)]
    assert min(found) > error
