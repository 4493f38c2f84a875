"""Packings of the segments of a problem: floats propose them, rationals prove them."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import fmpq

from depthsep.evidence import Inapplicable
from depthsep.exact import total
from depthsep.lower_bounds._once import once_for_all_networks
from depthsep.lower_bounds.box.segments._bent_segments import (
    MOST_PIECES,
    MOST_SEGMENTS,
    STEPS,
    Run,
    bent_segments,
    proved_run,
)
from depthsep.lower_bounds.box.segments._packing import Packing, most_crossed
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

BOTH = (1, -1)
CROWDED = 2 * MOST_SEGMENTS  # many lines of one direction say as much, and sooner
LARGEST_DENOMINATOR = 96  # of a weight
MOST_CHOSEN = {2: 48, 3: 16, 4: 10}  # segments, by the number of variables
FEW_CHOSEN = 16  # of them, where many packings are needed
ROUNDS = 4  # of counts that correct what floats say
LIGHT = 1e-6
MOST_FAILED = 12  # runs, where none is proved: f may be affine between its kinks
Need = Callable[[int, int], int]  # of a run with a sign and so many pieces


@dataclass(frozen=True, eq=False)
class Packed:
    """Segments with weights of which no hyperplane crosses more than 1 together."""

    chosen: tuple[tuple[Run, fmpq], ...] = ()

    def value(self, need: Need) -> fmpq:
        """The weighted sum of what the runs need."""
        return total(w * need(run.sign, run.pieces) for run, w in self.chosen)


class SegmentPacker:
    """Finds packings of one problem; rows and counts are kept.

    Args:
        steps: of the grid between whose points segments are laid.
        most: segments that are chosen, at most.
    """

    def __init__(self, problem: Problem, steps: int, most: int) -> None:
        self.problem = problem
        target, box = problem.target_as(AbstractBoxTarget), problem.law.box
        self.most = most
        self.segments = bent_segments(target, box, steps)
        self.pieces = self.segments.pieces(problem.accuracy).astype(int)
        self.programme = Packing(self.segments.ends)
        self.runs: dict[int, Run | None] = {}
        self.found: dict[bytes, Packed] = {}

    def refusal(self) -> Inapplicable | None:
        """Why segments are not packed for this problem; None if they are."""
        if self.problem.target_as(AbstractBoxTarget).as_maximum() is not None:
            return Inapplicable(
                "this bound needs segments on which the target is curved, and a "
                "maximum of affine functions is affine between its kinks"
            )
        if self.segments.known > CROWDED:
            return Inapplicable(
                "along the segments that were tried, the curvature of the target "
                "changes sign more often than this bound can handle"
            )
        if self.pieces.max(initial=0) >= MOST_PIECES:
            return Inapplicable(
                "on some segments more pieces are needed than this bound can count"
            )
        return None

    def best(self, need: Need, signs: tuple[int, ...], enough: int = 0) -> Packed:
        """A packing of runs of these signs with a large sum of needs.

        Args:
            enough: what the sum has to exceed; there is no packing where it does not.
        """
        best = Packed()
        for _ in range(0 if self._is_hopeless() else ROUNDS):
            gains = self._gains(need, signs)
            key = gains.tobytes()
            known = key in self.found
            if not known:
                weights = self.programme.best(gains, enough)
                if weights is None:
                    break
                self.found[key] = self._packed(weights, gains)
            best = max(best, self.found[key], key=lambda p: p.value(need))
            if known or self._gains(need, signs).tobytes() == key:
                break
        return best

    def _is_hopeless(self) -> bool:
        """Whether no run is proved to bend, of enough that were tried."""
        return len(self.runs) > MOST_FAILED and not any(self.runs.values())

    def _gains(self, need: Need, signs: tuple[int, ...]) -> np.ndarray:
        pairs = np.stack([self.segments.signs, self.pieces], axis=1)
        kinds, number = np.unique(pairs, axis=0, return_inverse=True)
        values = [need(s, n) if s in signs else 0 for s, n in kinds.tolist()]
        return np.array(values, dtype=float)[number.ravel()]

    def _packed(self, weights: np.ndarray, gains: np.ndarray) -> Packed:
        """The heaviest segments, their pieces counted, scaled by what is crossed."""
        support = np.argsort(-weights * gains, kind="stable")[: self.most].tolist()
        chosen: list[tuple[Run, fmpq]] = []
        for k in support:
            if self._is_hopeless():
                break
            run = self._proved(k) if weights[k] * gains[k] > LIGHT else None
            near = Fraction(float(weights[k])).limit_denominator(LARGEST_DENOMINATOR)
            if run is not None and near > 0:
                chosen.append((run, fmpq(near.numerator, near.denominator)))
        if not chosen:
            return Packed()
        runs, exact = zip(*chosen, strict=True)
        most = most_crossed([run.ends for run in runs], exact)
        return Packed(tuple((run, w / most) for run, w in chosen))

    def _proved(self, k: int) -> Run | None:
        if k not in self.runs:
            run = self.runs[k] = proved_run(self.problem, self.segments, k)
            self.pieces[k] = 1 if run is None else min(run.pieces, MOST_PIECES)
        return self.runs[k]


@once_for_all_networks
def packer_of(problem: Problem, layers: int) -> SegmentPacker:
    """One for each problem; several layers need many packings, on a coarse grid."""
    (coarse, fine), most = STEPS[problem.law.in_dim], MOST_CHOSEN[problem.law.in_dim]
    if layers == 1:
        return SegmentPacker(problem, fine, most)
    return SegmentPacker(problem, coarse, min(most, FEW_CHOSEN))
