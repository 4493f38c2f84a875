"""Functions on a box in l1 and l2: what pieces leave on all lines of one direction."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import accumulate
from typing import ClassVar

from flint import arb, ctx, fmpq

from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.exact import least_above
from depthsep.laws import Box
from depthsep.lower_bounds._pieces import from_pieces, width_value
from depthsep.lower_bounds.box._bundles import (
    MOST_DIM_OF_LINES,
    PARTS_OF_LINES,
    PRECISION,
    Bundle,
    Direction,
    bundles,
    likely_directions,
)
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

CUTS = (1, 2, 4, 8)
MOST_PIECES = 1 << 40


@dataclass(frozen=True)
class _Left:
    """What p pieces leave on a bundle, seen on some parts of its lines.

    At least a / (p + parts - 1)^order: see `Curvature`.
    """

    a: arb
    parts: int


def _left(bundle: Bundle, cuts: int, norm: str) -> Iterator[_Left]:
    """The line cut into so many parts; the 1, 2, ... of them that bend most.

    Parts are groups of neighbours, which bend at least as their least bent one.
    """
    size, length = PARTS_OF_LINES // cuts, arb(bundle.length) / cuts
    groups = [bundle.bends[i : i + size] for i in range(0, PARTS_OF_LINES, size)]
    bends = [reduce(arb.min, group) for group in groups]
    bends = sorted((mu for mu in bends if mu > 0), key=lambda mu: -float(mu.mid()))
    if norm == "l1":
        terms, power = [(mu * length**3 / 32).root(3) for mu in bends], 3
    else:
        terms, power = [(mu**2 * length**5 / 720).root(5) for mu in bends], 5
    for parts, total in enumerate(accumulate(terms), start=1):
        yield _Left(total**power * arb(bundle.share), parts)


Lines = tuple[tuple[_Left, ...], ...]


@lru_cache(maxsize=32)
def _bundled(
    target: AbstractBoxTarget, box: Box, norm: str
) -> tuple[tuple[Direction, Lines], ...]:
    """For each direction what its bundles say, each in several ways."""
    formula, found = target.as_formula(), []
    with ctx.workprec(PRECISION):
        for direction in likely_directions(target, box):
            lines = tuple(
                tuple(left for k in CUTS for left in _left(bundle, k, norm))
                for bundle in bundles(formula, box, direction)
            )
            found.append((direction, tuple(ways for ways in lines if ways)))
    return tuple(found)


def pieces_on_lines(lines: Lines, accuracy: fmpq, norm: str) -> int:
    """Pieces that some line of the direction must have.

    With p pieces on each, every bundle leaves what the best of its ways says, and all
    together at most the accuracy (in l2 its square).
    """
    order, allowed = (2, accuracy) if norm == "l1" else (4, accuracy**2)

    def is_enough(pieces: int) -> bool:
        with ctx.workprec(PRECISION):
            total = arb(0)
            for ways in lines:
                left = [way.a / arb(pieces + way.parts - 1) ** order for way in ways]
                total += max(left, key=lambda x: float(x.lower()))
            return pieces >= MOST_PIECES or not bool(total > allowed)

    return least_above(is_enough, 0)


def _evaluate(pieces: int, layers: int) -> Value:
    return width_value(pieces, layers, Rigour.EXACT)


@dataclass(frozen=True)
class OnAllLines(AbstractLowerBound):
    """Fubini: the error on the box is the mean of what is left on parallel lines."""

    statement: ClassVar[Statement] = Statement(
        "all-lines",
        "Width needed for a function on a box in l1 or l2",
        ("any weights, any skip connections", "|f''| along lines bounded in balls"),
        Source("depthsep", "Theorem F with Theorem A"),
        (Parameter("pieces", "integer", "p"), LAYERS),
        _evaluate,
        sample="pieces=1000 layers=2",
        tex=(
            r"E \, \text{vol} "
            r"\ge \int \frac{A(y)}{(p + k_y - 1)^2} \, dy \text{ in } \ell_1, "
            r"\quad E^2 \, \text{vol} "
            r"\ge \int \frac{B(y)}{(p + k_y - 1)^4} \, dy \text{ in } \ell_2, "
            r"\quad \prod_{i=1}^{L} (m_i + 1) \ge p; "
            r"\quad y \text{ the feet of parallel lines, } k_y \text{ parts each}"
        ),
        proof=proved("all-lines"),
    )

    scope = Scope(
        "bounds functions on a box in l1 and l2 only",
        AbstractBoxTarget,
        norms=("l1", "l2"),
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.law.in_dim > MOST_DIM_OF_LINES:
            return Inapplicable(
                f"lines are followed in up to {MOST_DIM_OF_LINES} variables"
            )
        target, norm = problem.target_as(AbstractBoxTarget), problem.norm
        counts = [
            (pieces_on_lines(lines, problem.accuracy, norm), direction)
            for direction, lines in _bundled(target, problem.law.box, norm)
        ]
        pieces, direction = max(counts)
        if pieces == 1:
            return Inapplicable("no direction was found that asks for two pieces")
        words = ", ".join(map(str, direction))
        detail = f"Theorem A on the lines along ({words}), in sides of the box"
        return from_pieces(pieces, depth, Rigour.ENCLOSED, self.statement, detail)

    def examples(self) -> list[Problem]:
        return [
            Problem(target, norm=norm, accuracy="1e-3")
            for target in ("product", "expr:exp(-x1**2-x2**2)")
            for norm in ("l1", "l2")
        ]
