"""What the statements of this package share: parameters, hypotheses, evaluation."""

from collections.abc import Callable

from flint import arb, fmpq

from depthsep.evidence import Parameter, Rigour, Source, Value, enclosure

WIDTH = Parameter("width", "integer", "m, the number of hidden units", most=10**7)
DELTA = Parameter("delta", "rational", "probability of failure", "1/20")
DISTANCE = Parameter(
    "distance", "rational", "B, the largest Frobenius distance from the start", "1"
)
WEIGHT = Parameter(
    "weight", "rational", "largest |a_j|, where the a_j are the output weights", "1"
)
NORM = Parameter("norm", "rational", "|x|, the length of the input", "1")
TAU = Parameter(
    "tau",
    "rational",
    "tau, the radius of the caps of the unit sphere around the "
    "directions of the planted units",
)
DIM = Parameter("dim", "integer", "d, the number of inputs", "2", most=1000)
UNITS = Parameter(
    "units", "integer", "k, the number of units of the planted network", "1", most=10**6
)
X = Parameter("x", "point", "a point, such as 1,2,2")
Z = Parameter("z", "point", "another point")
START = (
    (
        "the rows of V_0, the hidden weights at the start, are independent "
        "N(0, I_d), and only the hidden weights V move"
    ),
    "x is fixed, with |x| <= 1",
)
SIGNS = (
    (
        "the output weights a_j = +-1 are random signs, the rows of the "
        "hidden weights are N(0, I_d), and all of them are independent"
    ),
    "units are ReLUs, and there is no factor 1/sqrt(m)",
)
OURS = "depthsep"


def chapter(place: str) -> Source:
    return Source("telgarsky2023", place)


def enclosed(compute: Callable[..., arb | fmpq]) -> Callable[..., Value]:
    """A statement's value from a function that gives a ball, or a rational."""

    def evaluate(**given: object) -> Value:
        found = compute(**given)
        if isinstance(found, fmpq):
            return Value(found, Rigour.EXACT)
        return Value(enclosure(found), Rigour.ENCLOSED)

    return evaluate


def known(compute: Callable[..., int | fmpq]) -> Callable[..., Value]:
    """A number that ball arithmetic proves to be enough."""
    return lambda **given: Value(compute(**given), Rigour.ENCLOSED)
