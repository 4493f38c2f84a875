"""How large glued Taylor polynomials are for an accuracy: the rate of Sobolev balls."""

from math import factorial

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.constructions.box._glued_taylor import corrected_bound
from depthsep.constructions.box._partition import Shape
from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, log2, proved

MOST_LEVELS = 2_000


def taylor_shape(dim: int, order: int, accuracy: fmpq, bound: fmpq) -> Shape:
    """A shape within the accuracy for all f of the class: s from half of it, then i.

    Raises:
        HypothesisError: E is not below 1, or too small for 2,000 levels.
    """
    if not 0 < accuracy < 1:
        raise HypothesisError(
            f"the accuracy is {accuracy}; it must be above 0 and below 1"
        )
    with ctx.workprec(256):
        wanted = 2 * bound * fmpq(dim**order, factorial(order)) / accuracy
        steps = int(arb(wanted).root(order).upper().ceil().unique_fmpz() or 1)
    for levels in range(1, MOST_LEVELS):
        if corrected_bound(dim, order, steps, levels, bound) <= accuracy:
            return Shape(dim, steps, order - 1, levels)
    raise HypothesisError(f"the accuracy {accuracy} is too small; give a larger one")


def _points(dim: int, order: int, accuracy: fmpq, bound: fmpq) -> Value:
    points = taylor_shape(dim, order, accuracy, bound).points
    return Value(points, Rigour.EXACT, log2(points))


def _layers(dim: int, order: int, accuracy: fmpq, bound: fmpq) -> Value:
    layers = taylor_shape(dim, order, accuracy, bound).hidden_layers
    return Value(layers, Rigour.EXACT)


HYPOTHESES = (
    (
        "f maps [0, 1]^d to [0, 1]; all partial derivatives of orders 0 to "
        "r are at most M in absolute value"
    ),
    (
        "the error is at most E < 1 in the sup norm, by the corrected "
        "Theorem 5.4 (telgarsky-5.4)"
    ),
)
PARAMETERS = (
    Parameter("dim", "integer", "d, the number of inputs", "2", most=16),
    Parameter("order", "integer", "r, the order of the derivatives", "2", most=64),
    Parameter("accuracy", "rational", "E, the allowed error", "1/100"),
    Parameter("bound", "rational", "M, the bound on the derivatives", "1"),
)
SOBOLEV_RATE = (
    Statement(
        "sobolev-points",
        "Number of grid points, growing like E^(-d/r), that is enough "
        "for joined Taylor polynomials",
        HYPOTHESES,
        Source("telgarsky2023", "Theorem 5.3, with explicit constants"),
        PARAMETERS,
        _points,
        sample="dim=2 order=3 accuracy=1/1000 bound=1",
        tex=(
            r"(s + 1)^d, \quad s = \left\lceil \left( \frac{2 M d^r}{r! \, E} "
            r"\right)^{1/r} \right\rceil"
        ),
        proof=proved("glued-taylor"),
    ),
    Statement(
        "sobolev-layers",
        "Number of hidden layers, growing like ln(1/E), that is enough "
        "for joined Taylor polynomials",
        HYPOTHESES,
        Source("telgarsky2023", "Theorem 5.3, with explicit constants"),
        PARAMETERS,
        _layers,
        sample="dim=2 order=3 accuracy=1/1000 bound=1",
        tex=(
            r"\text{hidden layers with the fewest levels } i "
            r"\text{ of products for which the error with } s = "
            r"\left\lceil (2 M d^r / (r! \, E))^{1/r} \right\rceil "
            r"\text{ is at most } E"
        ),
        proof=proved("glued-taylor"),
    ),
)
