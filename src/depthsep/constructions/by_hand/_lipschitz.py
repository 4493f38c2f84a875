r"""The two blocks of the network of depth 3 for a function of an inner product.

A Lipschitz function of one number by chords, on all of R no steeper than the function;
and the inner product of two points of a sphere by squares of x_i + x'_i.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep._inputs import whole
from depthsep.constructions.by_hand._parameters import ACCURACY, DIM
from depthsep.constructions.symmetric._inner_by_squares import rows_of_sums
from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, proved
from depthsep.exact import ball_upper, ceil_root, midpoint, rational
from depthsep.networks import Affine, Network
from depthsep.targets import AbstractLineTarget

BITS = 128
MAX_UNITS = 1 << 20


@dataclass(frozen=True)
class LipschitzNetwork:
    """f(0) + sum_j gamma_j relu(alpha_j x + beta_j), alpha_j = +-1, |beta_j| <= R.

    Attributes:
        bound: of the sup error on [-R, R]: L h / 2, h the step, and the radius of the
            balls that hold the values of f.
        steepest: a Lipschitz constant on all of R: the largest chord's slope, which
            exceeds L by the rounding of those values at most.
        largest: the largest |gamma_j|, at most 2 * steepest.
    """

    network: Network
    bound: fmpq
    steepest: fmpq
    largest: fmpq


def lipschitz_units(radius: object, lipschitz: object, accuracy: object) -> int:
    """2 ceil(R L / (2 E)), at most 2 R L / E where R L >= E; 0 if a constant does.

    Source:
        Kocak (2019) on Daniely (2017), one-dimensional approximation. With the printed
        step E / L it is 2 ceil(R L / E), which exceeds 2 R L / E in general; chords err
        by L h / 2, so twice the step is enough.
    """
    r, slope = (rational(v, name=n) for v, n in ((radius, "R"), (lipschitz, "L")))
    error = rational(accuracy, name="accuracy")
    if r <= 0 or slope < 0 or error <= 0:
        raise HypothesisError(
            f"R = {r}, L = {slope}, E = {error}: give R > 0, L >= 0 and E > 0"
        )
    return 0 if r * slope <= error else 2 * int((r * slope / (2 * error)).ceil())


def lipschitz_network(
    target: AbstractLineTarget, radius: object, lipschitz: object, accuracy: object
) -> LipschitzNetwork:
    """A network of `lipschitz_units` for an L-Lipschitz function on [-R, R].

    Chords between multiples of h = R / K, K ceil(R L / (2 E)); constant slopes beyond.
    That L is a Lipschitz constant is for the caller to know.

    Raises:
        HypothesisError: numbers out of range.
        TooLargeError: more than 2^20 units.
    """
    units = lipschitz_units(radius, lipschitz, accuracy)
    if units > MAX_UNITS:
        raise TooLargeError(f"{units} units are needed; at most {MAX_UNITS} are built")
    r, slope = rational(radius), rational(lipschitz)
    count = units // 2
    step = r / count if count else r
    ends = [[_value(target, s * k * step) for k in range(count + 1)] for s in (1, -1)]
    at_zero = ends[0][0][0]
    rounding = max(off for side in ends for _, off in side)
    if not units:
        flat = Network([Affine([[fmpq(0)]], [at_zero])])
        return LipschitzNetwork(flat, r * slope + rounding, fmpq(0), fmpq(0))
    sides = [_side([value for value, _ in side], step) for side in ends]
    starts = [-k * step for k in range(count)]
    rows = [[fmpq(sign)] for sign in (1, -1) for _ in starts]
    gamma = [change for side in sides for change in side.changes]
    outer = np.array([gamma], dtype=object)
    network = Network([Affine(rows, starts * 2), Affine(outer, [at_zero])])
    steepest = max(abs(s) for side in sides for s in side.slopes)
    return LipschitzNetwork(
        network, slope * step / 2 + rounding, steepest, max(abs(g) for g in gamma)
    )


@dataclass(frozen=True)
class _Side:
    slopes: list[fmpq]
    changes: list[fmpq]


def _side(values: list[fmpq], step: fmpq) -> _Side:
    """Slopes away from 0 along one side, and how they change."""
    slopes = [(b - a) / step for a, b in pairwise(values)]
    return _Side(slopes, [slopes[0], *(b - a for a, b in pairwise(slopes))])


def _value(target: AbstractLineTarget, x: fmpq) -> tuple[fmpq, fmpq]:
    """The middle of a ball that holds f(x), and how far f(x) may be from it."""
    with ctx.workprec(BITS):
        value = target.jet(arb(x)).value
        if not value.is_finite():
            raise HypothesisError(
                f"no finite value was found for {target} at {x}", parameter="target"
            )
        middle = midpoint(value)
        return middle, ball_upper(abs(value - arb(middle)))


def inner_product_units(dim: int, accuracy: object) -> int:
    """2 d K, K = ceil(sqrt(d / (4 E))): what `inner_product_network` needs."""
    return 2 * whole(dim, "dim", least=1) * _steps(dim, accuracy)


def inner_product_network(dim: int, accuracy: object) -> Network:
    r"""<x, x'> on two unit spheres of R^d within E, by squares of x_i + x'_i.

    sum_i q(x_i + x'_i) - 1 - d h^2 / 16, q the interpolant of z^2 / 2 at the multiples
    of h = 2 / K on [-2, 2], which is too large by at most h^2 / 8: the error is at most
    d h^2 / 16 <= E, with 2 d K units. Read-out weights are h / 2 and h.

    Args:
        accuracy: E > 0; E / (2 L) before an L-Lipschitz function of accuracy E / 2.

    Source:
        Kocak (2019) on Daniely (2017), the network N_i, printed with 16 d^2 L / E
        units for the accuracy E / (2 L); centred here, which takes far fewer.
    """
    count = _steps(whole(dim, "dim", least=1), accuracy)
    if 2 * dim * count > MAX_UNITS:
        raise TooLargeError(
            f"{2 * dim * count} units are needed; at most {MAX_UNITS} are built"
        )
    step = fmpq(2, count)
    rows = rows_of_sums(dim, count)
    offsets = [-k * step for k in range(count)] * (2 * dim)
    outer = [step / 2, *[step] * (count - 1)] * (2 * dim)
    level = -1 - dim * step * step / 16
    last = Affine(np.array([outer], dtype=object), [level])
    return Network([Affine(rows, offsets), last])


def _steps(dim: int, accuracy: object) -> int:
    """The least K with d (2 / K)^2 / 16 <= E."""
    error = rational(accuracy, name="accuracy")
    if error <= 0:
        raise HypothesisError(f"the accuracy is {error}; it must be positive")
    return max(1, ceil_root(dim / (4 * error), 2))


def _chords(radius: fmpq, lipschitz: fmpq, accuracy: fmpq) -> Value:
    return Value(lipschitz_units(radius, lipschitz, accuracy), Rigour.EXACT)


CHORDS = Statement(
    "lipschitz-chords",
    "Number of units in one hidden layer that is enough to approximate a Lipschitz "
    "function on [-R, R] by chords, within E in the sup norm",
    (
        "f is L-Lipschitz on [-R, R]",
        (
            "the weights satisfy |alpha| = 1, the biases |beta| <= R "
            "and the output weights |gamma| <= 2 L; the network is no "
            "steeper than L on the whole real line"
        ),
    ),
    Source("daniely2017", "one-dimensional approximation"),
    (
        Parameter("radius", "rational", "R, half the length of the interval", "1"),
        Parameter("lipschitz", "rational", "L, the Lipschitz constant", "1"),
        ACCURACY,
    ),
    _chords,
    errata=(
        (
            "with the printed step E / L between kinks, 2 ceil(R L / E) units are "
            "needed, in general more than 2 R L / E; a step of 2 E / L is enough"
        ),
    ),
    sample="radius=1 lipschitz=10 accuracy=1/100",
    tex=(
        r"2 \left\lceil \frac{R L}{2 E} \right\rceil \le "
        r"\frac{2 R L}{E} \text{ for } R L > E; \quad 0 "
        r"\text{ otherwise}"
    ),
    proof=proved("explicit-networks"),
)


def _squares(dim: int, accuracy: fmpq) -> Value:
    return Value(inner_product_units(dim, accuracy), Rigour.EXACT)


SQUARES = Statement(
    "inner-squares",
    "Number of units in one hidden layer that is enough to approximate "
    "<x, x'> on two unit spheres by squares, within E in the sup norm",
    ("x and x' lie on the unit sphere of R^d",),
    Source("daniely2017", "the inner product"),
    (replace(DIM, meaning="d, the dimension"), ACCURACY),
    _squares,
    errata=(
        (
            "where an L-Lipschitz function is applied to the inner product, the "
            "source needs the accuracy E / (2 L) and prints 16 d^2 L / E units; 2 d "
            "ceil(sqrt(d L / (2 E))) are enough for that accuracy"
        ),
    ),
    tex=r"2 d K, \quad K = \left\lceil \sqrt{\frac{d}{4 E}} \right\rceil",
    proof=proved("explicit-networks"),
)
