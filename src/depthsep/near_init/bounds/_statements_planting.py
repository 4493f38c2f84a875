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
        raise HypothesisError(f"width {width} gives no row a unit; widen the layer")
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
            "unit directions beta_i, 0 < tau <= 1, 2 tau < |beta_i - beta_l|",
            "with probability 1 - delta over the draw",
        ),
        chapter("Theorem 3.10"),
        (DIM, TAU, DELTA, UNITS),
        known(caps.width_chernoff),
        errata=(
            "printed scale and distances 2^(d+1) / tau^(d-1) are not those of the "
            "construction (sqrt(m) / tau) and false for every choice of V",
            "the events cost 2 delta + k delta; the union over k units is missing",
            "m tau_d need not be whole: n is its floor and c = c_0 / n",
            "printed width 4^(d+2) ln(1/delta) / tau^(2d-2)",
            "needs a_j = +-1 exactly and every alpha_i != 0",
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
        "The same from exact binomials and exact caps: the least such width",
        (
            *SIGNS,
            "unit directions beta_i, 0 < tau <= 1, 2 tau < |beta_i - beta_l|",
            "with probability 1 - delta over the draw",
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
        "The probability that k units can be planted: at least",
        (*SIGNS, "disjoint caps"),
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
        "How far planting moves the parameters, over |alpha|_2",
        (*SIGNS, "n = floor(m tau_d) rows for every unit"),
        chapter("Theorem 3.10, corrected"),
        (WIDTH, DIM, TAU),
        enclosed(_planted_distance),
        errata=("printed: 2^(d+1) / tau^(d-1)",),
        sample="width=500 dim=2 tau=2/5",
        tex=(
            r"\frac{\lVert V - V_0 \rVert_F}{\lVert \alpha \rVert_2} "
            r"= \frac{c_0}{\sqrt{n}}, \quad c_0 = \frac{\sqrt{m}}{\tau}"
        ),
        proof=proved("near-init"),
    ),
)
