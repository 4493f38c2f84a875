r"""Sums of tangent kernels: dense with a bias coordinate, not without.

With x_d = 1/sqrt(2) on the unit sphere, k(x, x') = f(u . u') for the other coordinates,
f(z) = h(z + 1/2), h(t) = t / 4 + t arcsin(t) / (2 pi). All Maclaurin coefficients of f
are positive: f_n = sum_k h_k C(k, n) 2^(n - k) with h_k >= 0, infinitely many of them
positive at even k. The radius of convergence is 1/2, just where |u . u'| ends; but the
coefficients are nonnegative and sum to f(1/2) = 1/2 there, so the series converges
uniformly on the closed ball, and Stone-Weierstrass applies to its features.
"""

from dataclasses import dataclass

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError

MOST_TERMS = 2000


@dataclass(frozen=True)
class Universality:
    """The check of Proposition 3.25, by intervals.

    Attributes:
        coefficients: of f at 0, enclosed.
        all_positive: whether every ball is above 0.
        sum_at_edge: sum of f_n 2^-n over these terms; below f(1/2) = 1/2, its limit.
    """

    coefficients: tuple[arb, ...]
    all_positive: bool
    sum_at_edge: arb


def maclaurin(terms: int) -> tuple[arb, ...]:
    """The first coefficients of f(z) = h(z + 1/2), enclosed to 30 digits and more.

    Source:
        The proof of Proposition 3.25 in Telgarsky (2023); one display there has
        x . x' / pi where / 2 is right.
    """
    if not 1 <= terms <= MOST_TERMS:
        raise HypothesisError(f"the number of terms is {terms}; give 1 to {MOST_TERMS}")
    with ctx.workprec(192):
        # y = 1 / sqrt(1 - t^2) at t = 1/2 + z: (3/4 - z - z^2) y' = (1/2 + z) y
        y = [2 / arb(3).sqrt()]
        for n in range(terms):
            more = n * y[n - 1] if n else arb(0)
            y.append(((n + arb(1) / 2) * y[n] + more) / (n + 1) * 4 / 3)
        arcsine = [arb.pi() / 6, *(y[n - 1] / n for n in range(1, terms + 1))]
        found = [
            (arcsine[n] / 2 + (arcsine[n - 1] if n else 0)) / (2 * arb.pi())
            for n in range(terms)
        ]
        head = [arb(1) / 8, arb(1) / 4][:terms]
        return tuple(c + h for c, h in zip(found, [*head, *[0] * terms], strict=False))


def universality(terms: int = 60) -> Universality:
    """Proposition 3.25 checked: positive coefficients, finite sum at the edge.

    Source:
        Telgarsky (2023), Proposition 3.25. The cited corollary needs the open ball, the
        inputs are on its boundary: the absolute convergence there repairs it. d >= 2,
        else there are no inputs.
    """
    found = maclaurin(terms)
    with ctx.workprec(192):
        edge = sum((c / arb(2) ** n for n, c in enumerate(found)), arb(0))
    return Universality(found, all(c > 0 for c in found), edge)


def circle_coefficient(k: int) -> arb | fmpq:
    """(2 / pi) int_0^pi kappa(cos t) cos(k t) dt for the kernel without bias.

    kappa(c) = c (pi - arccos c) / (2 pi). 1/4 for k = 1, 0 for every odd k >= 3, and
    (1 / (k + 1)^2 + 1 / (k - 1)^2) / pi^2 for even k: so odd harmonics from 3 on cannot
    be approximated on the circle.
    """
    if k < 0:
        raise HypothesisError(f"the frequency is {k}; give 0 or more")
    if k % 2:
        return fmpq(1, 4) if k == 1 else fmpq(0)
    with ctx.workprec(192):
        return (1 / arb(k + 1) ** 2 + 1 / arb(k - 1) ** 2) / arb.pi() ** 2


def annihilator() -> tuple[np.ndarray, np.ndarray]:
    """Points (6, 2) on the circle and weights (6,) of mass 1 that no kernel sum sees.

    mu = sum_j (-1)^j delta(j pi / 3) / 6: its integral of k(., x') is 0 for every x',
    that of cos 3t is 1 and |mu| = 1. So every sum of kernels without bias is at least 1
    away from cos 3t in sup norm, and the zero function attains it: the error is 1.
    """
    angles = np.arange(6) * np.pi / 3
    return np.stack([np.cos(angles), np.sin(angles)], axis=1), (-1.0) ** np.arange(
        6
    ) / 6
