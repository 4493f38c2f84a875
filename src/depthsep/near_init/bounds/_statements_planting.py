"""Statements about planting units near the initialisation."""

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.evidence import Source, Statement, proved
from depthsep.near_init._inputs import PRECISION
from depthsep.near_init.bounds import _caps as caps
from depthsep.near_init.bounds._statement_parts import (
    DELTA,
    DIM,
    OURS,
    SIGNS,
    TAU,
    UNITS,
    WIDTH,
    chapter,
    enclosed,
    known,
)


def _planted_distance(width: int, dim: int, tau: fmpq) -> arb:
    caps.feasibility(width, dim, tau, 1)  # its hypotheses
    n = caps.rows_per_unit(width, dim, tau)
    if n == 0:
        raise HypothesisError(
            f"width {width} gives less than one row for each unit; widen the layer"
        )
    with ctx.workprec(PRECISION):
        return (arb(width) / n).sqrt() / arb(tau)


def _feasible(width: int, dim: int, tau: fmpq, units: int) -> arb:
    return caps.feasibility(width, dim, tau, units).below


PLANTING: tuple[Statement, ...] = (
    Statement(
        "telgarsky-3.10",
        "A width at which a network of k units can be planted",
        (
            *SIGNS,
            (
                "the planted network is sum_i alpha_i relu(beta_i . x) "
                "with unit vectors beta_i, 2 tau < |beta_i - beta_l| "
                "for i != l, and 0 < tau <= 1"
            ),
            (
                "planting succeeds with probability at least 1 - delta "
                "over the draw of the start"
            ),
        ),
        chapter("Theorem 3.10"),
        (DIM, TAU, DELTA, UNITS),
        known(caps.width_chernoff),
        errata=(
            (
                "the source prints 2^(d+1) / tau^(d-1) in the factor of the planted "
                "network and in the distances, which is false for every choice of the "
                "hidden weights; the construction has the factor c_0 = sqrt(m) / tau, "
                "and the distance of the statement planting-distance"
            ),
            (
                "with the union bound over the k units, which the source omits, its "
                "failure probabilities add up to 2 delta + k delta"
            ),
            (
                "m tau_d need not be an integer: the number n of rows for each unit "
                "is its floor, and the constant c of the source is c_0 / n"
            ),
            "the source prints the width 4^(d+2) ln(1/delta) / tau^(2d-2)",
            "the theorem needs a_j = +-1 exactly and every alpha_i != 0",
        ),
        sample="dim=3 tau=1/2 delta=1/10 units=3",
        tex=(
            r"\frac{\max (1, \, 4 \, \ln (k / \delta))}{\tau_d}, "
            r"\quad \tau_d = \frac{\tau^{d-1}}{2^{d+2}}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "planting-width",
        "Least width at which the exact binomial law proves that planting succeeds",
        (
            *SIGNS,
            (
                "the planted network is sum_i alpha_i relu(beta_i . x) "
                "with unit vectors beta_i, 2 tau < |beta_i - beta_l| "
                "for i != l, and 0 < tau <= 1"
            ),
            (
                "planting succeeds with probability at least 1 - delta "
                "over the draw of the start"
            ),
        ),
        Source(OURS, "near-init.md: after Theorem 3.10"),
        (DIM, TAU, DELTA, UNITS),
        known(caps.smallest_width),
        sample="dim=3 tau=1/2 delta=1/10 units=3",
        tex=(
            r"\min "
            r"\left\{ m : k \, \Pr \left( \operatorname{Bin} \left( m, \, \tfrac{1}{2} "
            r"\text{cap} \right) < n \right) \le \delta \right\}, "
            r"\quad n = \lfloor m \tau_d \rfloor \ge 1, \quad \tau_d = "
            r"\frac{\tau^{d-1}}{2^{d+2}}, \quad "
            r"\text{where cap is the share of the unit sphere within } "
            r"\tau \text{ of a point of it}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "planting-feasibility",
        "Probability that k units can be planted, lower bound",
        (
            *SIGNS,
            (
                "the caps, the parts of the unit sphere within tau of the "
                "direction of each planted unit, are disjoint"
            ),
        ),
        Source(OURS, "near-init.md: after Theorem 3.10"),
        (WIDTH, DIM, TAU, UNITS),
        enclosed(_feasible),
        sample="width=2000 dim=2 tau=2/5 units=3",
        tex=(
            r"\max \left( 0, \, 1 - k \, \Pr \left( \operatorname{Bin} \left( m, \, "
            r"\tfrac{1}{2} \text{cap} \right) < n \right) \right), \quad n = "
            r"\lfloor m \tau_d \rfloor \ge 1 \text{ (else } 0 \text{)}, \quad \tau_d = "
            r"\frac{\tau^{d-1}}{2^{d+2}}, \quad "
            r"\text{where cap is the share of the unit sphere within } "
            r"\tau \text{ of a point of it}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "planting-distance",
        "Distance |V - V_0|_F that planting moves the rows, divided by "
        "the norm of the planted output weights alpha",
        (
            *SIGNS,
            (
                "every planted unit uses n = floor(m tau_d) rows, where tau_d "
                "= tau^(d-1) / 2^(d+2)"
            ),
        ),
        chapter("Theorem 3.10, corrected"),
        (WIDTH, DIM, TAU),
        enclosed(_planted_distance),
        errata=("the source prints 2^(d+1) / tau^(d-1) for this distance",),
        sample="width=500 dim=2 tau=2/5",
        tex=(
            r"\frac{\lVert V - V_0 \rVert_F}{\lVert \alpha \rVert_2} "
            r"= \frac{c_0}{\sqrt{n}}, \quad c_0 = \frac{\sqrt{m}}{\tau}"
        ),
        proof=proved("near-init"),
    ),
)
