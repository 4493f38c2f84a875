r"""Tangent kernels of two rational points, enclosed: the recursion in balls.

Written apart from the float64 kernels, which are tested against it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, UndecidedError
from depthsep._inputs import whole
from depthsep.exact import rational, total
from depthsep.near_init.kernels._duals import kernel_activation

Dual = Callable[[arb, arb, arb, arb], arb]  # of A, B, C and the angle
PRECISIONS = (512, 2048, 8192)
ZERO, ONE = fmpq(0), fmpq(1)


def enclosed_kernel(
    x: Sequence[fmpq],
    z: Sequence[fmpq],
    *,
    activation: str = "relu",
    depth: int = 2,
    weight_variance: fmpq = ONE,
    bias_variance: fmpq = ZERO,
    input_variance: fmpq = ONE,
    trained: Sequence[int] | None = None,
    tangent: bool = True,
) -> arb:
    """The kernel that `TangentKernel` computes in floats, at one pair.

    Raises:
        HypothesisError: points of different dimension, or no such kernel.
        UndecidedError: 8192 bits are not enough.
    """
    x, z = ([rational(v) for v in p] for p in (x, z))
    if len(x) != len(z):
        raise HypothesisError(
            f"the points have dimensions {len(x)} and {len(z)}, which must be equal"
        )
    weights, bias, scale = map(
        rational, (weight_variance, bias_variance, input_variance)
    )
    if min(weights, scale) <= 0 or bias < 0:
        raise HypothesisError(
            "the weight and input variances must be positive, and the bias "
            "variance 0 or more"
        )
    layers = range(1, whole(depth, "depth", least=1, most=10_000) + 1)
    chosen = frozenset(layers if trained is None else trained)
    if not chosen <= set(layers):
        raise HypothesisError(
            f"`trained` is {trained}; its layers must be from 1 to {depth}"
        )
    kernel, slope = _duals(activation)
    if tangent and slope is None:
        raise HypothesisError(
            f"{activation} has no tangent kernel; choose another activation, or in "
            "Python set tangent=False for the NNGP kernel"
        )
    inner = [
        scale * total(p * q for p, q in zip(u, v, strict=True)) + bias
        for u, v in ((x, x), (x, z), (z, z))
    ]
    net = _Net(activation, kernel, slope, depth, weights, bias, chosen, tangent)
    return _precise(net, inner, x == z)


def kernel_at_cosine(
    cosine: object, *, activation: str = "relu", depth: int = 2, tangent: bool = True
) -> arb:
    """k_inf of two unit vectors with that inner product, or the kernel of outputs.

    Of all trained layers, without biases; at depth 2 the first layer's share for ReLU
    is (c (pi - arccos c)) / (2 pi).

    Raises:
        HypothesisError: a cosine outside [-1, 1], or no such kernel.
    """
    c = rational(cosine, name="the cosine")
    if abs(c) > 1:
        raise HypothesisError(f"the cosine is {c}; give a number from -1 to 1")
    kernel, slope = _duals(activation)
    if tangent and slope is None:
        raise HypothesisError(
            f"{activation} has no tangent kernel; choose another activation, or in "
            "Python set tangent=False for the NNGP kernel"
        )
    last = whole(depth, "depth", least=1, most=10_000)
    layers = frozenset(range(1, last + 1))
    net = _Net(activation, kernel, slope, last, ONE, ZERO, layers, tangent)
    return _precise(net, [ONE, c, ONE], c == 1)


def dual(
    activation: str,
    covariance: object,
    variances: tuple[object, object] = (1, 1),
    *,
    slope: bool = False,
) -> arb:
    """E sigma(u) sigma(v), or E sigma'(u) sigma'(v), for centred Gaussian u and v.

    With variances 1 the covariance is a cosine: this is the dual activation.

    Raises:
        HypothesisError: no such covariance, an activation without a known dual.
    """
    b = rational(covariance, name="the covariance")
    a, c = (rational(v, name="a variance") for v in variances)
    if min(a, c) < 0 or b * b > a * c:
        raise HypothesisError(
            f"there are no Gaussians with variances {a} and {c} and "
            f"covariance {b}; the variances must be 0 or more, and the "
            "square of the covariance at most their product"
        )
    kernel, derived = _duals(activation)
    chosen = derived if slope else kernel
    if chosen is None:
        raise HypothesisError(
            f"{activation} has no derivative that is a function; give "
            "slope=0 or another activation"
        )
    kinked = kernel_activation(activation).leak not in (None, ONE)
    if slope and kinked and min(a, c) == 0:
        raise HypothesisError(
            f"with a variance of 0 the derivative of {activation} at 0 "
            "is needed, which does not exist; give positive variances"
        )
    found = arb(0)
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            angle = _angle(arb(a), arb(b), arb(c), _line(a, b, c), arb(a * c - b * b))
            found = chosen(arb(a), arb(b), arb(c), angle)
            if found.rad() <= abs(found) * arb(2) ** -160:
                break
    return found


def _precise(net: "_Net", inner: Sequence[fmpq], same: bool) -> arb:
    """The recursion with as many bits as it needs."""
    found = arb(0)
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            found = _recursion(net, inner, same)
            if found.rad() <= abs(found) * arb(2) ** -160:
                return found
    if not found.is_finite():
        raise UndecidedError(
            "8192 bits are not enough to enclose this kernel; lower the depth"
        )
    return found


@dataclass(frozen=True)
class _Net:
    """What the recursion needs to know of the network and of the question."""

    activation: str
    kernel: Dual
    slope: Dual | None
    depth: int
    weight_variance: fmpq
    bias_variance: fmpq
    trained: frozenset[int]
    tangent: bool


def _recursion(net: _Net, inner: Sequence[fmpq], same: bool) -> arb:
    line, (a, b, c) = _line(*inner), map(arb, inner)
    gap = arb(inner[0] * inner[2] - inner[1] ** 2)  # exact: no cancellation
    theta = b if 1 in net.trained else arb(0)
    for layer in range(2, net.depth + 1):
        angle = _angle(a, b, c, line, gap)
        if net.slope is not None:
            theta = theta * net.weight_variance * net.slope(a, b, c, angle)
        a, b, c = (
            net.weight_variance * net.kernel(p, q, r, t) + net.bias_variance
            for p, q, r, t in ((a, a, a, arb(0)), (a, b, c, angle), (c, c, c, arb(0)))
        )
        line = _next_line(line, same, net.activation, net.bias_variance)
        gap = a * c - b * b
        theta = theta + b if layer in net.trained else theta
    return theta if net.tangent else b


def _line(a: fmpq, b: fmpq, c: fmpq) -> int:
    """1 or -1 if the cosine is known to be exactly that, else 0."""
    if b * b != a * c or b == 0:
        return 0
    return 1 if b > 0 else -1


def _next_line(line: int, same: bool, activation: str, bias: fmpq) -> int:
    """What remains known of the cosine one layer later; 0 is always true."""
    if same:
        return 1
    leak = kernel_activation(activation).leak
    if line == 0 or bias != 0 or leak is None:
        return 1 if line == 1 and activation == "threshold" else 0
    return line if line == 1 or leak == 1 else (1 if leak == -1 else 0)


def _duals(activation: str) -> tuple[Dual, Dual | None]:
    leak = kernel_activation(activation).leak
    if leak is None:
        return _NAMED[activation]
    return (
        lambda a, b, c, t: _leaky(leak, a, c, t),
        lambda a, b, c, t: _leaky_slope(leak, t),
    )


def _angle(a: arb, b: arb, c: arb, line: int, gap: arb) -> arb:
    """The angle of the pair, gap = a c - b^2; 0 if a variance is 0."""
    if line or a == 0 or c == 0:
        return arb.pi() if line < 0 else arb(0)
    root = gap.sqrt() if gap > 0 else arb(0).union(arb(gap.upper()).max(arb(0)).sqrt())
    return arb.atan2(root, b)


def _leaky(leak: fmpq, a: arb, c: arb, t: arb) -> arb:
    # (1 + alpha^2) J(theta) - 2 alpha J(pi - theta), J(t) = sin t + (pi - t) cos t
    near = t.sin() + (arb.pi() - t) * t.cos()
    far = t.sin() - t * t.cos()
    root = (a * c).sqrt() / (2 * arb.pi())
    return root * ((1 + leak * leak) * near - 2 * leak * far)


def _leaky_slope(leak: fmpq, t: arb) -> arb:
    return ((1 + leak * leak) * (arb.pi() - t) + 2 * leak * t) / (2 * arb.pi())


def _threshold(a: arb, b: arb, c: arb, t: arb) -> arb:
    if a == 0 or c == 0:
        return arb(1) if a == 0 and c == 0 else arb(1) / 2
    return (arb.pi() - t) / (2 * arb.pi())


def _erf(a: arb, b: arb, c: arb, _: arb) -> arb:
    return 2 / arb.pi() * (2 * b / ((1 + 2 * a) * (1 + 2 * c)).sqrt()).asin()


def _erf_slope(a: arb, b: arb, c: arb, _: arb) -> arb:
    return 4 / arb.pi() / ((1 + 2 * a) * (1 + 2 * c) - 4 * b * b).sqrt()


def _cos(a: arb, b: arb, c: arb, _: arb) -> arb:
    return (-(a + c) / 2).exp() * b.cosh()


def _sin(a: arb, b: arb, c: arb, _: arb) -> arb:
    return (-(a + c) / 2).exp() * b.sinh()


def _exp(a: arb, b: arb, c: arb, _: arb) -> arb:
    return ((a + c) / 2 + b).exp()


_NAMED: dict[str, tuple[Dual, Dual | None]] = {
    "threshold": (_threshold, None),
    "erf": (_erf, _erf_slope),
    "cos": (_cos, _sin),
    "sin": (_sin, _cos),
    "exp": (_exp, _exp),
}
