"""Narrower networks than any construction: searched for, then examined."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from depthsep.analysis import least_width
from depthsep.claims import AbstractConstruction, SearchPlan, Upper
from depthsep.constructions.search._budget import Budget
from depthsep.constructions.search._descent import Descent
from depthsep.constructions.search._samples import Samples
from depthsep.constructions.search._units import Units
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
    proved,
)
from depthsep.problems import Problem

MOST_TIMES = 5  # the widest: known networks that are wider are not begun with


def _evaluate(pieces: int, layers: int) -> Value:
    width = least_width(pieces, layers)
    return Value(width, Rigour.EXACT, log2(width))


SEARCH = Statement(
    "search",
    "Width that L hidden layers need to have N pieces; the search "
    "tries no smaller width",
    (
        "the inputs lie in an interval; or they lie in a box, and the norm is linf",
        "weights are float64, and every network that is found is examined",
    ),
    Source("depthsep", "numerical search whose result is examined"),
    (Parameter("pieces", "integer", "N, the number of affine pieces"), LAYERS),
    _evaluate,
    sample="pieces=1000 layers=2",
    tex=(
        r"\text{widths } m_1, \ldots, m_L \text{ with } "
        r"\prod_{i=1}^{L} (m_i + 1) \ge N; \quad "
        r"\text{the search takes Levenberg-Marquardt steps, then linear programmes for "
        r"the least largest error}"
    ),
    proof=proved("narrow-networks"),
)


@dataclass(frozen=True)
class AbstractSearch(AbstractConstruction):
    """The narrowest network that a search in float64 finds, from many starts.

    A search claims nothing: what it finds is examined like every other network.

    Attributes:
        plan: how long, and from which random numbers.
        narrowest: a width that is proved to be needed; nothing below is tried.
        others: constructions whose networks it is to beat.
        shallower: a network of fewer layers, which is to be beaten too.
        is_careful: whether more of the accuracy is kept for what samples miss.
    """

    plan: SearchPlan
    narrowest: int = 1
    others: tuple[AbstractConstruction, ...] = ()
    shallower: Upper | None = None
    is_careful: bool = False

    statement: ClassVar[Statement] = SEARCH
    widest: ClassVar[int]
    """Wider networks are not searched for."""
    safety: ClassVar[Mapping[str, tuple[float, float]]]
    """Shares of the accuracy kept for what samples miss, by the norm; the second when
    careful."""
    patience: ClassVar[float] = 1.0  # another search takes longer, and finds no less

    def widest_at(self, problem: Problem, depth: int) -> int:
        """The widest network that is searched for."""
        return self.widest

    @abstractmethod
    def samples(
        self, f: Callable[[np.ndarray], np.ndarray], problem: Problem
    ) -> Samples:
        """The target f, on [-1, 1]^d and over the accuracy, where it is looked at."""

    @abstractmethod
    def starts(
        self,
        width: int,
        sampled: Samples,
        known: Weights | None,
        problem: Problem,
        depth: int,
        rng: np.random.Generator,
    ) -> Iterator[Weights]:
        """Networks of at most this width to begin with."""

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        first = min(self._known(problem, depth), key=lambda c: c.width, default=None)
        if first is not None and first.width <= self.narrowest:
            return Inapplicable("the known width is already proved to be the least")
        widest = self.widest_at(problem, depth)
        if self.narrowest > widest:
            return Inapplicable(
                "the width that is proved to be needed is above "
                f"{widest}, the largest width that is searched for"
            )
        units = Units.of(problem)
        sampled = self._sampled(problem, units)
        if sampled is None:
            return Inapplicable(
                "the sampled values of the target are all equal, or not all finite"
            )
        near = first is not None and first.width <= MOST_TIMES * widest
        known = units.inside(first.network) if first and near else None
        found = self._narrower(problem, depth, sampled, known)
        if found is None:
            return Inapplicable("no narrower network was found in the time given")
        network = units.outside(found)
        return Upper.of_network(
            network, problem.accuracy, Rigour.SAMPLED, self.statement
        )

    def _known(self, problem: Problem, depth: int) -> list[Upper]:
        """Networks of other constructions, and the one of fewer layers."""
        claims = [other.prove(problem, depth) for other in self.others]
        known = [claim for claim in claims if isinstance(claim, Upper)]
        if self.shallower is not None and self.shallower.depth < depth:
            known.append(self.shallower.deepened(depth))
        return known

    def _sampled(self, problem: Problem, units: Units) -> Samples | None:
        """None if the target is not finite where it is looked at, or constant."""
        f, dim = units.target_of(problem), len(units.start)
        few = np.linspace(-1, 1, 1025)
        few = f(few if dim == 1 else np.repeat(few[:, None], dim, axis=1))
        if not np.isfinite(few).all():
            return None
        sampled = self.samples(f, problem)
        if not np.isfinite(sampled.values).all() or np.ptp(sampled.values) == 0:
            return None
        return sampled

    def _narrower(
        self, problem: Problem, depth: int, sampled: Samples, known: Weights | None
    ) -> Weights | None:
        rng = np.random.default_rng(self.plan.seed)
        descent = Descent(
            sampled,
            self.narrowest,
            self.widest_at(problem, depth),
            1 - self.safety[problem.norm][self.is_careful],
            Budget(self.plan.seconds, self.plan.rounds),
            rng,
            lambda width: self.starts(width, sampled, known, problem, depth, rng),
        )
        return descent.narrower_than(known)

    def more_careful(self) -> "AbstractSearch | None":
        """The same with more of the accuracy kept for what lies between samples."""
        return None if self.is_careful else replace(self, is_careful=True)
