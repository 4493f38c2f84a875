r"""Radial functions under phi^2: one hidden layer lives in tubes.

f = sum_k f_k(<v_k, x>) with f phi in L2 has a Fourier transform that is carried by the
tubes span(v_k) + R B. So it leaves at least what g phi has outside of them:
E^2 >= int (1 - m h(kappa))_+ dM(kappa), M the radial distribution of |(g phi)^|^2 and
h(kappa) the share of the sphere of radius kappa R that one tube covers. Hence
m >= (1 - E^2 / (M(oo) - M(kappa))) / h(kappa) for every kappa >= 1.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.approximation import linearise
from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.exact import ball_upper
from depthsep.laws import Segment, SquaredTransform
from depthsep.lower_bounds.symmetric._refusals import refusal_for
from depthsep.problems import NetworkClass, Problem, Units
from depthsep.special import RadialEstimate, RadialMass, RadialPiece, tube_fraction
from depthsep.targets import FormulaPiece, Profile, Radial

PRECISION = 192
SHARE = fmpq(1, 64)  # of the accuracy, for following a formula
ROUNDS = 3  # of a grid that narrows around the best kappa
POINTS = 9  # of each grid
MAX_KAPPA = 400.0
FARTHEST = 1200.0  # kappa * t that is summed: the work grows like its square
UNITS = Units(
    "growing",
    "units of polynomial growth",
    None,
    includes_kind=lambda other: other.reads_one and other.pieces is not None,
)
CLASS = NetworkClass(units=UNITS, skips=False, hidden_layers=1)


@dataclass(frozen=True)
class TubeWidth:
    """A width that every network of one hidden layer needs, and where it comes from.

    Attributes:
        total: ||g phi||^2.
        outside: the mass beyond kappa R.
    """

    width: int
    kappa: fmpq
    total: arb
    outside: arb


def radial_mass(target: Radial, law: SquaredTransform, error: fmpq) -> RadialMass:
    """The Fourier masses of g phi, formulas followed to a sup error by chords."""
    found = RadialMass(
        target.dim,
        _chords(target.profile, error),
        lambda: law.phase() / target.unit(),
    )
    if found.reach > FARTHEST:
        raise TooLargeError(
            f"the function extends to the phase t = {found.reach:.6g}, but Fourier "
            f"transforms are computed only up to t = {FARTHEST:.0f}: choose a "
            "function that ends at a smaller radius, or a larger scale of the law"
        )
    return found


def _chords(profile: Profile, error: fmpq) -> list[RadialPiece]:
    pieces = []
    for piece in profile.pieces:
        if isinstance(piece, RadialPiece):
            pieces.append(piece)
            continue
        on = Segment(piece.start, piece.stop)
        chain = linearise(piece.formula, on, error, max_knots=4096).function
        knots = [fmpq(k) for k in chain.knots.tolist()]
        for k, slope in enumerate(chain.slopes.tolist()):
            start = chain.values[k] - slope * knots[k]
            pieces.append(RadialPiece(knots[k], knots[k + 1], (start, slope)))
    return pieces


def tube_width(mass: RadialMass, accuracy: fmpq) -> TubeWidth | None:
    """The best m over kappa; None where the accuracy exceeds the norm."""
    with ctx.workprec(PRECISION):
        if not mass.total > accuracy**2:
            return None
    kappa = best_kappa(RadialEstimate(mass), float(accuracy))
    outside = mass.outside(kappa)
    with ctx.workprec(PRECISION):
        share = 1 - accuracy**2 / outside
        if not (outside > 0 and share > 0):
            return TubeWidth(0, kappa, mass.total, outside)
        least = -ball_upper(-(share / tube_fraction(mass.dim, kappa)))
    width = max(0, int(least.ceil()))
    return TubeWidth(width, kappa, mass.total, outside)


def best_kappa(estimate: RadialEstimate, accuracy: float) -> fmpq:
    """About the kappa of the largest bound, a multiple of 1/64 from 1 on."""
    limit = max(1.0, min(MAX_KAPPA, FARTHEST / estimate.mass.reach))
    found: dict[float, float] = {}

    def score(kappa: float) -> float:
        if kappa not in found:
            share = 1 - accuracy**2 / max(estimate.outside(kappa), 1e-300)
            found[kappa] = (
                np.log(share) - _log_share(estimate, kappa) if share > 0 else (-np.inf)
            )
        return found[kappa]

    low, high = 1.0, min(2.0, limit)
    while high < limit and score(high) > -np.inf:
        high = min(1.5 * high, limit)
    for _ in range(ROUNDS):
        grid = _short(np.linspace(low, high, POINTS))
        best = max(range(len(grid)), key=lambda k: score(grid[k]))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    chosen = max(found, key=lambda k: found[k])
    return fmpq(round(chosen * 64), 64)


def _short(grid: np.ndarray) -> list[float]:
    return sorted(set((np.round(grid * 64) / 64).tolist()))


def _log_share(estimate: RadialEstimate, kappa: float) -> float:
    with ctx.workprec(64):
        ratio = fmpq(round(kappa * 64), 64)
        return float(tube_fraction(estimate.mass.dim, ratio).log().mid())


def _evaluate(dim: int, frequency: int, accuracy: fmpq) -> Value:
    target = Radial(f"triangle:{frequency}", dim)
    law = SquaredTransform(dim)
    found = tube_width(radial_mass(target, law, fmpq(1)), accuracy) if dim > 1 else None
    width = 0 if found is None else found.width
    return Value(width, Rigour.ENCLOSED, log2(width))


@dataclass(frozen=True)
class Tubes(AbstractLowerBound):
    """Radial functions under phi^2, at depth 2."""

    statement: ClassVar[Statement] = Statement(
        "radial-tubes",
        "Width that one hidden layer needs for a radial triangle wave "
        "under phi^2, in L2",
        (
            (
                "x has the density phi^2 in R^d, d >= 2, where phi is the "
                "Fourier transform of the indicator of the ball of volume "
                "1, and R is the radius of this ball"
            ),
            "the activations have polynomial growth, and the weights are arbitrary",
        ),
        Source("depthsep", "mass outside tubes (after Eldan and Shamir 2016)"),
        (
            Parameter("dim", "integer", "d, the dimension", "10", most=200),
            Parameter(
                "frequency",
                "integer",
                "the frequency of the wave in t = 2 pi R |x|",
                "4",
                most=100,
            ),
            Parameter("accuracy", "rational", "E, the allowed error", "1/10"),
        ),
        _evaluate,
        errata=(
            (
                "in Eldan and Shamir (2016), the hypothesis of the "
                "lemma on tubes should be about the mass outside the "
                "ball 2 R B of radius 2 R, not inside it"
            ),
            (
                "in the proof of that lemma, the first factor should be the norm "
                "inside 2 R B, which is sqrt(1 - delta) if delta is the share outside"
            ),
            (
                "in the source, h(r) is the share of the sphere of radius r that m "
                "tubes cover; its inequality h(r) <= m e^(-c d), with a constant c, "
                "holds only for r >= 2 R, and the bound in that lemma contains the "
                "square root of h(r)"
            ),
            (
                "in the proof of that lemma, the supports of the Fourier transforms "
                "should be found from the invariance of the units under translations, "
                "as the printed integral diverges"
            ),
            (
                "for phi^2 to be a density, the ball in the source must have the "
                "radius R that gives it volume 1, not radius 1"
            ),
        ),
        sample="dim=8 frequency=4 accuracy=1/10",
        tex=(
            r"\max_{\kappa \ge 1} "
            r"\frac{1 - E^2 / \operatorname{out}(\kappa)}{h(\kappa)}, "
            r"\quad \operatorname{out}(\kappa) "
            r"\text{ is the mass of the squared Fourier transform of the wave times "
            r"phi outside the ball of radius } "
            r"\kappa R; \quad \text{for } h \text{ see tube-fraction}"
        ),
        proof=proved("radial-tubes"),
    )

    scope = Scope(
        "this bound covers only radial functions under phi^2",
        Radial,
        SquaredTransform,
        most_depth=2,
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        target, law = problem.target_as(Radial), problem.law_as(SquaredTransform)
        if refusal := refusal_for(target.dim, problem.norm):
            return refusal
        try:
            mass, slack = followed_mass(target, law, problem.accuracy)
            found = tube_width(mass, problem.accuracy + slack)
        except (TooLargeError, HypothesisError) as refusal:
            return Inapplicable(str(refusal))
        width = 0 if found is None else found.width
        detail = (
            "" if found is None else f"mass outside tubes, with kappa = {found.kappa}"
        )
        return Lower.in_one_layer(width, Rigour.ENCLOSED, self.statement, CLASS, detail)

    def examples(self) -> list[Problem]:
        return [
            Problem(Radial("triangle:4", 5), norm="l2", accuracy="1/10"),
            Problem(Radial("ball", 3), SquaredTransform(3, edge=fmpq(2)), "l2", "1/20"),
            Problem(Radial("exp(-r) on 0,1", 4), SquaredTransform(4), "linf", "1/50"),
        ]


def followed_mass(
    target: Radial, law: SquaredTransform, accuracy: fmpq
) -> tuple[RadialMass, fmpq]:
    """The masses, and how far off in L2 they are: formulas, by SHARE of the accuracy.

    What is proved for them at the accuracy plus that much holds for the target.
    """
    formulas = any(isinstance(p, FormulaPiece) for p in target.profile.pieces)
    slack = accuracy * SHARE if formulas else fmpq(0)
    return radial_mass(target, law, accuracy * SHARE), slack
