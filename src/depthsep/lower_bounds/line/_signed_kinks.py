"""Signed kinks: a unit of the last layer bends upwards everywhere, or downwards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from depthsep._errors import HypothesisError
from depthsep.analysis import (
    convex_runs,
    least_units,
    most_pieces,
    most_pieces_by_units,
)
from depthsep.claims import AbstractLowerBound, Lower
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
)
from depthsep.exact import least
from depthsep.laws import Uniform
from depthsep.lower_bounds.line._best_pieces import (
    MOST_PIECES,
    PIECES_IN_LINF,
    pieces_on,
)
from depthsep.lower_bounds.line._curvature import curvature_pieces
from depthsep.problems import Problem

Needs = Sequence[tuple[int, int]]  # sign and pieces of each run


def allows(needs: Needs, last: int, cells: int) -> bool:
    """Whether a last layer of this width may do, after layers with so many pieces.

    With m+ units that bend upwards and m- that bend downwards, a run of sign s that
    needs N pieces has C >= N / (m^s + 1) - 1 ends of the cells before inside it; there
    are `cells` - 1 ends in all.
    """
    return any(
        sum(-(-n // ((up if sign > 0 else last - up) + 1)) - 1 for sign, n in needs)
        < cells
        for up in range(last + 1)
    )


def signed_width(
    needs: Needs, layers: int, most_cells: Callable[[Sequence[int]], int] = most_pieces
) -> int:
    """The least equal width that signed kinks allow.

    Args:
        most_cells: of layers of given widths; with skip connections unless given.
    """
    most = max(1, sum(n for _, n in needs))

    def is_wide_enough(width: int) -> bool:
        cells = most_cells((width,) * (layers - 1)) if layers > 1 else 1
        return allows(needs, width, cells)

    return least(is_wide_enough, -1, most)


def signed_units(needs: Needs, layers: int) -> int:
    """The fewest hidden units together, whatever layers they are in."""
    most = layers * signed_width(needs, layers)
    if layers == 1:
        return most
    return least(
        lambda units: any(
            allows(needs, last, most_pieces_by_units(units - last, layers - 1))
            for last in range(units + 1)
        ),
        -1,
        most,
    )


@lru_cache(maxsize=64)
def needs_of(problem: Problem) -> tuple[tuple[int, int], ...] | Inapplicable:
    """Signs of the runs of convexity, and pieces that each needs at least (linf).

    Pieces may jump. As in `optimum_pieces` they are counted for an interpolant.
    """
    if curvature_pieces(problem) > MOST_PIECES:
        return Inapplicable(
            f"more than {MOST_PIECES} pieces are not counted run by run"
        )
    target = problem.line_target
    runs = convex_runs(target, problem.interval)
    if len({run.sign for run in runs}) < 2:
        return Inapplicable("the target has no inflection", off_topic=True)
    needs: list[tuple[int, int]] = []
    for run in runs:
        on = Uniform(run.start, run.stop)
        pieces = pieces_on(problem, on, continuous=False)
        if isinstance(pieces, Inapplicable):
            return pieces
        needs.append((run.sign, pieces))
    return tuple(needs)


def _evaluate(convex: tuple[int, ...], concave: tuple[int, ...], layers: int) -> Value:
    if min(*convex, *concave, 1) < 1:
        raise HypothesisError("every run needs at least one piece")
    needs = [*((1, n) for n in convex), *((-1, n) for n in concave)]
    width = signed_width(needs, layers)
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class SignedKinks(AbstractLowerBound):
    """Runs of convexity need units of both signs in the last hidden layer."""

    statement: ClassVar[Statement] = Statement(
        "signed-kinks",
        "Width needed for a function with convex and concave runs",
        (
            "any weights, any skip connections",
            "one input; disjoint intervals on which f is convex or concave",
            "N_J the fewest affine pieces, jumps allowed, within the accuracy on J",
        ),
        "no m+ + m- = m_L has sum_J (ceil(N_J/(m^s(J) + 1)) - 1) "
        "<= prod_(i<L) (m_i + 1) - 1",
        Source("depthsep", "Theorem S"),
        (
            Parameter("convex", "integers", "N_J of the convex runs"),
            Parameter("concave", "integers", "N_J of the concave runs"),
            LAYERS,
        ),
        _evaluate,
    )

    scope = PIECES_IN_LINF

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.line_target.exact_form() is not None:
            return Inapplicable("an exact bound applies", off_topic=True)
        needs, layers = needs_of(problem), depth - 1
        if isinstance(needs, Inapplicable):
            return needs
        least_of_all = least_units(max(n for _, n in needs), layers)
        return Lower(
            width=signed_width(needs, layers),
            units=max(least_of_all, signed_units(needs, layers)),
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:sin(20*x)", accuracy="1e-3"),
            Problem("expr:erf(3*x)*sin(10*x)", Uniform(-1, 1), accuracy="1e-2"),
        ]
