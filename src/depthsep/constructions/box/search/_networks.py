"""Networks on boxes, narrower than any construction: searched for, then examined."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from depthsep.claims import AbstractConstruction, Scope, SearchPlan, Upper
from depthsep.constructions.box._glued_taylor import TaylorOnGrid
from depthsep.constructions.box._ridge_sum import RidgeSums
from depthsep.constructions.box._smooth_ridges import SmoothRidges
from depthsep.constructions.box.search._samples import POINTS, BoxSampled
from depthsep.constructions.box.search._starts import starts
from depthsep.constructions.search._descent import Descent
from depthsep.constructions.search._search import Budget
from depthsep.constructions.search._weights import Weights
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
)
from depthsep.exact import nearest_float
from depthsep.laws import Box
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

WIDEST = 60
SAFETY = 0.05  # of the accuracy, for what lies between the points and for the sweep


def _evaluate(dim: int) -> Value:
    return Value(POINTS.get(dim, 0), Rigour.EXACT, log2(POINTS.get(dim, 0)))


@dataclass(frozen=True)
class SearchedOnBox(AbstractConstruction):
    """The narrowest network on a box that a search in float64 finds.

    A search claims nothing: what it finds is examined like every other network.

    Attributes:
        plan: how long, and from which random numbers.
        narrowest: a width that is proved to be needed; nothing below is tried.
        others: constructions whose networks it is to beat.
        safety: share of the accuracy that is kept for what the samples miss.
    """

    plan: SearchPlan
    narrowest: int = 1
    others: tuple[AbstractConstruction, ...] = (
        RidgeSums(),
        SmoothRidges(),
        TaylorOnGrid(),
    )
    safety: float = SAFETY

    statement: ClassVar[Statement] = Statement(
        "search-on-box",
        "Points along each side of the grid that a search on a box looks at",
        ("a box of 2 to 4 dimensions", "float64 weights, examined when found"),
        "Levenberg-Marquardt, then minimax by linear programmes, from known networks",
        Source("depthsep", "a search, examined"),
        (Parameter("dim", "integer", "dimension of the box", "2", most=4, least=2),),
        _evaluate,
    )

    scope = Scope(
        "needs a function on a box, in linf",
        AbstractBoxTarget,
        norms=("linf",),
        least_depth=2,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        box = problem.law.box
        if box.in_dim not in POINTS:
            return Inapplicable("boxes of 2 to 4 dimensions are searched")
        claims = [other.prove(problem, depth) for other in self.others]
        known = [claim for claim in claims if isinstance(claim, Upper)]
        if not known:
            return Inapplicable("there is no network to begin with")
        first = min(known, key=lambda claim: claim.width)
        if first.width <= self.narrowest:
            return Inapplicable("the width known is proved to be the least")
        if first.width > WIDEST:
            return Inapplicable(f"networks wider than {WIDEST} are not searched for")
        found = self._narrower(problem, box, Weights.of(first.network))
        if found is None:
            return Inapplicable("no narrower network was found in the time given")
        network = found.network()
        return Upper(
            widths=network.widths,
            error=problem.accuracy,
            rigour=Rigour.SAMPLED,
            statement=self.statement,
            make=lambda: network,
            in_dim=box.in_dim,
        )

    def _narrower(self, problem: Problem, box: Box, known: Weights) -> Weights | None:
        """Searched for on [-1, 1]^d in multiples of the accuracy."""
        start = np.array([nearest_float(side.start) for side in box.sides])
        length = np.array([nearest_float(side.length) for side in box.sides])
        accuracy = nearest_float(problem.accuracy)
        target = problem.target_as(AbstractBoxTarget)

        def f(t: np.ndarray) -> np.ndarray:
            return target.floats(start + length * (t + 1) / 2) / accuracy

        sampled = BoxSampled.of(f, box.in_dim)
        if not np.isfinite(sampled.values).all():
            return None
        first = known.after(length / 2, start + length / 2).times(1 / accuracy)
        rng = np.random.default_rng(self.plan.seed)

        def begun(width: int) -> Iterator[Weights]:
            yield from starts(sampled, first, width, rng)

        descent = Descent(
            sampled,
            self.narrowest,
            1 - self.safety,
            Budget(self.plan.seconds, self.plan.rounds),
            rng,
            begun,
            self._show,
        )
        found = descent.narrower_than(first)
        if found is None:
            return None
        return found.reading(start, start + length).times(accuracy)

    def _show(self, width: int, error: float) -> None:
        if self.plan.shown is not None:
            self.plan.shown(width, error)

    def more_careful(self) -> "SearchedOnBox | None":
        """The same with more of the accuracy kept for what lies between points."""
        if self.safety > SAFETY:
            return None
        return SearchedOnBox(self.plan, self.narrowest, self.others, 4 * SAFETY)

    def examples(self) -> list[Problem]:
        return [Problem("expr:exp(-x1**2-x2**2)", accuracy="1e-2")]
