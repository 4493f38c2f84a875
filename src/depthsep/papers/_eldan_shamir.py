"""Eldan and Shamir (2016): radial functions under phi^2, both sides."""

from dataclasses import dataclass
from functools import cached_property

from flint import arb, ctx, fmpq

from depthsep.claims import Upper
from depthsep.constructions import RadialBySquares
from depthsep.evidence import log2
from depthsep.laws import SquaredTransform
from depthsep.lower_bounds import followed_mass, tube_width
from depthsep.papers._base import Columns, PaperRow
from depthsep.problems import Problem
from depthsep.separation import best_upper
from depthsep.special import tube_fraction
from depthsep.targets import Radial

PRECISION = 128


@dataclass(frozen=True)
class EldanShamirRow(PaperRow):
    """One target in one dimension.

    Attributes:
        norm_squared: ||g phi||^2.
        delta: the share of it outside 2 R, what the printed lemma needs.
        lemma: log2 of the width by the lemma, corrected: kappa = 2; None where the mass
            beyond is not above the squared accuracy.
        kappa: the radius, over R, of the best bound.
    """

    norm_squared: arb
    delta: arb
    lemma: arb | None
    kappa: fmpq | None

    @cached_property
    def columns(self) -> Columns:
        kappa = None if self.kappa is None else float(arb(self.kappa))
        return {
            "|g phi|^2": self.norm_squared,
            "share beyond 2 R": self.delta,
            "depth 2 by lemma, log2 width >=": self.lemma,
            "best kappa": kappa,
            "depth 2, log2 width >=": self.lower,
            "depth 3, log2 width <=": self.upper,
        }


def eldan_shamir_row(
    written: str,
    dim: int,
    accuracy: fmpq,
    edge: fmpq | None = None,
) -> EldanShamirRow:
    """Both sides for ``radial:written`` in L2 under phi^2, d >= 2.

    Args:
        edge: the t = 2 pi R |x| at which |x| = 1, for profiles in |x|.
    """
    target = Radial(written, dim)
    law = SquaredTransform(dim) if edge is None else SquaredTransform(dim, edge=edge)
    mass, slack = followed_mass(target, law, accuracy)
    error = accuracy + slack
    found = tube_width(mass, error)
    upper = best_upper(Problem(target, law, "l2", accuracy), 3, (RadialBySquares(),))
    with ctx.workprec(PRECISION):
        total, outside = _widened(mass.total, slack), mass.outside(fmpq(2))
        share = 1 - error**2 / outside
        width = share / tube_fraction(dim, fmpq(2))
        lemma = width.log() / arb(2).log() if share > 0 else None
        delta = _widened(outside, slack) / total
    return EldanShamirRow(
        target.text,
        dim,
        accuracy,
        float("-inf") if found is None else log2(found.width),
        log2(upper.width) if isinstance(upper, Upper) else None,
        total,
        delta,
        lemma,
        None if found is None else found.kappa,
    )


def _widened(mass: arb, slack: fmpq) -> arb:
    """The squared norm of what is within `slack` of something of this mass."""
    off = 2 * mass.sqrt() * slack + arb(slack) ** 2
    return mass + arb(0, 1) * off.upper() if slack else mass
