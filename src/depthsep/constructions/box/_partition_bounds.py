r"""How far glued Taylor polynomials are from a function, and the network from them.

If |d^a f| <= M_a for |a| = r, then |f - q_v| <= sum_{|a| = r} M_a |x - v|^a / a!.
Averaged over v with the hats, |x - v|^a becomes prod_k C_{a_k} / s^r, where C_0 = 1 and
C_a = max over t in [0, 1] of (1 - t) t^a + t (1 - t)^a.
"""

from functools import lru_cache
from itertools import pairwise

from flint import ctx, fmpq

from depthsep._errors import HypothesisError, UndecidedError
from depthsep.constructions.box._partition import Exponents, Glued, Node
from depthsep.exact import ball_upper, ceil_root, total
from depthsep.laws import Box
from depthsep.targets import (
    Formula,
    derivative_bound,
    exponents_of_degree,
    factorials,
    interval_ball,
    is_smooth_on,
)

PRECISION = 64
BITS = 44
CELLS = (1, 2, 4, 8)
MAX_CELLS = 256
PIECES = 512
WORTHWHILE = fmpq(19, 20)


@lru_cache(maxsize=64)
def derivative_bounds(
    formula: Formula, box: Box, order: int
) -> dict[Exponents, fmpq] | None:
    """M_a times the sides^a for |a| = r: bounds on the unit cube; None if unbounded.

    The box is cut into more and more cells while that lowers their sum by a twentieth.
    """
    sides = [(side.start, side.stop) for side in box.sides]
    best: dict[Exponents, fmpq] | None = None
    with ctx.workprec(PRECISION):
        if not is_smooth_on(formula, [interval_ball(a, b) for a, b in sides]):
            return _on_smaller_cells(formula, box, order)
        for cells in CELLS:
            if cells**formula.dim > MAX_CELLS:
                break
            found = _on_cells(formula, box, order, cells)
            enough = (
                best is not None
                and found is not None
                and sum(found.values()) > WORTHWHILE * sum(best.values())
            )
            best = found or best
            if enough:
                break
    return best


def _on_smaller_cells(
    formula: Formula, box: Box, order: int
) -> dict[Exponents, fmpq] | None:
    """Where one ball around the box is too wide to follow the formula."""
    cells = max(c for c in CELLS if c**formula.dim <= MAX_CELLS)
    for part in _cells(box, cells):
        if not is_smooth_on(formula, [interval_ball(a, b) for a, b in part]):
            return None
    return _on_cells(formula, box, order, cells)


def _cells(box: Box, cells: int) -> list[list[tuple[fmpq, fmpq]]]:
    parts: list[list[tuple[fmpq, fmpq]]] = [[]]
    for side in box.sides:
        step = side.length / cells
        ends = [side.start + step * i for i in range(cells + 1)]
        parts = [[*part, (a, b)] for part in parts for a, b in pairwise(ends)]
    return parts


def _on_cells(
    formula: Formula, box: Box, order: int, cells: int
) -> dict[Exponents, fmpq] | None:
    sides = [(side.start, side.stop) for side in box.sides]
    found = {}
    for exponents in exponents_of_degree(formula.dim, order):
        try:
            bound = derivative_bound(formula, exponents, sides, cells)
            grown = ball_upper(bound)
        except (HypothesisError, UndecidedError):
            # a kink, or no bound
            return None
        for side, e in zip(box.sides, exponents, strict=True):
            grown *= side.length**e
        found[exponents] = grown
    return found


@lru_cache(maxsize=64)
def hat_mean(power: int) -> fmpq:
    """A bound of C_a, within a hundredth: 1, 1/2, 1/4, 1/8, 1/12 for a = 0 to 4."""
    if power == 0:
        return fmpq(1)
    worst = fmpq(0)
    # symmetric in t, 1 - t; on [p, q] each factor is largest at one end
    for i in range(PIECES):
        p, q = fmpq(i, 2 * PIECES), fmpq(i + 1, 2 * PIECES)
        powers = q ** (power - 1) + (1 - p) ** (power - 1)
        worst = max(worst, q * (1 - q) * powers)
    return worst


def remainder(bounds: dict[Exponents, fmpq], order: int, steps: int) -> fmpq:
    """|f - sum_v hat_v q_v| on the unit cube, for a grid of s^d cells."""
    terms = []
    for exponents, bound in bounds.items():
        share = bound / factorials(exponents)
        for e in exponents:
            share *= hat_mean(e)
        terms.append(share)
    return total(terms) / fmpq(steps) ** order


def steps_needed(bounds: dict[Exponents, fmpq], order: int, room: fmpq) -> int:
    """The least s with a remainder of at most `room`, by integer roots."""
    return max(1, ceil_root(remainder(bounds, order, 1) / room, order))


def monomial_error(glued: Glued, node: Node) -> fmpq:
    """sum |w_a| (|a| - 1) e over |a| >= 2, e = 4^(-i-2): Lemma 5.4, corrected."""
    e = fmpq(1, 4 ** (glued.shape.levels + 2))
    weights = glued.polynomials[node].items()
    return e * total(abs(w) * (sum(a) - 1) for a, w in weights if sum(a) > 1)


def glued_bound(glued: Glued) -> fmpq:
    """|network - sum_v hat_v q_v|: products of parts, of values, monomials, rounding.

    At each x at most 2^d parts are not 0. Each part is a product of d hats, within
    (d - 1) e; times the value, within e more.
    """
    shape = glued.shape
    e, d = fmpq(1, 4 ** (shape.levels + 2)), shape.dim
    monomials = max(monomial_error(glued, node) for node in glued.polynomials)
    rounding = fmpq(len(shape.monomials), 1 << BITS)
    return glued.span * (2**d * d * e + monomials + rounding) + rounding
