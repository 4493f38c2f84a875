r"""Means of |network - f| and of its square, over simplices of regions, in balls.

On a simplex network - f is p + rho, p quadratic; |rho| is below the quadratic
sum_(i<j) lambda_i lambda_j delta_ij / 2, delta_ij = sum_k D_k (w_ij)_k^2, of which
`_simplices` takes the maximum. The mean of p is that of its Bernstein coefficients b;
where these have one sign it is the mean of |p|. The mean of a quadratic's square is a
quadratic form in its coefficients. So, in the l1 or the l2 norm ||.|| of the simplex,

    max(|mean p| - ||rho||, 0) <= ||p + rho||_1 <= min(||p||_2, mean |b|) + ||rho||,
    max(||p||_2 - ||rho||, 0) <= ||p + rho||_2 <= ||p||_2 + ||rho||.

Simplices where the two sides are far apart are halved until the limit is decided.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, perm

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
        for half in cutter.halves(part.simplex):
            made.append(_part(cutter, half, squared))
    return made


def _part(cutter: Cutter, simplex: Simplex, squared: bool) -> _Part:
    rest = _of_rest(simplex, squared)
    if rest.is_finite():
        low, high = _of_quadratic(simplex, squared)
        low, high = (low - rest).max(arb(0)), high + rest
    else:  # as of sqrt at 0, where there are no slopes
        off = abs(simplex.values - cutter.value(simplex.hull))
        low, high = arb(0), off.upper()
    if squared:
        low, high = low**2, high**2
    return _Part(simplex, simplex.share * low, simplex.share * high)


def _of_rest(simplex: Simplex, squared: bool) -> arb:
    """A bound of the l1 or l2 norm of rho."""
    n = len(simplex.corners) - 1
    if not squared:
        return sum(simplex.spreads.values(), arb(0)) / (2 * (n + 1) * (n + 2))
    half = {edge: spread / 4 for edge, spread in simplex.spreads.items()}
    return _root_mean_square(half, n + 1)


def _of_quadratic(simplex: Simplex, squared: bool) -> tuple[arb, arb]:
    """The l1 or l2 norm of p, from below and above."""
    bernstein = simplex.bernstein()
    root = _root_mean_square(bernstein, len(simplex.corners))
    if squared:
        return root, root
    count = len(bernstein)
    mean = sum(bernstein.values(), arb(0)) / count
    sizes = sum((abs(x) for x in bernstein.values()), arb(0)) / count
    return abs(mean), sizes.min(root)


def _root_mean_square(q: dict[Pair, arb], corners: int) -> arb:
    """Of lambda' Q lambda over a simplex, Q symmetric with the entries q_ik, i <= k.

    The mean of lambda_i lambda_j lambda_k lambda_l is n! / (n + 4)! times the number of
    permutations of the four places under which the indices stay.
    """
    sums = [arb(0)] * corners  # of the rows, the diagonal twice
    for (i, k), x in q.items():
        sums[i] += x
        sums[k] += x
    squares = sum((x * x for x in (*q.values(), *sums)), arb(0))
    total = sum(sums, arb(0))
    mean = (total * total + 4 * squares) / perm(corners + 3, 4)
    return mean.nonnegative_part().sqrt()
