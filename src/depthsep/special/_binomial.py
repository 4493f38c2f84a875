"""Binomial tails and quantiles, enclosed."""

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, UndecidedError
from depthsep.exact import least

PRECISION = 160
COMPARING = 512  # bits to which chances are compared
MOST_TRIALS = 10**15
MOST_STEPS = 4_000_000


def binomial_tail(trials: int, chance: arb | fmpq, least: int) -> arb:
    """P(Bin(trials, chance) >= least), enclosed.

    The shorter tail is summed; its terms fall at least geometrically, which bounds the
    rest.

    Args:
        chance: a ball within [0, 1].

    Raises:
        HypothesisError: more than 10^15 trials.
        UndecidedError: `chance` is so wide that the tail cannot be enclosed.
    """
    if not 0 <= trials <= MOST_TRIALS:
        raise HypothesisError(
            f"the number of trials is {trials}; it must be 0 to {MOST_TRIALS}"
        )
    if least <= 0:
        return arb(1)
    if least > trials:
        return arb(0)
    with ctx.workprec(PRECISION):
        p = arb(chance)
        if p == 0 or p == 1:
            return arb(1) if p == 1 else arb(0)
        if not (p > 0 and p < 1):
            return _at_an_end(trials, p, least)
        if least > trials * p:
            return _clipped(_sum_from(trials, p, least))
        return _clipped(1 - _sum_from(trials, 1 - p, trials - least + 1))


def binomial_quantile(trials: int, chance: arb | fmpq, delta: fmpq) -> int:
    """A count exceeded with probability at most `delta`: the least one, if decided.

    Ties that balls cannot decide (delta equal to a tail) may give one more.
    """

    def is_rare(count: int) -> bool:
        return bool(binomial_tail(trials, chance, count + 1) <= delta)

    with ctx.workprec(COMPARING):
        return least(is_rare, -1, trials)


def _clipped(tail: arb) -> arb:
    """A chance is at least 0 and at most 1, whatever its ball says."""
    if tail >= 0 and tail <= 1:
        return tail
    if not tail.is_finite():
        return arb(0).union(arb(1))
    return arb(tail.lower()).max(arb(0)).union(arb(tail.upper()).min(arb(1)))


def _at_an_end(n: int, p: arb, k: int) -> arb:
    """The tail for a ball that meets 0 or 1: it grows with the chance."""
    low, high = arb(p.lower()), arb(p.upper())
    if not (low < 1 and high > 0):
        raise UndecidedError(f"a probability must lie in [0, 1], not {p}")
    least = binomial_tail(n, low, k) if low > 0 else arb(0)
    most = binomial_tail(n, high, k) if high < 1 else arb(1)
    return least.union(most)


def _sum_from(n: int, p: arb, k: int) -> arb:
    """The sum of C(n, j) p^j (1-p)^(n-j) from j = k on, for k above or near n p."""
    odds = p / (1 - p)
    log = arb(n + 1).lgamma() - arb(k + 1).lgamma() - arb(n - k + 1).lgamma()
    term = (log + k * p.log() + (n - k) * (1 - p).log()).exp()
    found, small = arb(0), arb(2) ** -(PRECISION // 2)
    for step in range(MOST_STEPS):
        found += term
        if k == n:
            return found
        ratio = odds * (n - k) / (k + 1)
        term, k = term * ratio, k + 1
        if step % 16 == 0 and ratio < 1 and term < small * found * (1 - ratio):
            rest = (term / (1 - ratio)).upper()
            return found + arb(0).union(arb(rest))
    raise UndecidedError(f"a binomial tail of {n} trials needs too many terms")
