"""Jumps of a profile replaced by ramps, and what that costs under a radial law."""

from dataclasses import dataclass, replace
from itertools import pairwise

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, UndecidedError
from depthsep.exact import ball_upper, dyadic_near, midpoint
from depthsep.laws import AbstractRadialLaw
from depthsep.special import RadialPiece
from depthsep.targets import ProfilePiece, Radial, interval_ball, profile_jet

PRECISION = 128
BITS = 60
MOST_HALVINGS = 40
CELLS = 32


@dataclass(frozen=True)
class Ramps:
    """Pieces without jumps, and a bound of what the ramps cost.

    Attributes:
        width: of each ramp, in p.
        cost: of the squared error on the ramps, sup error before them included.
    """

    pieces: tuple[ProfilePiece, ...]
    width: fmpq
    cost: fmpq


def with_ramps(
    target: Radial, law: AbstractRadialLaw, rest: fmpq, room: fmpq
) -> Ramps | None:
    """Ramps as wide as the room for their squared error allows; None if there are none.

    Args:
        rest: the sup error of the network against the ramped profile.
        room: of the mean of (half a jump + rest)^2 over the ramps.
    """
    pieces, jumps = target.profile.pieces, target.jumps
    ends = sorted({fmpq(0), *(e for p in pieces for e in (p.start, p.stop))})
    gaps = [b - a for a, b in pairwise(ends)]
    width = dyadic_near(min(gaps) / 2, 10) or min(gaps) / 2
    for _ in range(MOST_HALVINGS):
        try:
            cost = _cost(target, law, width, rest)
        except (UndecidedError, HypothesisError):
            return None
        if cost <= room:
            return Ramps(_ramped(target, jumps, width), width, cost)
        share = fmpq((64 * room / cost).floor(), 64)
        width *= min(max(share, fmpq(1, 16)), fmpq(3, 4))
    return None


def _cost(target: Radial, law: AbstractRadialLaw, width: fmpq, rest: fmpq) -> fmpq:
    whole = fmpq(0)
    for jump in target.jumps:
        low, high = jump - width / 2, jump + width / 2
        with ctx.workprec(PRECISION):
            unit = target.unit()
            ends = [dyadic_near(midpoint(arb(e) / unit), BITS) for e in (low, high)]
            before, after = (law.cdf(radius) for radius in ends)
            mass = max(ball_upper(after - before), fmpq(0))
            off = _largest_gap(target, low, high)
        whole += (off + rest) ** 2 * mass
    return whole * fmpq(129, 128)


def _largest_gap(target: Radial, low: fmpq, high: fmpq) -> fmpq:
    """A bound of |ramp - G| between the ends of a ramp, cell by cell."""
    left, right = _value(target, low), _value(target, high)
    pieces, step, worst = target.profile.pieces, (high - low) / CELLS, fmpq(0)
    for k in range(CELLS):
        a, b = low + k * step, low + (k + 1) * step
        ramp = arb(left) + (right - left) * interval_ball(a - low, b - low) / (
            high - low
        )
        truth = profile_jet(pieces, interval_ball(a, b)).value
        worst = max(worst, ball_upper(abs(truth - ramp)))
    return worst


def _ramped(
    target: Radial, jumps: tuple[fmpq, ...], width: fmpq
) -> tuple[ProfilePiece, ...]:
    """The pieces, shortened by half a ramp on each side of each jump."""
    half, at = width / 2, set(jumps)
    made: list[ProfilePiece] = []
    for piece in target.profile.pieces:
        start = piece.start + (half if piece.start in at else 0)
        stop = piece.stop - (half if piece.stop in at else 0)
        made.append(replace(piece, start=start, stop=stop))
    for jump in jumps:
        low, high = jump - half, jump + half
        left, right = _value(target, low), _value(target, high)
        slope = (right - left) / width
        made.append(RadialPiece(low, high, (left - slope * low, slope)))
    return tuple(sorted(made, key=lambda p: p.start))


def _value(target: Radial, p: fmpq) -> fmpq:
    """G(p), exactly where it is constant there, else to 60 bits."""
    with ctx.workprec(PRECISION):
        value = profile_jet(target.profile.pieces, arb(p)).value
        exact = value.unique_fmpz()
        return fmpq(exact) if exact is not None else dyadic_near(midpoint(value), BITS)
