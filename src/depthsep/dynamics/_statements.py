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

DIM = Parameter("dim", "integer", "d, the number of inputs", "8", most=10**6)
ALPHA = Parameter("alpha", "rational", "alpha_0, alpha at the start", "1")


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
        "The mean over all rotations of the first layer F of a mean-field network, "
        "which is alpha |x|",
        ("F(x) = E |w| relu(w.x), for any law of w with E|w|^2 finite",),
        Source("ren2023", "the lemma on the first layer"),
        (
            DIM,
            Parameter("square", "rational", "E|w|^2, the mean squared norm of w", "1"),
        ),
        _symmetrised,
        errata=(
            "the source prints C_Gamma = sqrt(d) c_d as Theta(d); it is Theta(1)",
            (
                "in the proof, relu(w.x) should be relu of the product of "
                "the unit vectors w/|w| and x/|x|"
            ),
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
        "Mean squared distance of a random first layer from a radial "
        "function, relative to alpha",
        (
            (
                "the directions w/|w| are independent and uniform on the sphere, and "
                "all |w| are equal; F is the first layer, u is uniform on the unit "
                "sphere, and alpha is the mean of F(u) (c_d: see mean-field-alpha)"
            ),
            "d >= 2",
            (
                "these hypotheses hold at the start; learning changes "
                "the value, and `decompose` measures it"
            ),
        ),
        Source("depthsep", "evaluation as a double sum over neurons"),
        (DIM, Parameter("width", "integer", "the number of neurons", "1024")),
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
        "Limit of alpha in the infinite-width flow",
        (
            (
                "the first layer is alpha |x|, and the second layer acts as one unit "
                "relu(a alpha |x| + b), with a = -slope and any b at the start (c_d: "
                "see mean-field-alpha)"
            ),
            "the flow converges to the target (see mean-field-converges)",
        ),
        Source("depthsep", "conservation of alpha / c_d - 2 a^2"),
        (
            DIM,
            ALPHA,
            Parameter("slope", "rational", "-a_0, where a_0 is a at the start", "1/2"),
        ),
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
        "Mean of a radial function times relu(v.x)",
        (
            "the law of x and the function g are radial (c_d: see mean-field-alpha)",
            "E[|x| |g|] is finite",
        ),
        Source("ren2023", "the lemma on radial g"),
        (
            DIM,
            Parameter("length", "rational", "|v|, the length of v", "1"),
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
