"""Where f - c alternates in sign: by how much, and what that weighs."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce

import numpy as np
from flint import arb, fmpq

from depthsep.exact import ball_upper, nearest_float


@dataclass(frozen=True)
class Alternation:
    """Intervals in a row on which f - c has one sign, then the other.

    Attributes:
        weights: the integral of (f - c)^2 over each, for half of the law.
    """

    weights: tuple[arb, ...]

    @staticmethod
    def on_cells(cells: Iterable[tuple[arb, arb]]) -> "Alternation":
        """From f - c on cells, enclosed, with half of the mass of each."""
        found: list[tuple[int, arb]] = []
        for value, mass in cells:
            sign = 1 if value > 0 else -1 if value < 0 else 0
            if not sign or not value.is_finite():
                continue
            part = arb(value.abs_lower()) ** 2 * mass
            if found and found[-1][0] == sign:
                part += found.pop()[1]
            found.append((sign, part))
        return Alternation(tuple(weight for _, weight in found))

    def changes(self, allowed: arb) -> int:
        """The most changes of sign that some of them in a row ask for.

        A function with N changes of sign on a line or circle that has c such intervals
        on either half has the wrong sign on all of c - 1 - N of them at least.
        """
        best = 0
        sizes = np.array([float(w.lower()) for w in self.weights])
        for start in range(len(sizes)):
            weakest = np.minimum.accumulate(sizes[start:])
            counts = np.arange(1, len(weakest) + 1)
            with np.errstate(divide="ignore"):
                guess = counts - 1 - float(allowed.upper()) / weakest
            k = int(np.argmax(guess))
            if guess[k] > best:
                weight = reduce(arb.min, self.weights[start : start + k + 1])
                best = max(best, changes_for(k + 1, weight, allowed))
        return best


def changes_for(count: int, weight: arb, allowed: arb) -> int:
    """N >= c - 1 - E^2 / weight."""
    needed = arb(count - 1) - allowed / weight
    return max(0, -int(ball_upper(-needed).floor())) if needed.is_finite() else 0


def alternating_points(
    places: np.ndarray,
    values: np.ndarray,
    enclosed: Callable[[float], arb],
    level: float,
    accuracy: fmpq,
) -> int:
    """Points where f is above and below the level by more than E, in turn.

    Args:
        values: of f at the places, rounded: they choose the points.
        enclosed: f at a place.
    """
    off = values - level
    centre, runs = fmpq(round(level * 2**20), 2**20), []
    far = np.flatnonzero(np.abs(off) > nearest_float(accuracy))
    for k in far:
        if runs and np.sign(off[runs[-1]]) == np.sign(off[k]):
            if abs(off[k]) > abs(off[runs[-1]]):
                runs[-1] = k
        else:
            runs.append(k)
    proved, last = 0, 0
    for k in runs:
        ball = enclosed(float(places[k])) - centre
        sign = 1 if ball > accuracy else -1 if ball < -accuracy else 0
        if sign and sign != last:
            proved, last = proved + 1, sign
    return proved
