r"""Directions and weights that average even polynomials over a sphere exactly.

A product rule in hyperspherical angles: n + 1 Gauss-Gegenbauer nodes for each polar
angle, n + 1 equidistant points of a half circle for the last. It is exact for even
polynomials of degree up to 2 n, and has (n + 1)^(d - 1) directions: the rule of a
sphere of one dimension less may be taken modulo sign, as the nodes come in pairs +-c
and h(c, s w) + h(-c, s w) = h(c, s w) + h(c, -s w) is even in w.
"""

import numpy as np


def direction_count(dim: int, degree: int) -> int:
    """(n + 1)^(d - 1), d >= 2."""
    return (degree + 1) ** (dim - 1)


def sphere_rule(dim: int, degree: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors, shape (count, d), and positive weights that sum to 1, float64."""
    from scipy.special import roots_gegenbauer

    angles = np.pi * np.arange(degree + 1) / (degree + 1)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    weights = np.full(degree + 1, 1 / (degree + 1))
    for d in range(3, dim + 1):
        c, w = roots_gegenbauer(degree + 1, (d - 2) / 2)
        s = np.sqrt(1 - c * c)
        rest = s[:, None, None] * directions
        polar = np.broadcast_to(c[:, None, None], (*rest.shape[:2], 1))
        directions = np.concatenate([polar, rest], axis=2).reshape(-1, d)
        weights = ((w / w.sum())[:, None] * weights).ravel()
    return directions, weights
