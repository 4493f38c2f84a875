"""Networks of one input that are narrower than any construction."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep.claims import MAX_WEIGHTS, AbstractConstruction, Upper
from depthsep.constructions.line._inexact_scope import InexactScope
from depthsep.constructions.line.glued._glued_folds import GluedFolds
from depthsep.constructions.line.glued._glued_with_square import GluedFoldsWithSquare
from depthsep.constructions.line.narrow._kinks_by_pairs import KinksByPairs
from depthsep.constructions.line.narrow._reflections import Reflections
from depthsep.constructions.line.search._samples import Sampled
from depthsep.constructions.line.search._starts import starts
from depthsep.constructions.search._abstract import AbstractSearch
from depthsep.constructions.search._samples import Samples
from depthsep.constructions.search._units import Units
from depthsep.constructions.search._weights import Weights
from depthsep.evidence import Inapplicable
from depthsep.exact import least
from depthsep.problems import NORMS, Problem

LOOSER = fmpq(5, 4)  # step of the accuracies at which constructions give starts
LOOSEST = 24  # steps


@dataclass(frozen=True)
class LineSearch(AbstractSearch):
    """On an interval, in every norm: from folds, and from looser constructions."""

    others: tuple[AbstractConstruction, ...] = (
        KinksByPairs(),
        GluedFolds(),
        GluedFoldsWithSquare(),
        Reflections(),
    )

    widest: ClassVar[int] = 40
    safety: ClassVar[Mapping[str, tuple[float, float]]] = dict.fromkeys(
        NORMS, (0.002, 0.02)
    )
    scope = InexactScope(least_depth=3)

    def samples(
        self, f: Callable[[np.ndarray], np.ndarray], problem: Problem
    ) -> Sampled:
        return Sampled.of(f, problem.norm)

    def starts(
        self,
        width: int,
        sampled: Samples,
        known: Weights | None,
        problem: Problem,
        depth: int,
        rng: np.random.Generator,
    ) -> Iterator[Weights]:
        assert isinstance(sampled, Sampled)
        yield from starts(sampled, depth - 1, width)
        for other in self.others:
            claim = loosened(other, problem, depth, width)
            if claim is not None:
                yield Units.of(problem).inside(claim.network)

    def examples(self) -> Sequence[Problem]:
        return [Problem("expr:exp(x)", accuracy="1e-3")]


def loosened(
    construction: AbstractConstruction, problem: Problem, depth: int, width: int
) -> Upper | None:
    """Its network for the least accuracy, looser step by step, that fits the width.

    The loosest is asked first, as it tells whether any fits.
    """

    @cache
    def at(step: int) -> Upper | None:
        easier = Problem(
            problem.target, problem.law, problem.norm, problem.accuracy * LOOSER**step
        )
        claim = construction.prove(easier, depth)
        if isinstance(claim, Inapplicable) or claim.width > width:
            return None
        return claim if claim.predicted_weights <= MAX_WEIGHTS else None

    if at(LOOSEST) is None:
        return None
    return at(least(lambda step: at(step) is not None, 0, LOOSEST))
