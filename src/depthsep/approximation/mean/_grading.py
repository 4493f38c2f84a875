"""Where a grid has to be fine, as the best pieces of l1 and l2 are."""

from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq

from depthsep.approximation.best._linearise import linearise
from depthsep.exact import nearest_float
from depthsep.laws import AbstractDensityLaw, Segment
from depthsep.targets import AbstractLineTarget

GRID_BITS = 40
EVEN = 0.1  # share of the cells that are spread evenly
MOST_ROUGH = 100_000  # knots of a first interpolant
ROUGH_CELLS = 5  # of it, for each piece
SAMPLES = 8192


@dataclass(frozen=True, eq=False)
class Grading:
    """Nodes from 0 to 1, what share of the cells lies between them, and a guess.

    Attributes:
        guess: about how many pieces the accuracy asks for.
    """

    nodes: np.ndarray
    shares: np.ndarray
    guess: int

    def ticks(self, cells: int) -> np.ndarray:
        """About so many multiples of 2**-GRID_BITS, 0 and 1 among them."""
        even = np.diff(self.nodes)
        share = (1 - EVEN) * self.shares + EVEN * even
        wanted = np.linspace(0, 1, cells + 1)
        places = np.interp(wanted, np.concatenate([[0], np.cumsum(share)]), self.nodes)
        ticks = np.rint(places * 2.0**GRID_BITS).astype(np.int64)
        ticks[0], ticks[-1] = 0, 1 << GRID_BITS
        return np.unique(ticks)


def grading(
    target: AbstractLineTarget,
    on: Segment,
    accuracy: fmpq,
    norm: str,
    weight: AbstractDensityLaw | None = None,
) -> Grading:
    """For an accuracy in l1 or l2, under the uniform law or another one.

    Raises:
        TooLargeError: too many cells.
        HypothesisError: the target jumps or is not finite.
    """
    if weight is not None:
        return _from_samples(target, accuracy, norm, weight)
    return _from_interpolant(target, on, accuracy, norm)


def _from_interpolant(
    target: AbstractLineTarget, on: Segment, accuracy: fmpq, norm: str
) -> Grading:
    """A cell of length l of an interpolant in linf has |f''| near l**-2.

    l1 wants cells of equal mass of |f''|**(1/3), l2 of |f''|**(2/5).
    """
    knots = linearise(target, on, accuracy / 4, max_knots=MOST_ROUGH).function.knots
    x = np.array([float((arb(k) - arb(on.start)) / arb(on.length)) for k in knots])
    x[0], x[-1] = 0.0, 1.0
    length = np.maximum(np.diff(x), 2.0**-GRID_BITS)
    mass = length ** (1 / 3 if norm == "l1" else 1 / 5)
    return Grading(x, mass / mass.sum(), max(4, len(knots) // ROUGH_CELLS))


def _from_samples(
    target: AbstractLineTarget, accuracy: fmpq, norm: str, weight: AbstractDensityLaw
) -> Grading:
    """Cells of equal mass of (density |f''|^p)^(1 / (2 p + 1)), from differences.

    With S its integral, N pieces leave S^3 / (32 N^2) in the mean, or S^5 / (720 N^4)
    in the mean square.
    """
    on, nodes = weight.interval, np.linspace(0, 1, SAMPLES + 1)
    x = nearest_float(on.start) + nearest_float(on.length) * nodes
    bend = np.abs(np.diff(target.floats(x), 2)) * SAMPLES**2
    density = np.nan_to_num(weight.density_floats(x[1:-1]), posinf=0.0)
    p, factor = (1, 32) if norm == "l1" else (2, 720)
    dense = np.nan_to_num(density * bend**p, posinf=0.0) ** (1 / (2 * p + 1))
    dense = np.concatenate([dense[:1], (dense[1:] + dense[:-1]) / 2, dense[-1:]])
    total = float(dense.sum()) / SAMPLES
    if total == 0:
        return Grading(nodes, np.full(SAMPLES, 1 / SAMPLES), 4)
    error = nearest_float(accuracy) ** p
    pieces = (total ** (2 * p + 1) / factor / error) ** (1 / (2 * p))
    return Grading(nodes, dense / dense.sum(), max(4, int(pieces)))
