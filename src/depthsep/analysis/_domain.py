"""Whether a formula is defined on a whole interval, proved in balls."""

from functools import lru_cache

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.laws import Uniform
from depthsep.targets import (
    CHECK_ENDS,
    DEFINED,
    DOUBTFUL,
    AbstractTarget,
    interval_ball,
)

PRECISION = 160
SMALLEST = fmpq(1, 2**120)
MAX_CELLS = 100_000


@lru_cache(maxsize=256)
def check_defined(target: AbstractTarget, on: Uniform) -> None:
    """Refuse a target whose roots and arc sines may leave their domain on the interval.

    Cells are halved until every argument is proved to stay inside. One that touches
    the end of its domain, as in sqrt(abs(x)), sticks out of it by the rounding of balls
    at every scale; that is accepted once the cell is 2^-120 of the interval.

    Raises:
        HypothesisError: it is not defined somewhere, or that cannot be excluded.
    """
    stack, count = [(on.start, on.stop)], 0
    with ctx.workprec(PRECISION):
        while stack:
            count += 1
            start, stop = stack.pop()
            jet = target.jet(interval_ball(start, stop))
            if jet.doubt & CHECK_ENDS:
                _check_finite(target, start)
                _check_finite(target, stop)
            if jet.doubt in (DEFINED, CHECK_ENDS):
                continue
            if stop - start > SMALLEST * on.length and count <= MAX_CELLS:
                middle = (start + stop) / 2
                _check_finite(target, middle)
                stack += [(middle, stop), (start, middle)]
            elif jet.doubt & DOUBTFUL:
                raise HypothesisError(
                    f"{target} cannot be proved to be defined near x = {_near(start)}; "
                    "choose an interval (--on) without that point, or write the "
                    "formula so that roots are taken of squares or abs"
                )


def _check_finite(target: AbstractTarget, x: fmpq) -> None:
    if target.jet(arb(x)).value.is_nan():
        raise HypothesisError(
            f"{target} is not finite at x = {_near(x)}; "
            "choose an interval (--on) on which it is"
        )


def _near(x: fmpq) -> str:
    return f"{float(arb(x).mid()):.6g}"
