"""That the infinite-width flow finds relu(1 - |x|), and by which time."""

from flint import fmpq

from depthsep._errors import HypothesisError, UndecidedError
from depthsep.dynamics.radial.learning._enclosed import enclosed_flow
from depthsep.evidence import (
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.exact import rational

LENGTH = Parameter("length", "rational", "R, where r is uniform on [0, R]", "2")
LAST = 400.0  # of the times that are tried


def _largest(length: fmpq) -> Value:
    """Var f* / 2."""
    if length < 1:
        raise HypothesisError(f"`length` is {length}; give 1 or more")
    return Value((1 / (3 * length) - 1 / (4 * length**2)) / 2, Rigour.EXACT)


def _time(dim: int, accuracy: fmpq, length: fmpq) -> Value:
    try:
        flow = enclosed_flow(dim, length=length, time=LAST, until=accuracy)
    except UndecidedError:
        raise UndecidedError(
            f"the flow could not be enclosed for length {length} in {dim} dimensions; "
            "give a larger length or allow a larger error"
        ) from None
    reached = flow.reached(accuracy)
    if reached is None:
        raise UndecidedError(
            "it was not proved that the flow reaches the error by t = "
            f"{LAST:g}; allow a larger error"
        )
    return Value(rational(reached), Rigour.ENCLOSED)


CONVERGENCE = (
    Statement(
        "mean-field-converges",
        "Initial loss below which the infinite-width flow converges to relu(1 - |x|)",
        (
            (
                "r = |x| has a bounded density that is positive on (0, 1]; "
                "here r is uniform on [0, R]"
            ),
            (
                "the first layer is alpha |x|, and the second layer acts as one unit "
                "relu(a alpha |x| + b); at the start a < 0 < b and alpha > 0"
            ),
            (
                "at the start, E(f* - f)^2 / 2 for the network f is below "
                "the value of the formula"
            ),
        ),
        Source("ren2023", "the claim at infinite width, proved as a theorem"),
        (LENGTH,),
        _largest,
        sample="length=2",
        tex=(
            r"\frac{1}{2} \mathrm{Var} f^* = \frac{1}{6 R} - \frac{1}{8 R^2}, "
            r"\quad f^* = \mathrm{relu}(1 - r)"
        ),
        proof=proved("mean-field"),
    ),
    Statement(
        "mean-field-time",
        "Time T after which the root mean square error of the infinite-width flow "
        "stays at most E",
        (
            (
                "r = |x| is uniform on [0, R] with R > 1, and d >= 2 "
                "(for R near 1 the time may not be found)"
            ),
            (
                "f = relu(a alpha |x| + b) is the infinite-width network "
                "and f* = relu(1 - |x|) the target; at the start alpha = "
                "1, a = -1/2 and b = 1/2; both layers have learning rate 1"
            ),
        ),
        Source("depthsep", "the reduced flow, enclosed step by step"),
        (
            Parameter("dim", "integer", "d, the number of inputs", "8", most=10**6),
            Parameter("accuracy", "rational", "E, the root mean square error", "1/10"),
            LENGTH,
        ),
        _time,
        sample="dim=8 accuracy=1/10 length=2",
        tex=r"\text{the mean of } (f^* - f)^2 \text{ is at most } E^2 "
        r"\text{ for all } t \ge T",
        proof=proved("mean-field"),
    ),
)
