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
                "the beta_i are unit vectors with 2 tau < |beta_i - "
                "beta_l|, and 0 < tau <= 1"
            ),
            "planting succeeds with probability 1 - delta over the draw",
        ),
        chapter("Theorem 3.10"),
        (DIM, TAU, DELTA, UNITS),
        known(caps.width_chernoff),
        errata=(
            (
                "the source prints the scale and distances as 2^(d+1) "
                "/ tau^(d-1), which is false for every choice of V; "
                "those of the construction are sqrt(m) / tau"
            ),
            (
                "the events have probability 2 delta + k delta together; "
                "the source omits the union over k units"
            ),
            "m tau_d need not be whole: n is its floor and c = c_0 / n",
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
        "Least width for planting, from exact binomials",
        (
            *SIGNS,
            (
                "the beta_i are unit vectors with 2 tau < |beta_i - "
                "beta_l|, and 0 < tau <= 1"
            ),
            "planting succeeds with probability 1 - delta over the draw",
        ),
        Source(OURS, "near-init.md: after Theorem 3.10"),
        (DIM, TAU, DELTA, UNITS),
        known(caps.smallest_width),
        sample="dim=3 tau=1/2 delta=1/10 units=3",
        tex=(
            r"\min \left\{ m : k \, \Pr \left( \operatorname{Bin} \left( m, "
            r"\, \tfrac{1}{2} \text{cap} \right) < n \right) \le \delta \right\}, "
            r"\quad n = \lfloor m \tau_d \rfloor \ge 1, "
            r"\quad \text{cap the share of the sphere within } \tau \text{ of a point}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "planting-feasibility",
        "Probability that k units can be planted, lower bound",
        (*SIGNS, "the caps are disjoint"),
        Source(OURS, "near-init.md: after Theorem 3.10"),
        (WIDTH, DIM, TAU, UNITS),
        enclosed(_feasible),
        sample="width=2000 dim=2 tau=2/5 units=3",
        tex=(
            r"1 - k \, \Pr \left( \operatorname{Bin} "
            r"\left( m, \, \tfrac{1}{2} \text{cap} \right) < n \right), "
            r"\quad n = \lfloor m \tau_d \rfloor, "
            r"\quad \text{cap the share of the sphere within } \tau \text{ of a point}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "planting-distance",
        "Distance moved by planting, per |alpha|_2",
        (*SIGNS, "every unit has n = floor(m tau_d) rows"),
        chapter("Theorem 3.10, corrected"),
        (WIDTH, DIM, TAU),
        enclosed(_planted_distance),
        errata=("the source prints 2^(d+1) / tau^(d-1)",),
        sample="width=500 dim=2 tau=2/5",
        tex=(
            r"\frac{\lVert V - V_0 \rVert_F}{\lVert \alpha \rVert_2} "
            r"= \frac{c_0}{\sqrt{n}}, \quad c_0 = \frac{\sqrt{m}}{\tau}"
        ),
        proof=proved("near-init"),
    ),
)
