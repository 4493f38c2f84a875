"""How steep a function of one variable is."""

from flint import ctx, fmpq

from depthsep.exact import ball_upper
from depthsep.targets import AbstractLineTarget, interval_ball

PRECISION = 128
CELLS = 256


def steepest_slope(f: AbstractLineTarget, reach: fmpq) -> fmpq | None:
    """A bound of |f'| on [-reach, reach]; None where there is none."""
    step, worst = 2 * reach / CELLS, fmpq(0)
    with ctx.workprec(PRECISION):
        for k in range(CELLS):
            jet = f.jet(interval_ball(k * step - reach, (k + 1) * step - reach))
            if not (jet.value.is_finite() and jet.first.is_finite()):
                return None
            worst = max(worst, ball_upper(abs(jet.first)))
    return worst
