r"""How far a network of one hidden layer is from its linearisation, with proofs.

F(x; V) = sum_j a_j sigma(v_j . x), no 1/sqrt(m); only V moves; V_0 has rows N(0, I_d).
B bounds the Frobenius distance from V_0. All values are balls.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import rational
from depthsep.near_init._inputs import ONE, PRECISION, amount, checked
from depthsep.special import binomial_quantile

STEPS = 8  # radii 2^(k/8), from 2^-12 to 2^12
LEVELS = 24 * STEPS

SMOOTHNESS: dict[str, Callable[[], arb]] = {
    "identity": lambda: arb(0),
    "tanh": lambda: 4 / (3 * arb(3).sqrt()),
    "logistic": lambda: 1 / (6 * arb(3).sqrt()),
    "sigmoid": lambda: 1 / (6 * arb(3).sqrt()),
    "softplus": lambda: arb(1) / 4,
    "gelu": lambda: (2 / arb.pi()).sqrt(),
    "square": lambda: arb(2),
    "cos": lambda: arb(1),
    "sin": lambda: arb(1),
    "erf": lambda: (8 / arb.pi()).sqrt() * (arb(-1) / 2).exp(),
}


def smoothness(activation: str) -> arb:
    """The least Lipschitz constant of the activation's derivative.

    Raises:
        HypothesisError: it is not known here; ReLU has none.
    """
    if activation not in SMOOTHNESS:
        known = ", ".join(SMOOTHNESS)
        raise HypothesisError(
            "the Lipschitz constant of the derivative of "
            f"{activation!r} is not known; choose one of {known}"
        )
    with ctx.workprec(PRECISION):
        return SMOOTHNESS[activation]()


@checked
def smooth_bound(
    beta: arb | fmpq | str, distance: fmpq, weight: fmpq, norm: fmpq = ONE
) -> arb:
    """|F(x; V) - F_0(x; V)| <= beta |a|_inf |x|^2 B^2 / 2, for beta-smooth units.

    Args:
        beta: a Lipschitz constant of sigma', or the name of an activation that
            `smoothness` knows.

    Raises:
        HypothesisError: beta < 0, or a name it does not know.

    Source:
        Telgarsky (2023), Proposition 3.4, with the linearisation at V_0 evaluated at V:
        as printed, at V_0, sigma = identity would make F constant. The factor |x|^2 is
        ours. Equality for sigma = beta z^2 / 2 and displacements along x.
    """
    constant = _constant(beta)
    with ctx.workprec(PRECISION):
        return constant * weight / 2 * norm**2 * distance**2


def _constant(beta: arb | fmpq | str) -> arb:
    if isinstance(beta, arb):
        return beta
    if isinstance(beta, str) and not any(c.isdigit() for c in beta):
        return smoothness(beta)
    return arb(amount(beta, "beta"))


@checked
def crude_bound(width: int, distance: fmpq, weight: fmpq, norm: fmpq = ONE) -> arb:
    """|F(x; V) - F_0(x; V)| <= |a|_inf |x| sqrt(m) |V|_F for ReLUs, whatever the start.

    Args:
        distance: |V|_F itself, not its distance from the start.

    Source:
        Telgarsky (2023), Remark 3.5: each term is a_j (1 - 1_0) v_j . x, and the sum of
        |v_j| is at most sqrt(m) |V|_F.
    """
    with ctx.workprec(PRECISION):
        return arb(weight) * norm * distance * arb(width).sqrt()


@checked
def changed_signs(width: int, distance: fmpq, tau: fmpq, delta: fmpq) -> int:
    """Most rows whose sign at x differs among V_0, W and V, all within B of V_0.

    floor(q(tau) + 2 B^2 / tau^2), q the quantile of the rows near their kink, and m at
    most; with probability 1 - delta for all W and V at once, tau fixed beforehand.

    Raises:
        HypothesisError: tau is 0.

    Source:
        Telgarsky (2023), equation (3.9), with the exact quantile.
    """
    if tau == 0:
        raise HypothesisError("tau is 0; give a positive threshold")
    near = near_kink_quantile(width, tau, delta)
    return min(width, near + int((2 * distance**2 / tau**2).floor()))


@checked
def near_kink_bound(width: int, tau: fmpq, delta: fmpq) -> arb:
    """#{j : |v_j . x| <= tau |x|} <= m tau + sqrt((m/2) ln(1/delta)) w.p. 1 - delta.

    Source:
        Telgarsky (2023), Lemma 3.8, with the logarithm inside the root as its proof has
        it; printed outside.
    """
    with ctx.workprec(PRECISION):
        log = -arb(delta).log()
        return width * arb(tau) + (arb(width) / 2 * log).sqrt()


@checked
def near_kink_chance(tau: fmpq) -> arb:
    """P(|v . x| <= tau |x|) = erf(tau / sqrt 2), v standard normal."""
    with ctx.workprec(PRECISION):
        return (arb(tau) / arb(2).sqrt()).erf()


@checked
def near_kink_quantile(width: int, tau: fmpq, delta: fmpq) -> int:
    """The exact law's quantile: rows near the kink are Bin(m, erf(tau / sqrt 2))."""
    return binomial_quantile(width, near_kink_chance(tau), delta)


@checked
def relu_bound(width: int, distance: fmpq, delta: fmpq, weight: fmpq) -> arb:
    """|a|_inf m^(1/3) (4 B^(4/3) + 2 B ln(1/delta)^(1/4)), for all W, V within B.

    With probability 1 - delta over V_0 at one fixed |x| <= 1, for the linearisation at
    any W, evaluated at any V.

    Source:
        Telgarsky (2023), Proposition 3.7. In its proof the signs agree off S because
        |v_0j . x| > tau |x| > |(w_j - v_0j) . x|; B = 0 is separate (both sides 0).
    """
    with ctx.workprec(PRECISION):
        log = -arb(delta).log()
        b, third = arb(distance), arb(width) ** (arb(1) / 3)
        if distance == 0:
            return arb(0)
        return weight * third * (4 * b ** (arb(4) / 3) + 2 * b * log.root(4))


@dataclass(frozen=True)
class KinkBound:
    """A bound on the error of linearisation, with the cut-off that proves it.

    Attributes:
        value: a ball; the bound is its upper end.
        tau: rows with |v_0j . x| <= tau |x| are given up; fixed before the draw.
        near: at most so many such rows, with probability 1 - delta.
    """

    value: arb
    tau: fmpq
    near: int


@checked
def relu_bound_sharp(
    width: int,
    distance: fmpq,
    delta: fmpq,
    weight: fmpq = ONE,
    *,
    from_start: bool = False,
    units_per_row: int = 1,
) -> KinkBound:
    """2 |a|_inf B sqrt(q(tau) + 2 B^2 / tau^2), q the binomial quantile, any tau.

    tau is chosen by float64, nearly the best; at most m rows are counted. With
    `from_start` the linearisation is F_0, at V_0 itself: then
    |a|_inf B sqrt(q(tau) + B^2 / tau^2), as only V moves. Probability 1 - delta at one
    fixed |x| <= 1, for all V (and W) within B.

    Args:
        units_per_row: how many units share each random row; 2 for symmetrised pairs.

    Source:
        The proof of Proposition 3.7 in Telgarsky (2023) with the exact law of Lemma 3.8
        and the best cut-off; F_0 alone is ours.
    """
    if width % units_per_row:
        raise HypothesisError(
            f"width {width} is not a multiple of {units_per_row}, the "
            "number of units that share a row"
        )
    if distance == 0:
        return KinkBound(arb(0), ONE, 0)
    movers = 1 if from_start else 2
    tau = _best_cut(width, distance, delta, movers)
    near = units_per_row * near_kink_quantile(width // units_per_row, tau, delta)
    with ctx.workprec(PRECISION):
        rows = near + movers * arb(distance) ** 2 / arb(tau) ** 2
        rows = rows if rows < width else arb(width)
        return KinkBound(movers * weight * arb(distance) * rows.sqrt(), tau, near)


def _best_cut(width: int, distance: fmpq, delta: fmpq, movers: int) -> fmpq:
    """A cut-off that is nearly best; any is valid, so floats may choose it."""
    from scipy.special import erf
    from scipy.stats import binom

    b = min(max(float(arb(distance)), 1e-100), 1e100)
    log = -float(arb(delta).log())
    taus = (b * b / width) ** (1 / 3) * np.geomspace(1e-3, 1e3, 601)
    best = taus[0]
    for _ in range(2):
        p = erf(taus / 2**0.5)
        if log < 30:
            near = binom.isf(math.exp(-log), width, p)
        else:  # Bernstein: scipy has no quantiles so far out
            near = width * p + np.sqrt(2 * log * width * p * (1 - p)) + log / 3
        rows = near + movers * (b / taus) ** 2
        best = taus[np.argmin(rows)]
        taus = best * np.geomspace(0.97, 1.03, 201)
    return rational(float(best))


@checked
def relu_bounds_along(
    width: int,
    distances: Sequence[float],
    points: int,
    delta: fmpq,
    *,
    units_per_row: int = 1,
) -> list[float]:
    """Bounds on |F(x; V_t) - F_0(x; V_t)| along a path, for all t and points at once.

    V_t depends on the draw, so its distance may not be used as B directly: bounds are
    taken at the radii 2^(k/8) and shared out over them and the points; each distance
    uses the next radius. With |a| = 1, |x| <= 1; probability 1 - delta.

    Raises:
        HypothesisError: no point, a distance below 0, not finite or beyond 2^11.75.
    """
    if not all(math.isfinite(d) and d >= 0 for d in distances):
        raise HypothesisError("distances have to be finite and 0 or more")
    share, found, known = delta / (LEVELS * points), [], {}
    for distance in distances:
        if distance == 0:
            found.append(0.0)
            continue
        level = math.ceil(STEPS * math.log2(distance))
        level = max(level, -LEVELS // 2)
        if level >= LEVELS // 2:
            raise HypothesisError(
                f"a distance is {distance}; give distances of at most 3,000"
            )
        if level not in known:
            radius = rational(2.0 ** (level / STEPS) * (1 + 1e-12))
            bound = relu_bound_sharp(
                width, radius, share, from_start=True, units_per_row=units_per_row
            )
            known[level] = math.nextafter(float(bound.value.upper()), math.inf)
        found.append(known[level])
    return found
