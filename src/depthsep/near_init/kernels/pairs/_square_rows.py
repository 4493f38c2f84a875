"""Rows uniform on a square: why PyTorch's default has another limit kernel."""

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.near_init._inputs import PRECISION, amount


def uniform_square_chance(theta_over_pi: fmpq) -> arb:
    """P(v . x >= 0 and v . x' >= 0), v uniform on a square, x = (1, 0), x' at theta.

    1/4 + cot(theta) / 8 for pi/4 <= theta <= 3 pi/4; Gaussian rows have
    (pi - theta) / (2 pi). Not rotation invariant: the axes of the square matter.

    Raises:
        HypothesisError: theta / pi is not within [1/4, 3/4].
    """
    theta_over_pi = amount(theta_over_pi, "theta / pi")
    if not fmpq(1, 4) <= theta_over_pi <= fmpq(3, 4):
        raise HypothesisError(f"theta / pi is {theta_over_pi}; give 1/4 to 3/4")
    with ctx.workprec(PRECISION):
        return arb(1) / 4 + arb(theta_over_pi).cos_pi() / (
            8 * arb(theta_over_pi).sin_pi()
        )
