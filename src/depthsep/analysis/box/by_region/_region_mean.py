r"""Means of |network - f| and of its square, over simplices of regions, in balls.

On a simplex network - f is p + rho: p is quadratic, see `_simplices`, and |rho| <= e.
The mean of p is that of its Bernstein coefficients b; where these have one sign it is
the mean of |p|. The mean of p^2 is a quadratic form in its coefficients. So

    max(|mean p| - e, 0) <= mean |p + rho| <= min(root mean p^2, mean |b|) + e,
    max(root mean p^2 - e, 0) <= root mean (p + rho)^2 <= root mean p^2 + e.

Simplices where the two sides are far apart are halved until the limit is decided.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, inf, prod

from flint import arb, ctx, fmpq

from depthsep._deadline import end_after, is_over
from depthsep._progress import tell
from depthsep.analysis.box.by_region._simplices import (
    PRECISION,
    Cutter,
    Pair,
    Simplex,
)
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import ball_upper
from depthsep.laws import Box
from depthsep.networks import Network
from depthsep.targets import Formula

MOST_SIMPLICES = 50_000
SHARE = 0.6  # of what is open, in the simplices that are halved at once


@dataclass(frozen=True)
class _Part:
    """A simplex with what it adds to the mean, between low and high."""

    simplex: Simplex
    low: arb
    high: arb

    @property
    def open(self) -> float:
        """How far apart the two sides are."""
        gap = float((self.high - self.low).mid())
        return gap if gap == gap else inf


def region_mean(
    network: Network,
    target: Formula,
    box: Box,
    *,
    norm: str,
    enough: fmpq | None = None,
    relative: float = 1e-4,
    seconds: float,
) -> Enclosure | None:
    """The l1 or l2 error under the uniform law of the box, enclosed.

    None where there are too many regions or inputs, units without regions, or no
    finite bound.

    Args:
        norm: "l1" or "l2".
        enough: stop as soon as the error is known to be at most this, or above it.
        relative: or once the bar is no wider than this share of it.
        seconds: or after so long: the bar is then wider, and still a proof.
    """
    stop_at, squared = end_after(seconds), norm == "l2"
    with ctx.workprec(PRECISION):
        cutter = Cutter(target)
        simplices = cutter.whole(network, box, stop_at, seconds / 4)
        if simplices is None:
            return None
        parts = [_part(cutter, simplex, squared) for simplex in simplices]
        while True:
            low, high = _sums(parts, squared)
            if _is_narrow(low, high, enough, relative):
                break
            if len(parts) > MOST_SIMPLICES or is_over(stop_at):
                break
            tell(0.0 if not low > 0 else float((low / high).mid()), "the mean")
            parts = _halved(cutter, parts, squared, stop_at)
        if not (low.is_finite() and high.is_finite()):
            return None
        upper = ball_upper(high)
        lower = max(fmpq(0), -ball_upper(-low))
        return Enclosure(min(lower, upper), upper, Rigour.ENCLOSED)


def _is_narrow(low: arb, high: arb, enough: fmpq | None, relative: float) -> bool:
    if enough is not None and (high < enough or low > enough):
        return True
    return bool(high - low <= relative * high)


def _sums(parts: Sequence[_Part], squared: bool) -> tuple[arb, arb]:
    low = sum((part.low for part in parts), arb(0)).nonnegative_part()
    high = sum((part.high for part in parts), arb(0)).nonnegative_part()
    return (low.sqrt(), high.sqrt()) if squared else (low, high)


def _halved(
    cutter: Cutter, parts: list[_Part], squared: bool, stop_at: float
) -> list[_Part]:
    """The simplices that make up most of what is open, halved; unbounded ones first."""
    parts = sorted(parts, key=lambda part: -part.open)
    finite = [part.open for part in parts if part.open < inf]
    wanted, seen, made = SHARE * sum(finite), 0.0, list[_Part]()
    for number, part in enumerate(parts):
        if seen > wanted or is_over(stop_at):
            return made + parts[number:]
        seen += part.open
        for half in cutter.halves(part.simplex, _longest(part.simplex)):
            made.append(_part(cutter, half, squared))
    return made


def _longest(simplex: Simplex) -> Pair:
    """By what the target bends along the edges, where that is known."""
    sizes = {edge: abs(simplex.bend(edge)) for edge in simplex.edges}
    if not all(size.is_finite() for size in sizes.values()):
        sizes = simplex.lengths([arb(1)] * (len(simplex.corners) - 1))
    return max(sizes, key=lambda edge: float(sizes[edge].upper().mid()))


def _part(cutter: Cutter, simplex: Simplex, squared: bool) -> _Part:
    rest = simplex.rest()
    if rest.is_finite():
        low, high = _of_quadratic(simplex, squared)
        low, high = (low - rest).max(arb(0)), high + rest
    else:  # as of sqrt at 0, where there are no slopes
        off = abs(simplex.values - cutter.value(simplex.hull))
        low, high = arb(0), off.upper()
    if squared:
        low, high = low**2, high**2
    return _Part(simplex, simplex.share * low, simplex.share * high)


def _of_quadratic(simplex: Simplex, squared: bool) -> tuple[arb, arb]:
    """The mean of |p|, or the root of the mean of p^2, from below and above."""
    n, of = len(simplex.corners) - 1, simplex.coefficients()
    root = (
        sum((of[a] * of[b] * share for a, b, share in _products(n)), arb(0))
        .nonnegative_part()
        .sqrt()
    )
    if squared:
        return root, root
    coefficients = [x if i == k else x / 2 for (i, k), x in of.items()]
    count = len(coefficients)
    mean = sum(coefficients, arb(0)) / count
    sizes = sum((abs(x) for x in coefficients), arb(0)) / count
    return abs(mean), sizes.min(root)


@lru_cache(maxsize=8)
def _products(n: int) -> list[tuple[Pair, Pair, fmpq]]:
    """The means over an n-simplex of products of lambda_i lambda_k, i <= k."""
    pairs = list(combinations_with_replacement(range(n + 1), 2))
    found: list[tuple[Pair, Pair, fmpq]] = []
    for a, b in combinations_with_replacement(pairs, 2):
        powers = [(*a, *b).count(i) for i in range(n + 1)]
        mean = fmpq(factorial(n) * prod(map(factorial, powers)), factorial(n + 4))
        found.append((a, b, mean if a == b else 2 * mean))
    return found
