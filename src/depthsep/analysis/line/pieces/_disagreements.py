"""Where two functions of one variable lie on different sides of a level."""

from dataclasses import dataclass
from itertools import pairwise

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import PiecewiseAffine, rational


@dataclass(frozen=True)
class Disagreement:
    """Regions of f on which g lies on the other side throughout.

    Attributes:
        count: how many there are.
        regions, runs: maximal intervals of positive length on one side, of f and of g.
        guaranteed: max(0, ceil((regions - runs) / 2)): never fewer.
    """

    count: int
    regions: int
    runs: int

    @property
    def guaranteed(self) -> int:
        return max(0, -((self.runs - self.regions) // 2))


@dataclass(frozen=True)
class _Side:
    start: fmpq
    stop: fmpq
    is_above: bool


def disagreements(
    f: PiecewiseAffine, g: PiecewiseAffine, level: object = fmpq(1, 2)
) -> Disagreement:
    """Count the regions of f = {f >= level} and its complement where g differs.

    Args:
        f: continuous, exact, on one interval.
        g: likewise, on the same.

    Raises:
        HypothesisError: jumps, float64 functions, or different intervals.

    Source:
        Telgarsky (2016), the lemma on few against many crossings: at least
        s_f / 2 - s_g regions, printed; (s_f - s_g) / 2 holds.
    """
    at = rational(level, name="the level")
    for h in (f, g):
        if not h.is_exact or h.jumps.any() or h.is_on_whole_line:
            raise HypothesisError(
                "both functions must be exact, continuous and given on a "
                "bounded interval"
            )
    if (f.knots[0], f.knots[-1]) != (g.knots[0], g.knots[-1]):
        raise HypothesisError(
            "the functions are given on different intervals; these must be the same"
        )
    mine, theirs = _sides(f, at), _sides(g, at)
    count = first = 0
    for region in mine:
        while theirs[first].stop <= region.start:
            first += 1
        over, k = [], first
        while k < len(theirs) and theirs[k].start < region.stop:
            over.append(theirs[k].is_above)
            k += 1
        count += all(side != region.is_above for side in over)
    return Disagreement(count, len(mine), len(theirs))


def _sides(f: PiecewiseAffine, level: fmpq) -> list[_Side]:
    """Intervals of positive length where f >= level, and where not, in turns."""
    found: list[_Side] = []
    ends = zip(f.knots.tolist(), f.values.tolist(), strict=True)
    for (a, low), (b, high) in pairwise([(fmpq(x), fmpq(y)) for x, y in ends]):
        cuts = [a, b]
        if (low - level) * (high - level) < 0:
            cuts.insert(1, a + (b - a) * (level - low) / (high - low))
        for start, stop in pairwise(cuts):
            middle = low + (high - low) * ((start + stop) / 2 - a) / (b - a)
            side = bool(middle >= level)
            if found and found[-1].is_above == side:
                start = found.pop().start
            found.append(_Side(start, stop, side))
    return found
