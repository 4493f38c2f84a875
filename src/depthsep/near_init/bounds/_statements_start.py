"""Statements about linearisation and about noise at the start."""

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.evidence import (
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    computed,
    enclosure,
    proved,
)
from depthsep.near_init._inputs import PRECISION
from depthsep.near_init.bounds import _linear_bounds as linear
from depthsep.near_init.bounds import _noise as noise
from depthsep.near_init.bounds._statement_parts import (
    DELTA,
    DIM,
    DISTANCE,
    NORM,
    OURS,
    SIGNS,
    START,
    WEIGHT,
    WIDTH,
    chapter,
    enclosed,
    known,
)

CUT = Parameter(
    "tau", "rational", "tau; a row v with |v . x| <= tau |x| is near its kink"
)


def _smooth(activation: str, distance: fmpq, weight: fmpq, norm: fmpq) -> arb:
    return linear.smooth_bound(linear.smoothness(activation), distance, weight, norm)


def _sharp(width: int, distance: fmpq, delta: fmpq, weight: fmpq) -> arb:
    return linear.relu_bound_sharp(width, distance, delta, weight).value


def _from_start(width: int, distance: fmpq, delta: fmpq, weight: fmpq) -> arb:
    found = linear.relu_bound_sharp(width, distance, delta, weight, from_start=True)
    return found.value


def _attained(width: int, distance: fmpq) -> arb:
    if 100 * distance**2 > width:
        raise HypothesisError(
            f"B is {distance} at width m = {width}; the asymptotic "
            "formula needs B^2 <= m / 100"
        )
    with ctx.workprec(PRECISION):
        six = 6 / arb.pi()
        c = six.root(6) + six ** (arb(2) / 3) / (2 * (2 / arb.pi()).sqrt())
        return c * arb(width).root(3) * arb(distance) ** (arb(4) / 3)


LINEARISATION: tuple[Statement, ...] = (
    Statement(
        "telgarsky-3.4",
        "Smooth units: bound on the distance between a network and its linearisation",
        (
            (
                "the activation sigma has a beta-Lipschitz derivative; V are "
                "the hidden weights, and V_0 those at the start"
            ),
            "only V moves, |V - V_0|_F <= B",
        ),
        chapter("Proposition 3.4"),
        (
            Parameter("activation", "name", ", ".join(linear.SMOOTHNESS), "tanh"),
            DISTANCE,
            WEIGHT,
            NORM,
        ),
        enclosed(_smooth),
        errata=(
            (
                "F_0, the linearisation of the network F at V_0, is evaluated at V; "
                "were it evaluated at V_0, as printed, the bound for sigma = identity "
                "(beta = 0) would make F constant in V"
            ),
        ),
        sample="distance=1 weight=1 norm=1",
        tex=(
            r"\frac{\beta}{2} \, \left\lVert a \right\rVert_\infty "
            r"\left\lvert x \right\rvert^2 B^2 \text{ for every width}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "telgarsky-3.7",
        "ReLU: bound on the distance between a network and its linearisation at any W",
        (
            *START,
            (
                "the bound holds with probability at least 1 - delta "
                "for all W and V within B of V_0"
            ),
        ),
        chapter("Proposition 3.7"),
        (WIDTH, DISTANCE, DELTA, WEIGHT),
        enclosed(linear.relu_bound),
        errata=(
            (
                "the step of the proof about signs needs |v_0j . x| > tau |x| > |(w_j "
                "- v_0j) . x|, where tau is a threshold and v_0j and w_j are rows of "
                "V_0 and W; the source instead infers w_j . x > tau |x| from w_j . x "
                "> 0"
            ),
            (
                "for B = 0 the proof in the source has tau = 0 and needs a separate "
                "argument; the bound is for one fixed x, not for all x"
            ),
            (
                "a bound for all W and V at once needs the factor "
                "m^(1/3): see the statement linearisation-attained"
            ),
        ),
        sample="width=1024 distance=1 delta=1/100 weight=1",
        tex=(
            r"\left\lVert a \right\rVert_\infty \, m^{1/3} \left( 4 B^{4/3} "
            r"+ 2 B \left( \ln \, \frac{1}{\delta} \right)^{1/4} \right)"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "linearisation-crude",
        "ReLU: bound on the distance between a network and its "
        "linearisation, whatever the start",
        (
            (
                "the hidden weights V_0 and V are arbitrary, all other weights "
                "are fixed, and the linearisation is at V_0"
            ),
        ),
        chapter("Remark 3.5"),
        (
            WIDTH,
            Parameter(
                "distance",
                "rational",
                "the norm |V|_F of V itself, not of V - V_0",
            ),
            WEIGHT,
            NORM,
        ),
        enclosed(linear.crude_bound),
        sample="width=1024 distance=1 weight=1",
        tex=(
            r"\left\lVert a \right\rVert_\infty \left\lvert x \right\rvert "
            r"\sqrt{m} \, \left\lVert V \right\rVert_F"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "changed-signs",
        "Bound on the number of indices j for which v_0j . x, v_j . x and w_j . x do "
        "not all have the same sign, where v_0j, v_j and w_j are the rows of V_0, V "
        "and W",
        (
            *START,
            (
                "the bound holds with probability at least 1 - delta "
                "for all W and V within B of V_0"
            ),
        ),
        chapter("equation (3.9)"),
        (WIDTH, DISTANCE, CUT, DELTA),
        known(linear.changed_signs),
        sample="width=1024 distance=1 tau=1/10 delta=1/100",
        tex=(
            r"\min \left( m, \, q(\tau) + \left\lfloor \frac{2 B^2}{\tau^2} "
            r"\right\rfloor \right), \quad q(\tau) \text{ the } (1 - "
            r"\delta)\text{-quantile of the number of rows near their kink}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "linearisation-sharp",
        "ReLU: bound on the distance between a network and its "
        "linearisation at any W, by the exact binomial law",
        (
            *START,
            (
                "the bound holds with probability at least 1 - delta "
                "for all W and V within B of V_0"
            ),
        ),
        Source(OURS, "near-init.md: after Proposition 3.7"),
        (WIDTH, DISTANCE, DELTA, WEIGHT),
        enclosed(_sharp),
        sample="width=1024 distance=1 delta=1/100 weight=1",
        tex=(
            r"2 \left\lVert a \right\rVert_\infty \, B "
            r"\sqrt{\min \left( m, \, q(\tau) + \frac{2 B^2}{\tau^2} \right)}, "
            r"\quad q(\tau) \text{ the } (1 - "
            r"\delta)\text{-quantile of } \operatorname{Bin} \left( m, "
            r"\, \operatorname{erf} \frac{\tau}{\sqrt{2}} \right), "
            r"\quad \tau > 0 \text{ chosen to make the bound small}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "linearisation-start",
        "ReLU: bound on the distance between a network and F_0, its "
        "linearisation at the start",
        (
            *START,
            (
                "the bound holds with probability at least 1 - delta for "
                "all V within B of V_0"
            ),
        ),
        Source(OURS, "near-init.md: after Proposition 3.7"),
        (WIDTH, DISTANCE, DELTA, WEIGHT),
        enclosed(_from_start),
        sample="width=1024 distance=1 delta=1/100 weight=1",
        tex=(
            r"\left\lVert a \right\rVert_\infty \, B "
            r"\sqrt{\min \left( m, \, q(\tau) + \frac{B^2}{\tau^2} \right)}, "
            r"\quad q(\tau) \text{ the } (1 - "
            r"\delta)\text{-quantile of } \operatorname{Bin} \left( m, "
            r"\, \operatorname{erf} \frac{\tau}{\sqrt{2}} \right), "
            r"\quad \tau > 0 \text{ chosen to make the bound small}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "linearisation-attained",
        "ReLU: distance between a network and its linearisation that some network V "
        "and some point W of linearisation attain, both within B of the start",
        (
            (
                "the value is asymptotic, for B^2 <= m / 100, |x| = 1, "
                "rows N(0, I_d) at the start and output weights a_j = "
                "1; for random signs a_j it is multiplied by 2^(-1/3)"
            ),
        ),
        Source(OURS, "near-init.md: after Proposition 3.7"),
        (WIDTH, DISTANCE),
        lambda **given: Value(enclosure(_attained(**given)), Rigour.SAMPLED),
        sample="width=1024 distance=1",
        tex=(
            r"c \, m^{1/3} B^{4/3}, \quad c = \left( \frac{6}{\pi} \right)^{1/6} "
            r"+ \frac{(6/\pi)^{2/3}}{2 \sqrt{2/\pi}} \approx 2.0785"
        ),
        proof=computed("near-init"),
    ),
    Statement(
        "telgarsky-3.8",
        "Bound on the number of random rows near their kink",
        (
            "the rows are independent N(0, I_d)",
            "the bound holds with probability at least 1 - delta",
        ),
        chapter("Lemma 3.8"),
        (WIDTH, CUT, DELTA),
        enclosed(linear.near_kink_bound),
        errata=(
            (
                "the source prints ln(1/delta) outside the root: for delta < 1/e this "
                "is weaker than what is proved, and for small delta too weak for "
                "Proposition 3.7; for delta > 1/e it is stronger than what is proved"
            ),
        ),
        sample="width=1024 tau=1/10 delta=1/100",
        tex=r"m \tau + \sqrt{\frac{m}{2} \, \ln \, \frac{1}{\delta}}",
        proof=proved("near-init"),
    ),
    Statement(
        "near-kink",
        "Bound on the number of random rows near their kink, by the exact binomial law",
        (
            "the rows are independent N(0, I_d)",
            "the bound holds with probability at least 1 - delta",
        ),
        Source(OURS, "near-init.md: after Lemma 3.8"),
        (WIDTH, CUT, DELTA),
        known(linear.near_kink_quantile),
        sample="width=1024 tau=1/10 delta=1/100",
        tex=(
            r"\text{the } (1 - \delta)\text{-quantile of } \operatorname{Bin} "
            r"\left( m, \, \operatorname{erf} \frac{\tau}{\sqrt{2}} \right)"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "telgarsky-3.15",
        "Bound on the size of the output of a random network at a point",
        (*SIGNS, "the bound holds with probability at least 1 - delta"),
        chapter("Lemma 3.15 (1)"),
        (WIDTH, DELTA, NORM),
        enclosed(noise.noise_bound),
        errata=(
            (
                "the proof in the source uses a one-sided inequality for |F|; with a "
                "two-sided inequality its last step fails at m = 1, delta = 0.9, but "
                "the statement is true (see the statement noise-sharp)"
            ),
            (
                "in the source, one end of the interval in which F(x) "
                "lies with high probability has m where 2 m is right"
            ),
        ),
        sample="width=1024 delta=1/100 norm=1",
        tex=r"4 \left\lvert x \right\rvert \sqrt{m} \, \ln \, \frac{2 m}{\delta}",
        proof=proved("near-init"),
    ),
    Statement(
        "noise-sharp",
        "Bound on the size of the output of a random network at a "
        "point, without the factor ln m",
        (*SIGNS, "the bound holds with probability at least 1 - delta"),
        Source(OURS, "near-init.md: after Lemma 3.15"),
        (WIDTH, DELTA, NORM),
        enclosed(noise.noise_bound_sharp),
        sample="width=1024 delta=1/100 norm=1",
        tex=r"\left\lvert x \right\rvert \sqrt{2 m \, \ln \, \frac{2}{\delta}}",
        proof=proved("near-init"),
    ),
    Statement(
        "noise-quantile",
        "Bound, close to the exact quantile, on the size of the output of a random "
        "network at a point",
        (*SIGNS, "the bound holds with probability at least 1 - delta"),
        Source(OURS, "near-init.md: after Lemma 3.15"),
        (WIDTH, DELTA, NORM),
        known(noise.noise_quantile),
        sample="width=64 delta=1/100 norm=1",
        tex=(
            r"t \left\lvert x \right\rvert, \quad t "
            r"\text{ at or slightly above the root of } \sum_K "
            r"\binom{m}{K} 2^{-m} \operatorname{erfc} \left( "
            r"\frac{t}{\sqrt{2 K}} \right) = \delta"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "telgarsky-3.15-ball",
        "Bound on the size of the output of a random network on the whole unit ball",
        (
            *SIGNS,
            "delta < 1/2; the bound holds with probability at least 1 - 2 delta",
        ),
        chapter("Lemma 3.15 (2)"),
        (
            WIDTH,
            DIM,
            DELTA,
            Parameter(
                "factor",
                "rational",
                "c; the source prints 32 in the lemma and 16 in Theorem 3.10",
                "32",
            ),
        ),
        enclosed(noise.noise_ball_bound),
        errata=(
            (
                "the proof in the source bounds the length of the longest row by 1 + "
                "sqrt(2 ln(m / delta)), which is false (for d = 100, m = 10 and delta "
                "= 0.1 even a single row is that short only with probability 4e-23); "
                "with sqrt(d) in place of 1 this bound is right"
            ),
            (
                "the source's net of (2/eps)^d points is not justified; "
                "one of (1 + 2/eps)^d points is"
            ),
            "in the source 1 - delta_1 + delta_0 should be 1 - delta_1 - delta_0",
            (
                "in the source, the bound 4 sqrt(m d ln(m/delta)) is "
                "false: take m = 1, d = 10, delta = .99"
            ),
            (
                "delta < 1/2 is added here: for larger delta a probability of at "
                "least 1 - 2 delta says nothing"
            ),
        ),
        sample="width=1024 dim=10 delta=1/100 factor=16",
        tex=(
            r"c \, d \sqrt{m} \, \ln \, \frac{m}{\delta}, "
            r"\quad c = 32 \text{ in print}, \quad c \ge 9 \text{ proved here}"
        ),
        proof=proved("near-init"),
    ),
    Statement(
        "noise-ball-sharp",
        "Bound on the size of the output of a random network on the "
        "whole unit ball, by Gaussian concentration",
        (
            *SIGNS,
            "delta < 1/2; the bound holds with probability at least 1 - 2 delta",
        ),
        Source(
            OURS,
            'near-init.md, section "After Lemma 3.15" (the lemma is in Telgarsky 2023)',
        ),
        (WIDTH, DIM, DELTA),
        enclosed(noise.noise_ball_sharp),
        sample="width=1024 dim=10 delta=1/100",
        tex=(
            r"4 \sqrt{m d} + \sqrt{2 m \, \ln \, \frac{1}{\delta}} "
            r"+ \sqrt{\frac{m}{\pi} \, \ln \, \frac{2}{\delta}}"
        ),
        proof=proved("near-init"),
    ),
)
