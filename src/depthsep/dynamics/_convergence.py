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
        raise HypothesisError(f"length is {length}; give 1 or more")
    return Value((1 / (3 * length) - 1 / (4 * length**2)) / 2, Rigour.EXACT)


def _time(dim: int, accuracy: fmpq, length: fmpq) -> Value:
    flow = enclosed_flow(dim, length=length, time=LAST, until=accuracy)
    reached = flow.reached(accuracy)
    if reached is None:
        raise UndecidedError(
            f"it was not proved that the error is reached by t = {LAST:g}"
        )
    return Value(rational(reached), Rigour.ENCLOSED)


CONVERGENCE = (
    Statement(
        "mean-field-converges",
        "Initial loss below which the flow converges to relu(1 - |x|)",
        (
            (
                "r = |x| has a bounded density that is positive on (0, 1]; "
                "here r is uniform on [0, R]"
            ),
            (
                "the second layer acts as one unit (a, b); at the start a "
                "< 0 < b and alpha > 0"
            ),
            "E(f* - f)^2 / 2 at the start is below the value",
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
        "Time for the flow to reach an error",
        (
            (
                "r is uniform on [0, R] with R > 1, and d >= 2 (for R "
                "near 1 the time may not be found)"
            ),
            "at the start alpha = 1, a = -1/2 and b = 1/2; both rates are 1",
        ),
        Source("depthsep", "the reduced flow, enclosed step by step"),
        (
            Parameter("dim", "integer", "d", "8", most=10**6),
            Parameter("accuracy", "rational", "E, the root mean square error", "1/10"),
            LENGTH,
        ),
        _time,
        sample="dim=8 accuracy=1/10 length=2",
        tex=r"\mathbb{E} (f^* - f)^2 \le E^2 \text{ for all } t \ge T",
        proof=proved("mean-field"),
    ),
)
