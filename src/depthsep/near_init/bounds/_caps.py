r"""Caps of directions, and how wide a random layer must be to hide a network in it.

A cap is {u : |beta - u| <= tau} on the unit sphere of R^d, u uniform. A row serves
alpha_i if its direction lies in the cap of beta_i and its sign is that of alpha_i: the
number of rows that do is Bin(m, cap / 2), and Theorem 3.10 wants n of them for every i.
"""

from dataclasses import dataclass

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import ball_upper, least
from depthsep.near_init._inputs import COMPARING, PRECISION, checked
from depthsep.special import binomial_tail

MOST_WIDTH = 10**15


@checked
def cap_chance(dim: int, tau: fmpq) -> arb:
    """P(|beta - u| <= tau), enclosed.

    For d >= 2 it is I_s((d - 1) / 2, 1 / 2) / 2 with s = tau^2 (1 - tau^2 / 4) up to
    tau = sqrt 2, and 1 minus that beyond; in d = 1 it is 1/2 below tau = 2.
    """
    if tau <= 0 or dim < 1:
        raise HypothesisError(
            f"tau is {tau} and the dimension {dim}; both must be positive"
        )
    if tau >= 2:
        return arb(1)
    with ctx.workprec(PRECISION):
        half = arb(1) / 2
        if dim == 1:
            return half
        square = tau * tau
        s, other = square * (1 - square / 4), (1 - square / 2) ** 2  # s + other = 1
        a = arb(dim - 1) / 2
        if s <= fmpq(1, 2):
            found = half * arb(s).beta_lower(a, half, regularized=True)
        else:
            found = half * (1 - arb(other).beta_lower(half, a, regularized=True))
        return found if square <= 2 else 1 - found


@checked
def cap_chance_below(dim: int, tau: fmpq) -> fmpq:
    """(tau / 2)^(d - 1) / 2, a lower bound for 0 < tau <= 2 (Ball 1997, Lemma 2.3)."""
    if not 0 < tau <= 2:
        raise HypothesisError(f"tau is {tau}; the bound needs 0 < tau <= 2")
    return (tau / 2) ** (dim - 1) / 2


@checked
def row_share(dim: int, tau: fmpq) -> fmpq:
    """tau_d = tau^(d - 1) / 2^(d + 2), the share of rows that serve one alpha_i."""
    return tau ** (dim - 1) / fmpq(2) ** (dim + 2)


@checked
def rows_per_unit(width: int, dim: int, tau: fmpq) -> int:
    """n = floor(m tau_d): rows used for each alpha_i."""
    return int((width * row_share(dim, tau)).floor())


@checked
def width_printed(dim: int, tau: fmpq, delta: fmpq) -> int:
    """4^(d + 2) ln(1 / delta) / tau^(2 d - 2), rounded up, as in print."""
    with ctx.workprec(PRECISION):
        factor = 4 ** (dim + 2) / tau ** (2 * dim - 2)
        return _ceil(-arb(delta).log() * factor)


@checked
def width_chernoff(dim: int, tau: fmpq, delta: fmpq, units: int) -> int:
    """max(1, 4 ln(k / delta)) / tau_d, rounded up: enough for all k, w.p. 1 - delta.

    The 1 keeps n >= 1; without it delta > exp(-1/4) and k = 1 would give too little.

    Source:
        Theorem 3.10 of Telgarsky (2023) with a multiplicative Chernoff bound and the
        union over the k units, which is missing in print.
    """
    part = _share_within(dim, tau, units)
    with ctx.workprec(PRECISION):
        enough = _ceil(4 / part * (units / arb(delta)).log())
    return max(int((1 / part).ceil()), enough)


@dataclass(frozen=True)
class Feasibility:
    """The chance that every alpha_i has its n rows, between two balls.

    Attributes:
        below: 1 - k q, by the union bound; q is the chance that one lacks rows.
        above: (1 - q)^k, by negative association of multinomial counts.
    """

    below: arb
    above: arb


@checked
def feasibility(width: int, dim: int, tau: fmpq, units: int) -> Feasibility:
    """Whether a random layer of this width can hide a network of `units` units.

    q = P(Bin(m, cap / 2) < n) from the exact law. Needs disjoint caps, as the theorem
    has them. 0 if n = 0.
    """
    _share_within(dim, tau, units)
    q = _lacking(width, dim, tau)
    with ctx.workprec(COMPARING):
        return Feasibility((1 - units * q).max(arb(0)), (1 - q) ** units)


def _lacking(width: int, dim: int, tau: fmpq) -> arb:
    """q, to full relative precision: P(Bin(m, 1 - cap / 2) > m - n)."""
    n = rows_per_unit(width, dim, tau)
    if n == 0:
        return arb(1)
    with ctx.workprec(PRECISION):
        return binomial_tail(width, 1 - cap_chance(dim, tau) / 2, width - n + 1)


def _share_within(dim: int, tau: fmpq, units: int) -> fmpq:
    """tau_d.

    Raises:
        HypothesisError: tau > 1, or more caps than the sphere holds.
    """
    if not 0 < tau <= 1:
        raise HypothesisError(f"tau is {tau}; the theorem needs 0 < tau <= 1")
    if units > 1 and units * cap_chance(dim, tau) > 1:
        raise HypothesisError(
            f"{units} disjoint caps of radius {tau} do not fit on the "
            f"unit sphere in dimension {dim}"
        )
    return row_share(dim, tau)


@checked
def smallest_width(dim: int, tau: fmpq, delta: fmpq, units: int) -> int:
    """The least width with feasibility proved at 1 - delta, and so from there to n + 1.

    Widths just below the next multiple of 1 / tau_d serve the same n with more rows, so
    the search is over n; a wider layer that starts the next n may need a few rows more.
    """
    _share_within(dim, tau, units)
    for n in range(1, MOST_WIDTH):
        first = int((n / row_share(dim, tau)).ceil())
        last = int(((n + 1) / row_share(dim, tau)).ceil()) - 1
        if last > MOST_WIDTH:
            break
        if _is_enough(last, dim, tau, delta, units):
            return least(
                lambda m: _is_enough(m, dim, tau, delta, units), first - 1, last
            )
    raise HypothesisError(
        f"no width up to {MOST_WIDTH:.0e} was proved to be enough; take "
        "a larger tau or delta"
    )


def _is_enough(width: int, dim: int, tau: fmpq, delta: fmpq, units: int) -> bool:
    with ctx.workprec(COMPARING):
        return bool(units * _lacking(width, dim, tau) <= delta)


def _ceil(ball: arb) -> int:
    """The least integer that is proved to be at least the number."""
    return int(ball_upper(ball).ceil())
