"""What the statements of this package share: parameters, hypotheses, evaluation."""

from collections.abc import Callable

from flint import arb, fmpq

from depthsep.evidence import Parameter, Rigour, Source, Value, enclosure

WIDTH = Parameter("width", "integer", "m, units", most=10**7)
DELTA = Parameter("delta", "rational", "probability of failure", "1/20")
DISTANCE = Parameter(
    "distance", "rational", "B, Frobenius distance from the start", "1"
)
WEIGHT = Parameter("weight", "rational", "largest |a_j|", "1")
NORM = Parameter("norm", "rational", "|x|", "1")
TAU = Parameter("tau", "rational", "tau, distance of directions")
DIM = Parameter("dim", "integer", "d, inputs", "2", most=1000)
UNITS = Parameter(
    "units", "integer", "k, units of the planted network", "1", most=10**6
)
X = Parameter("x", "point", "a point, as 1,2,2")
Z = Parameter("z", "point", "another point")
START = (
    "rows of V_0 are N(0, I_d), independent; only V moves",
    "one fixed x, |x| <= 1",
)
SIGNS = ("signs a = +-1 and rows N(0, I_d), independent", "ReLU, no 1/sqrt(m)")
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
