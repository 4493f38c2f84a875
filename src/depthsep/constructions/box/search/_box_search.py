"""Networks on a box that are narrower than any construction."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import ClassVar

import numpy as np

from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.box._glued_taylor import TaylorOnGrid
from depthsep.constructions.box._ridge_sum import RidgeSums
from depthsep.constructions.box._shared_folds import SharedFolds
from depthsep.constructions.box._smooth_ridges import SmoothRidges
from depthsep.constructions.box.search._samples import POINTS, BoxSampled
from depthsep.constructions.box.search._starts import starts
from depthsep.constructions.search._abstract import AbstractSearch
from depthsep.constructions.search._samples import Samples
from depthsep.constructions.search._weights import Weights
from depthsep.evidence import Inapplicable
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

MOST_WEIGHTS = 1200


@dataclass(frozen=True)
class BoxSearch(AbstractSearch):
    """On a box of 2 to 4 dimensions, whether a network is known or not."""

    others: tuple[AbstractConstruction, ...] = (
        SharedFolds(),
        RidgeSums(),
        SmoothRidges(),
        TaylorOnGrid(),
    )

    widest: ClassVar[int] = 96
    # means take long to be enclosed within less than a hundredth
    safety: ClassVar[Mapping[str, tuple[float, float]]] = {
        "linf": (0.01, 0.1),
        "l1": (0.03, 0.15),
        "l2": (0.03, 0.15),
    }
    scope = Scope(
        "this search needs a function on a box", AbstractBoxTarget, least_depth=2
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        if problem.law.in_dim not in POINTS:
            return Inapplicable("the search covers boxes of 2 to 4 dimensions only")
        return super().claim(problem, depth)

    def widest_at(self, problem: Problem, depth: int) -> int:
        """So that a network has not many more weights than MOST_WEIGHTS."""
        layers, read = depth - 1, problem.law.in_dim + 2
        if layers == 1:
            return min(self.widest, MOST_WEIGHTS // read)
        return min(self.widest, isqrt(MOST_WEIGHTS // (layers - 1)))

    def samples(
        self, f: Callable[[np.ndarray], np.ndarray], problem: Problem
    ) -> BoxSampled:
        return BoxSampled.of(f, problem.law.in_dim, problem.norm)

    def starts(
        self,
        width: int,
        sampled: Samples,
        known: Weights | None,
        problem: Problem,
        depth: int,
        rng: np.random.Generator,
    ) -> Iterator[Weights]:
        return starts(sampled, known, depth - 1, width, rng)

    def examples(self) -> Sequence[Problem]:
        return [Problem("expr:exp(-x1**2-x2**2)", accuracy="1e-2")]
