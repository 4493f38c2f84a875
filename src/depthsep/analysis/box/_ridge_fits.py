"""Polynomials near the ridges of a sum, by least squares in float64."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from flint import fmpq
from numpy.polynomial.legendre import leg2poly, legvander
from numpy.polynomial.polynomial import polyval

from depthsep.analysis.box._ridges import Ridge, RidgeSum
from depthsep.exact import dyadic_near, nearest_float

SAMPLES = 4096
DEGREES = (1, 2, 3, 4, 5, 6, 7, 8)


@dataclass(frozen=True, eq=False)
class Sampled:
    """G_j at equally spaced points of its range, in float64."""

    points: np.ndarray
    values: np.ndarray

    @staticmethod
    def of(ridge: Ridge) -> "Sampled":
        start, stop = (nearest_float(x) for x in (ridge.on.start, ridge.on.stop))
        points = np.linspace(start, stop, SAMPLES)
        return Sampled(points, ridge.network.floats(points[:, None])[:, 0])

    def fitted(self, degree: int) -> np.ndarray:
        """Coefficients of a polynomial near G_j, constant first, by least squares."""
        start, stop = self.points[[0, -1]]
        scaled = np.array([-start - stop, 2.0]) / (stop - start)  # onto [-1, 1]
        first, *others = _projection(degree)[::-1] @ self.values
        found = np.array([first])
        for coefficient in others:
            found = np.convolve(found, scaled)
            found[0] += coefficient
        return found

    def off(self, coefficients: Sequence[float] | np.ndarray) -> np.ndarray:
        """G_j - q_j at the points."""
        return self.values - polyval(self.points, np.asarray(coefficients))


@lru_cache(maxsize=32)
def _projection(degree: int) -> np.ndarray:
    """Takes values at points of [-1, 1] to the coefficients of the best fit."""
    to_powers = np.zeros((degree + 1, degree + 1))
    for k, unit in enumerate(np.eye(degree + 1)):
        powers = leg2poly(unit[: k + 1])
        to_powers[: len(powers), k] = powers
    return to_powers @ np.linalg.pinv(legvander(np.linspace(-1, 1, SAMPLES), degree))


def fitted_shapes(
    found: RidgeSum, points: np.ndarray, truth: np.ndarray, room: float
) -> list[list[fmpq]]:
    """The q_j of the lowest degree that will do (balls follow it best), or the best."""
    sampled = [Sampled.of(ridge) for ridge in found.ridges]
    guesses: list[tuple[float, list[np.ndarray]]] = []
    for degree in DEGREES:
        fits = [one.fitted(degree) for one in sampled]
        guesses.append((_guess(found, sampled, fits, points, truth), fits))
        if guesses[-1][0] <= room:
            break
    _, fits = min(guesses, key=lambda guess: guess[0])
    return [[dyadic_near(float(c), 50) for c in fit] for fit in fits]


def _guess(
    found: RidgeSum,
    sampled: Sequence[Sampled],
    fits: Sequence[np.ndarray],
    points: np.ndarray,
    truth: np.ndarray,
) -> float:
    """About the bound through these polynomials."""
    spread = 0.0
    values = np.full(len(points), nearest_float(found.constant))
    for ridge, one, fit in zip(found.ridges, sampled, fits, strict=True):
        off = one.off(fit)
        spread += (off.max() - off.min()) / 2
        inner = points @ np.array(ridge.direction, dtype=float)
        values += polyval(inner, fit) + (off.max() + off.min()) / 2
    return spread + float(np.abs(values - truth).max())
