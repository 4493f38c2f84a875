"""Networks that are narrower than any construction: searched for, then examined."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep.analysis import least_width
from depthsep.claims import (
    MAX_WEIGHTS,
    AbstractConstruction,
    Scope,
    SearchPlan,
    Upper,
)
from depthsep.constructions.line.narrow._glued_folds import GluedFolds
from depthsep.constructions.line.narrow._kinks_by_pairs import KinksByPairs
from depthsep.constructions.line.narrow._reflections import Reflections
from depthsep.constructions.line.search._samples import Sampled
from depthsep.constructions.line.search._starts import starts
from depthsep.constructions.search._descent import Descent
from depthsep.constructions.search._search import Budget
from depthsep.constructions.search._weights import Weights
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
from depthsep.exact import nearest_float
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget

WIDEST = 40
SAFETY = 2e-3  # of the accuracy, for what lies between the samples
LOOSER = fmpq(5, 4)  # step of the accuracies at which constructions give starts
LOOSEST = 24  # steps


def _evaluate(pieces: int, layers: int) -> Value:
    width = least_width(pieces, layers)
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class Searched(AbstractConstruction):
    """The narrowest network that a search in float64 finds, from many starts.

    A search claims nothing: what it finds is examined like every other network.

    Attributes:
        plan: how long, and from which random numbers.
        narrowest: a width that is proved to be needed; nothing below is tried.
        others: constructions whose networks it is to beat.
    """

    plan: SearchPlan
    narrowest: int = 1
    others: tuple[AbstractConstruction, ...] = (
        KinksByPairs(),
        GluedFolds(),
        Reflections(),
    )
    safety: float = SAFETY

    statement: ClassVar[Statement] = Statement(
        "search",
        "Least width that N pieces leave open to a search over L hidden layers",
        ("one input, on an interval", "float64 weights, examined when found"),
        "Levenberg-Marquardt, then minimax by linear programmes; prod (m_i + 1) >= N",
        Source("depthsep", "a search, examined"),
        (Parameter("pieces", "integer", "N"), LAYERS),
        _evaluate,
    )

    scope = Scope("needs a function on an interval", AbstractLineTarget, least_depth=3)

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        if problem.line_target.exact_form() is not None:
            return Inapplicable(
                "another construction is exact for this target", off_topic=True
            )
        claims = [other.prove(problem, depth) for other in self.others]
        known = [claim for claim in claims if isinstance(claim, Upper)]
        if not known:
            return Inapplicable("there is no network to begin with")
        first = min(known, key=lambda claim: claim.width)
        if first.width <= self.narrowest:
            return Inapplicable("the width known is proved to be the least")
        if first.width > WIDEST:
            return Inapplicable(f"networks wider than {WIDEST} are not searched for")
        found = self._narrowest(problem, depth, in_units(first.network, problem))
        if found is None:
            return Inapplicable("no narrower network was found in the time given")
        network = in_problem(found, problem).network()
        return Upper(
            widths=network.widths,
            error=problem.accuracy,
            rigour=Rigour.SAMPLED,
            statement=self.statement,
            make=lambda: network,
        )

    def _narrowest(
        self, problem: Problem, depth: int, known: Weights
    ) -> Weights | None:
        sampled = scaled(problem)
        if sampled is None:
            return None

        def begun(width: int) -> Iterator[Weights]:
            yield from starts(sampled, depth - 1, width)
            for other in self.others:
                claim = loosened(other, problem, depth, width)
                if claim is not None:
                    yield in_units(claim.network, problem)

        descent = Descent(
            sampled,
            self.narrowest,
            1 - self.safety,
            Budget(self.plan.seconds, self.plan.rounds),
            np.random.default_rng(self.plan.seed),
            begun,
            self._show,
        )
        return descent.narrower_than(known)

    def _show(self, width: int, error: float) -> None:
        if self.plan.shown is not None:
            self.plan.shown(width, error)

    def more_careful(self) -> "Searched | None":
        """The same with more of the accuracy kept for what lies between samples."""
        if self.safety > SAFETY:
            return None
        return Searched(self.plan, self.narrowest, self.others, 10 * SAFETY)

    def examples(self) -> Sequence[Problem]:
        return [Problem("expr:exp(x)", accuracy="1e-3")]


def scaled(problem: Problem) -> Sampled | None:
    """The target over the accuracy, on [-1, 1]; None if it is not finite."""
    on, accuracy = problem.interval, nearest_float(problem.accuracy)
    start, length = nearest_float(on.start), nearest_float(on.length)

    def f(t: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            return problem.target.floats(start + length * (t + 1) / 2) / accuracy

    values = f(np.linspace(-1, 1, 1025))
    if not np.isfinite(values).all() or np.ptp(values) == 0:
        return None
    return Sampled.of(f, problem.norm)


def in_problem(weights: Weights, problem: Problem) -> Weights:
    """From [-1, 1] and multiples of the accuracy to the problem's own units."""
    on = problem.interval
    ends = nearest_float(on.start), nearest_float(on.stop)
    return weights.reading(*ends).times(nearest_float(problem.accuracy))


def in_units(network: Network, problem: Problem) -> Weights:
    """From the problem's own units to [-1, 1] and multiples of the accuracy."""
    on = problem.interval
    start, length = nearest_float(on.start), nearest_float(on.length)
    weights = Weights.of(network).after(length / 2, start + length / 2)
    return weights.times(1 / nearest_float(problem.accuracy))


def loosened(
    construction: AbstractConstruction, problem: Problem, depth: int, width: int
) -> Upper | None:
    """Its network for the least accuracy, looser step by step, that fits the width."""
    for step in range(1, LOOSEST, 2):
        easier = Problem(
            problem.target, problem.law, problem.norm, problem.accuracy * LOOSER**step
        )
        claim = construction.prove(easier, depth)
        if isinstance(claim, Inapplicable):
            return None
        if claim.width <= width and claim.predicted_weights <= MAX_WEIGHTS:
            return claim
    return None
