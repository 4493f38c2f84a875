"""Daniely (2017): F = sin(pi m <x, x'>) in every form of the bound, beside depth 3."""

from dataclasses import dataclass
from functools import cached_property

from flint import arb, ctx, fmpq

from depthsep.claims import Upper
from depthsep.constructions import InnerBySquares
from depthsep.evidence import log2
from depthsep.exact import ball_upper
from depthsep.lower_bounds import (
    Tail,
    ZonalWave,
    optimal_width,
    printed_example_width,
    weighted_widths,
)
from depthsep.papers._base import Columns, PaperRow
from depthsep.problems import Problem
from depthsep.targets import InnerProduct

PRECISION = 128


@dataclass(frozen=True)
class DanielyRow(PaperRow):
    """One dimension. Logarithms are log2 of widths, as enclosures.

    Attributes:
        printed: the printed example, n = d^2, B = 2^d, for sin(pi d^3 t) alone and at
            its own E = 1 / (50^(1/2) e pi), whatever E is asked for; proved from
            d = 25 on.
        theorem, linear, optimal: with weights up to B = 2^d.
        rank: N (1 - E^2 / A_n^2), any weights, and its degree.
        rank_full: (A_n^2 - E^2) / sum alpha^2 / N over degrees from n on.
        upper_printed: 16 d^2 L / E, L = pi m.
    """

    printed: arb
    theorem: arb
    linear: arb
    optimal: arb
    rank: arb
    degree: int
    rank_full: arb
    upper_printed: arb

    @cached_property
    def columns(self) -> Columns:
        return {
            "depth 2: example in the paper, for E = .0166": self.printed,
            "depth 2: theorem, weights up to 2^d": self.theorem,
            "depth 2: bound linear in E, weights up to 2^d": self.linear,
            "depth 2: optimised over degrees, weights up to 2^d": self.optimal,
            "depth 2: rank bound, any weights": self.rank,
            "depth 2: rank bound over all degrees, any weights": self.rank_full,
            "depth 3: bound in the paper": self.upper_printed,
            "depth 3: this package": self.upper,
        }

    @property
    def at_most(self) -> frozenset[str]:
        return frozenset({"depth 3: bound in the paper", "depth 3: this package"})


def daniely_row(dim: int, accuracy: fmpq, power: int = 3) -> DanielyRow:
    """All bounds for sin(pi d^power <x, x'>) in L2 on S^(d-1) x S^(d-1), d >= 2."""
    multiple = fmpq(dim) ** power
    wave = ZonalWave(dim, "sin", lambda: arb.pi() * arb(multiple))
    bound = fmpq(2) ** dim
    choices = (wave.degree_for_rank, wave.best_degree, wave.degree_for_norms)
    by_rank, full, by_norm = wave.tails([choose(accuracy) for choose in choices])
    weighted = weighted_widths(dim, by_norm, accuracy, bound)
    target = InnerProduct(f"sin(pi*d**{power}*t)", dim)
    upper = InnerBySquares().prove(Problem(target, norm="l2", accuracy=accuracy), 3)
    assert isinstance(upper, Upper)
    with ctx.workprec(PRECISION):
        in_full = _log2(_full(full, accuracy))
        rank = by_rank.dimension * (1 - accuracy**2 / by_rank.mass)
        return DanielyRow(
            f"sin(pi d^{power} t)",
            dim,
            accuracy,
            float(in_full.lower()),
            log2(upper.width),
            _log2(printed_example_width(dim) if power == 3 else arb(0)),
            _log2(weighted.theorem),
            _log2(weighted.linear),
            _log2(optimal_width(wave, accuracy, bound)),
            _log2(rank),
            by_rank.degree,
            in_full,
            _log2(16 * arb(dim) ** 2 * arb.pi() * arb(multiple) / arb(accuracy)),
        )


def _full(tail: Tail, accuracy: fmpq) -> arb:
    """At least this: `shared` is a bound from above, so the ball is its lower end."""
    ratio = (tail.mass - accuracy**2) / tail.shared
    return arb(-ball_upper(-ratio))


def _log2(width: arb) -> arb:
    return width.log() / arb(2).log()
