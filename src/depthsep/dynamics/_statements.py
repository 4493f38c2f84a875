"""Statements about mean-field networks, and with them all of learning's."""

from flint import arb, ctx, fmpq

from depthsep.dynamics._convergence import CONVERGENCE
from depthsep.dynamics._sampling import SAMPLING
from depthsep.dynamics.linear._statements import LINEAR_STATEMENTS
from depthsep.dynamics.radial._constants import (
    PRECISION,
    expected_spread,
    limit_alpha,
    relu_mean,
)
from depthsep.evidence import (
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    enclosure,
    proved,
)

DIM = Parameter("dim", "integer", "d", "8", most=10**6)
ALPHA = Parameter("alpha", "rational", "alpha_0", "1")


def _symmetrised(dim: int, square: fmpq) -> Value:
    with ctx.workprec(PRECISION):
        return Value(enclosure(relu_mean(dim) * arb(square)), Rigour.ENCLOSED)


def _spread(dim: int, width: int) -> Value:
    with ctx.workprec(PRECISION):
        return Value(enclosure(expected_spread(dim, width)), Rigour.ENCLOSED)


def _relu_mean(dim: int, length: fmpq, moment: fmpq) -> Value:
    with ctx.workprec(PRECISION):
        found = relu_mean(dim) * arb(length) * arb(moment)
        return Value(enclosure(found), Rigour.ENCLOSED)


def _limit(dim: int, alpha: fmpq, slope: fmpq) -> Value:
    return Value(enclosure(limit_alpha(dim, alpha, -slope)), Rigour.ENCLOSED)


STATEMENTS: tuple[Statement, ...] = (
    Statement(
        "mean-field-alpha",
        "The first layer of a mean-field network, symmetrised, is alpha |x|",
        ("F(x) = E |w| relu(w.x), any law of w with E|w|^2 finite",),
        Source("ren2023", "the lemma on the first layer"),
        (DIM, Parameter("square", "rational", "E|w|^2", "1")),
        _symmetrised,
        errata=(
            "C_Gamma = sqrt(d) c_d is printed as Theta(d); it is Theta(1)",
            "relu(w.x) in the proof needs the unit vectors of w and x",
        ),
        sample="dim=10 square=1",
        tex=(
            r"\alpha = c_d \, \mathbb{E} \left\lvert w \right\rvert^2, "
            r"\quad c_d = \frac{\Gamma(d/2)}{2 \sqrt{\pi} \, \Gamma((d + 1)/2)}"
        ),
        proof=proved("mean-field"),
    ),
    Statement(
        "mean-field-spread",
        "How far a random first layer of one length is from radial, in the mean",
        (
            "independent directions w/|w|, uniform on the sphere",
            "d >= 2",
            "at the start; learning moves it, which `decompose` measures",
        ),
        Source("depthsep", "the double sum over neurons"),
        (DIM, Parameter("width", "integer", "neurons", "1024")),
        _spread,
        sample="dim=10 width=1024",
        tex=(
            r"\mathbb{E} N "
            r"= \frac{1}{\text{width}} \left( \frac{1}{2 C_\Gamma^2} - 1 \right), "
            r"\quad N = \mathbb{E}_u \left( \frac{F(u)}{\alpha} - 1 \right)^2, "
            r"\quad C_\Gamma = \sqrt{d} \, c_d"
        ),
        proof=proved("mean-field"),
    ),
    Statement(
        "mean-field-limit",
        "Where alpha ends in the infinite-width flow that finds relu(1 - |x|)",
        (
            "one effective second-layer unit, from (-slope, any offset)",
            "the flow converges to the target: mean-field-converges",
        ),
        Source("depthsep", "alpha / c_d - 2 a^2 is conserved"),
        (DIM, ALPHA, Parameter("slope", "rational", "-a_0", "1/2")),
        _limit,
        sample="dim=10",
        tex=(
            r"\text{the root } x > 0 \text{ of } x^3 - k \, c_d \, x^2 - 2 c_d = 0, "
            r"\quad k = \frac{\alpha_0}{c_d} - 2 \, \text{slope}^2"
        ),
        proof=proved("mean-field"),
    ),
    Statement(
        "radial-relu-mean",
        "Means of a radial function times a relu, and its gradient, are radial",
        ("a radial law of x and a radial g", "E[|x| |g|] is finite"),
        Source("ren2023", "the lemma on radial g"),
        (
            DIM,
            Parameter("length", "rational", "|v|", "1"),
            Parameter("moment", "rational", "E[|x| g]", "1"),
        ),
        _relu_mean,
        sample="dim=10 length=1 moment=1/2",
        tex=(
            r"\mathbb{E} \, g(x) \, \mathrm{relu}(v \cdot x) = c_d \left\lvert v "
            r"\right\rvert \, \mathbb{E} \left[ \left\lvert x \right\rvert g \right], "
            r"\quad \mathbb{E} \, g(x) \, \mathrm{relu}'(v \cdot x) \, x = c_d \, "
            r"\mathbb{E} \left[ \left\lvert x \right\rvert g \right] "
            r"\frac{v}{\left\lvert v \right\rvert}"
        ),
        proof=proved("mean-field"),
    ),
    *CONVERGENCE,
    SAMPLING,
    *LINEAR_STATEMENTS,
)
