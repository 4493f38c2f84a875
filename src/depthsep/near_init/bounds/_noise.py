r"""The size of a network at initialisation: F(x; w_0) with signs a and Gaussian rows.

F(x) = sum_j a_j relu(v_j . x), a_j = +-1 and v_j ~ N(0, I_d), no 1/sqrt(m). The exact
law at a point: a_j relu(v_j . x) is |x| N(0, 1) or 0 with chance 1/2 each, so
F(x) / |x| ~ N(0, K) with K ~ Bin(m, 1/2).
"""

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, UndecidedError
from depthsep.exact import rational
from depthsep.near_init._inputs import ONE, PRECISION, checked, probability

MOST_WIDTH = 10**8
WIDEST = 72  # deviations of K, times two, that are summed at most
PRINTED = fmpq(32)


@checked
def noise_bound(width: int, delta: fmpq, norm: fmpq = ONE) -> arb:
    """|F(x)| <= 4 |x| sqrt(m) ln(2 m / delta), w.p. 1 - delta: true, not sharp.

    Source:
        Telgarsky (2023), Lemma 3.15 (1). The printed proof uses a one-sided inequality
        for |F|; the statement follows from `noise_bound_sharp`.
    """
    with ctx.workprec(PRECISION):
        log = (2 * width / arb(delta)).log()
        return 4 * norm * arb(width).sqrt() * log


@checked
def noise_bound_sharp(width: int, delta: fmpq, norm: fmpq = ONE) -> arb:
    """|F(x)| <= |x| sqrt(2 m ln(2 / delta)), w.p. 1 - delta.

    The moment generating function ((1 + exp(s^2 / 2)) / 2)^m is at most exp(m s^2 / 2).
    """
    with ctx.workprec(PRECISION):
        return norm * (2 * width * (2 / arb(delta)).log()).sqrt()


@checked
def noise_tail(width: int, level: fmpq, norm: fmpq = ONE) -> arb:
    """P(|F(x)| > level), from the exact law: sum_K C(m, K) 2^-m erfc(t / sqrt(2 K)).

    Raises:
        HypothesisError: a negative level, or more than 10^8 units.
    """
    if width > MOST_WIDTH:
        raise HypothesisError(f"`width` is {width}; it must be at most 10^8")
    if norm == 0:
        return arb(0)
    with ctx.workprec(PRECISION):
        t, reach = arb(level) / norm, 9
        while True:
            found, rest = _tail(width, t, reach)
            if reach >= WIDEST or rest <= found * arb(2) ** -64:
                return found + arb(0).union(rest)
            reach *= 2


@checked
def noise_quantile(width: int, delta: fmpq, norm: fmpq = ONE) -> fmpq:
    """A level that |F(x)| exceeds with probability at most delta, nearly the least.

    Found in float64 and proved by `noise_tail`; about 1e-10 of it (at least 1e-10)
    may be too much.
    """
    with ctx.workprec(PRECISION):
        if noise_tail(width, fmpq(0)) <= delta:
            return fmpq(0)
        goal = float(arb(delta).log())
    level = _float_quantile(width, goal)
    found, step = rational(f"{level:.11e}"), rational(f"{max(level, 1.0) * 1e-11:.0e}")
    for _ in range(60):
        with ctx.workprec(PRECISION):
            if noise_tail(width, found) <= delta:
                return found * norm
        found, step = found + step, 2 * step
    raise UndecidedError(f"no bound was proved for delta = {delta}")


@checked
def noise_ball_bound(width: int, dim: int, delta: fmpq, factor: fmpq = PRINTED) -> arb:
    """sup over |x| <= 1 of |F| <= factor d sqrt(m) ln(m / delta), w.p. 1 - 2 delta.

    For delta < 1/2 and factor >= 9 (see `noise_ball_sharp`: 8.5 would do). The printed
    factors are 32 in the lemma, 16 in Theorem 3.10.

    Source:
        Telgarsky (2023), Lemma 3.15 (2), proved another way: the printed bound on the
        longest row, 1 + sqrt(2 ln(m / delta)), is false (sqrt(d) for 1 is right).
    """
    probability(delta, below=fmpq(1, 2))
    if factor < 9:
        raise HypothesisError(
            f"`factor` is {factor}; the bound is proved only for 9 and more"
        )
    with ctx.workprec(PRECISION):
        return factor * dim * arb(width).sqrt() * (width / arb(delta)).log()


@checked
def noise_ball_sharp(width: int, dim: int, delta: fmpq) -> arb:
    """sup over |x| <= 1 of |F|, at most this with probability 1 - 2 delta.

    4 sqrt(m d) + sqrt(2 m ln(1/delta)) + sqrt(m ln(2/delta) / pi): symmetrisation and
    contraction for the mean, Gaussian concentration in V, Hoeffding for sum a_j. The
    proof is docs/proofs/near-init.md.
    """
    probability(delta, below=fmpq(1, 2))
    with ctx.workprec(PRECISION):
        m, log = arb(width), -arb(delta).log()
        spread = (2 * m * log).sqrt() + (m * (log + arb(2).log()) / arb.pi()).sqrt()
        return 4 * (m * dim).sqrt() + spread


def _tail(width: int, t: arb, reach: int) -> tuple[arb, arb]:
    """The sum over |K - m/2| <= reach sqrt(m), and Hoeffding's bound on the rest."""
    span = int(reach * width**0.5) + 1
    low, high = max(0, width // 2 - span), min(width, width // 2 + span)
    rest = arb(0)
    if low > 0 or high < width:
        rest = 2 * (-2 * arb(span) ** 2 / width).exp()
    weight, found = _half_binomial(width, low), arb(0)
    for k in range(low, high + 1):
        if k:
            found += weight * (t / arb(2 * k).sqrt()).erfc()
        weight = weight * (width - k) / (k + 1)
    return found, rest


def _half_binomial(width: int, k: int) -> arb:
    """C(m, k) 2^-m."""
    log = arb(width + 1).lgamma() - arb(k + 1).lgamma() - arb(width - k + 1).lgamma()
    return (log - width * arb(2).log()).exp()


def _float_quantile(width: int, goal: float) -> float:
    """The level whose tail has the logarithm `goal`, in float64."""
    import numpy as np
    from scipy.optimize import root_scalar
    from scipy.special import log_ndtr
    from scipy.stats import binom

    span = int((width * (60 - goal) / 2) ** 0.5) + 10
    k = np.arange(max(1, width // 2 - span), min(width, width // 2 + span) + 1)
    weights = binom.logpmf(k, width, 0.5) + np.log(2.0)

    def excess(t: float) -> float:
        # erfc(t / sqrt(2 k)) = 2 Phi(-t / sqrt k)
        return float(np.logaddexp.reduce(weights + log_ndtr(-t / np.sqrt(k)))) - goal

    top = 2 * (2 * width * (1 - goal)) ** 0.5
    if excess(0.0) <= 0:
        return 0.0
    return float(root_scalar(excess, bracket=(0.0, top), method="brentq").root)
