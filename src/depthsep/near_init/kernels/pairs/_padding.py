"""Padding to unit length."""

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.near_init._inputs import points


def padded(x: object) -> np.ndarray:
    """(x, sqrt(1 - |x|^2)) for points (n, d) of the unit ball: shape (n, d + 1).

    Source:
        Telgarsky (2023), Remark 3.24. It changes the kernel, and is not needed: the
        kernels here take points of any length.

    Raises:
        HypothesisError: a point outside the ball.
    """
    given = points(x, "x")
    squares = (given.astype(float) ** 2).sum(axis=1)
    if (squares > 1).any():
        raise HypothesisError(
            f"a point has the length {squares.max() ** 0.5:.6g}; scale it to 1 or less"
        )
    return np.hstack([given, np.sqrt(1 - squares)[:, None]])
