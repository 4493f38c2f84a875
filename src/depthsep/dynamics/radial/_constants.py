r"""Constants of the mean-field limit: c_d, alpha, the spread of a random first layer.

Directions u are uniform on the unit sphere of R^d. All values are enclosures at
flint's current precision unless they are floats.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep._inputs import floats, whole
from depthsep.exact import bracket, rational

PRECISION = 160
MAX_DIM = 10**6


def relu_mean(dim: int) -> arb:
    r"""c_d = E relu(u_1) = Gamma(d/2) / (2 sqrt(pi) Gamma((d+1)/2)), enclosed.

    Source:
        The lemma on the first layer in Ren, Zhou and Ge (notes, 5.2). The notes say
        that C_Gamma = sqrt(d) c_d grows like d; it lies between 0.3989 and 0.5.
    """
    whole(dim, "dim", least=1, most=MAX_DIM)
    half = arb(dim) / 2
    logs = half.lgamma() - (half + arb(1) / 2).lgamma()
    return logs.exp() / (2 * arb.pi().sqrt())


def scaled_relu_mean(dim: int) -> arb:
    r"""C_Gamma = sqrt(d) c_d, enclosed; it falls from 1/2 (d = 1) to 1/sqrt(2 pi)."""
    return arb(dim).sqrt() * relu_mean(dim)


@lru_cache(maxsize=256)
def relu_mean_float(dim: int) -> float:
    """c_d as the nearest float."""
    with ctx.workprec(96):
        return float(relu_mean(dim).mid())


def relu_product_mean(dim: int, angle: arb) -> arb:
    r"""E relu(v.u) relu(v'.u) for unit vectors at an angle in [0, pi], enclosed.

    (sin t + (pi - t) cos t) / (2 pi d).
    """
    whole(dim, "dim", least=1, most=MAX_DIM)
    return (angle.sin() + (arb.pi() - angle) * angle.cos()) / (2 * arb.pi() * dim)


def alpha(weights: object) -> float:
    r"""alpha = c_d E|w|^2 of a first layer, rows of shape (width, dim).

    The symmetrisation of F(x) = E |w| relu(w.x) is alpha |x|, whatever the rows are.
    """
    rows = floats(weights, "weights", ndim=2)
    check_dim(rows.shape[1])
    squares = np.square(rows, dtype=np.float64).sum(axis=1)
    return relu_mean_float(rows.shape[1]) * float(squares.mean())


def expected_spread(dim: int, width: int) -> arb:
    r"""E N for a first layer of independent directions of one length, enclosed.

    N = E_u (F(u)/alpha - 1)^2; its mean is (1 / (2 C_Gamma^2) - 1) / width.
    """
    whole(width, "width", least=1)
    return (1 / (2 * scaled_relu_mean(dim) ** 2) - 1) / width


def limit_alpha(dim: int, alpha: object, slope: object) -> arb:
    r"""Where alpha ends for one effective second-layer unit, enclosed.

    If the infinite-width flow from alpha_0 with slope a_0 finds relu(1 - |x|), then
    a alpha = -1 there, and alpha / c_d - 2 a^2 never changed, so alpha is the
    positive root of alpha^3 - k c_d alpha^2 - 2 c_d, k = alpha_0 / c_d - 2 a_0^2.

    Raises:
        HypothesisError: alpha_0 is not positive.
    """
    first, tilt = rational(alpha, name="alpha"), rational(slope, name="slope")
    if first <= 0:
        raise HypothesisError(f"alpha is {first}; it must be positive")
    with ctx.workprec(PRECISION):
        c = relu_mean(dim)
        k = first / c - 2 * arb(tilt) ** 2

        def polynomial(x: fmpq) -> arb:
            return arb(x) ** 3 - k * c * arb(x) ** 2 - 2 * c

        low, high = bracket(lambda x: bool(polynomial(x) < 0), fmpq(1), bits=120)
        return _around(low, high, polynomial)


def _around(low: fmpq, high: fmpq, polynomial: Callable[[fmpq], arb]) -> arb:
    """The root between two near rationals, both signs checked in balls.

    Divided by x^2 the polynomial rises, so one change of sign encloses the root.
    """
    width = high - low
    while True:
        left = max(low, fmpq(0))
        if polynomial(left) < 0 and polynomial(high) > 0:
            return arb(left).union(arb(high))
        low, high, width = low - width, high + width, 2 * width


def check_dim(dim: int) -> None:
    """Refuse dimension 1, where directions do not turn.

    Raises:
        HypothesisError: fewer than 2 dimensions.
    """
    if dim < 2:
        raise HypothesisError(
            f"the task has {dim} dimension{'s' if dim != 1 else ''}; "
            "radial learning needs 2 or more, as in one dimension no "
            "directions are close to each other"
        )
    whole(dim, "dim", least=2, most=MAX_DIM)
