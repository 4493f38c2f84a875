r"""How many affine pieces any approximant in the mean needs: a proved lower bound.

Theorem P (docs/proofs/pieces-in-mean.md). With the corrected costs of a band and a
price of lambda for each piece let L be the cost of the cheapest path. Every g with N
pieces, even with jumps, leaves an error of at least L - lambda N, so an error of E
needs N >= (L - E) / lambda, for every lambda > 0.
"""

from dataclasses import dataclass
from math import isqrt

from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.approximation.mean._cheapest import Path, cheapest
from depthsep.approximation.mean._grading import grading
from depthsep.approximation.mean._grid_function import GridFunction, grid_function
from depthsep.approximation.mean._piece_band import UNITS, Band, piece_band
from depthsep.approximation.mean._weighted_costs import costs_in
from depthsep.laws import AbstractDensityLaw, Segment
from depthsep.targets import AbstractLineTarget

MOST_EDGES = 400_000  # pieces whose costs are compared
FINEST, COARSEST = 60, 8  # cells for each piece of g
FEWEST_CELLS = 240
PASSES, POOR = 3, 1.2  # a guess that is exceeded by this factor is made again
OVER = 20  # times the mean cost of a piece: longer ones are followed in hops
STEP, REACH = 1.03, 8  # ratio of prices that are tried together, and how many to a side
FAR = 100  # steps: where one piece is enough, the price would rise without an end


@dataclass(frozen=True, eq=False)
class PiecesInMean:
    """What pieces of an interpolant cost, and how many are needed for that.

    Attributes:
        fewest: pieces that any approximant within the accuracy has; it may jump.
        h: the interpolant.
        band: the costs of its pieces, where UNITS is the error allowed.
        price: of a piece, at which `fewest` is proved.
    """

    fewest: int
    h: GridFunction
    band: Band
    price: int


def pieces_in_mean(
    target: AbstractLineTarget,
    on: Segment,
    accuracy: fmpq,
    norm: str,
    weight: AbstractDensityLaw | None = None,
) -> PiecesInMean:
    """Pieces that any g within the accuracy has at least; it may jump between them.

    The target is replaced by an interpolant on a grid; its distance is added to the
    accuracy. All sums are in integers, rounded so that the result is a proof.

    Args:
        norm: l1 (a mean) or l2 (the root of a mean square).
        weight: the law that they are taken under, if it is not the uniform one.

    Raises:
        HypothesisError: another norm, or the target jumps or is not finite.
        TooLargeError: too many pieces to be counted in this way.
    """
    if norm not in ("l1", "l2"):
        raise HypothesisError(
            f"the norm is {norm!r}; use l1 or l2 (for linf, call fewest_pieces)"
        )
    graded = grading(target, on, accuracy, norm, weight)

    def proved(guess: int, cells: int) -> PiecesInMean:
        h = grid_function(target, on, accuracy, norm, graded, cells, weight)
        return _counted(h, accuracy, norm, guess)

    first = graded.guess
    if COARSEST * COARSEST * first > MOST_EDGES:
        raise TooLargeError(
            f"about {first} pieces are needed, too many to be counted exactly"
        )
    found = proved(first, COARSEST * first)
    for _ in range(PASSES):
        guess = max(2, found.fewest)
        most = isqrt(MOST_EDGES * guess)
        cells = min(max(FINEST * guess, FEWEST_CELLS, COARSEST * first), most)
        finer = proved(guess, max(cells, COARSEST * guess))
        found = max(found, finer, key=lambda pieces: pieces.fewest)
        if found.fewest <= POOR * guess:
            break
    return found


def _counted(h: GridFunction, accuracy: fmpq, norm: str, guess: int) -> PiecesInMean:
    costs = costs_in(norm, h)
    allowed = ((accuracy + h.distance) / h.height) ** costs.power * h.unit
    allowed /= h.weight_unit
    widest = max(8, 4 * MOST_EDGES // len(h.knots))
    band = piece_band(h, costs, allowed, OVER * UNITS // guess, widest)
    # N pieces leave an error near UNITS (guess / N)^order, which falls at this rate
    path = _best_path(band, 2 * costs.power * UNITS / guess)
    return PiecesInMean(max(1, int(path.bound.ceil())), h, band, path.price)


def _best_path(band: Band, price: float) -> Path:
    """Over prices near this one: the bound has one maximum, as L is concave."""
    best = after = 0
    while True:
        steps = range(after - REACH, after + REACH + 1)
        paths = cheapest(band, [max(1, int(price * STEP**step)) for step in steps])
        best, path = max(
            zip(steps, paths, strict=True), key=lambda found: found[1].bound
        )
        if abs(best - after) < REACH or abs(best) >= FAR:
            return path
        after = best
