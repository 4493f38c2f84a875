r"""Gaussian expectations of activations for pairs, without cancellation.

For a centred Gaussian pair (u, v) of deviations r, q and correlation rho, the dual is
K = E sigma(u) sigma(v) and its slope E sigma'(u) sigma'(v). Pairs arrive as rho with
below = 1 - rho and above = 1 + rho, each accurate near 0, so that the angle is accurate
at the diagonal and at the antipode; results are divided by k(r) k(q), k^2 = K(r, r).
Everything is written for one array namespace, numpy or jax.numpy.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import rational, text

MOST_LEAK = fmpq(10) ** 100


@dataclass(frozen=True)
class Pairs:
    """A dual divided by k(r) k(q).

    Attributes:
        cosine: K / (k k').
        below: 1 - cosine; None where not asked for.
        above: 1 + cosine; the same.
        slope: E sigma'(u) sigma'(v) r q / (k k'); None where it is infinite.
    """

    cosine: Any
    below: Any
    above: Any
    slope: Any


@dataclass(frozen=True)
class KernelActivation:
    """An activation through its duals.

    Attributes:
        name: as users write it.
        leak: alpha of leaky ReLU (0: ReLU, 1: identity, -1: abs), else None.
        scale: (xp, r) to k(r).
        own: (xp, r) to E sigma'(u)^2 r^2 / k^2, the slope of a point with itself.
        pairs: (xp, r, q, rho, below, above, last=...) to `Pairs`; where `last`, nobody
            asks for its below and above.
    """

    name: str
    scale: Callable[[Any, Any], Any]
    own: Callable[[Any, Any], Any]
    pairs: Callable[..., Pairs]
    leak: fmpq | None = None

    @property
    def has_slope(self) -> bool:
        """Whether tangent kernels exist; for thresholds only the NNGP kernel does."""
        return self.name != "threshold"

    def __repr__(self) -> str:
        return self.name


def kernel_activation(name: str) -> KernelActivation:
    """By name: relu, leaky-relu:ALPHA, identity, abs, erf, sin, cos, exp, threshold.

    Raises:
        HypothesisError: another name, or a slope beyond 1e100.
    """
    if name in _SMOOTH:
        return _SMOOTH[name]
    leaks = {"relu": "0", "identity": "1", "abs": "-1"}
    head, _, tail = name.partition(":")
    if name in leaks or (head == "leaky-relu" and tail):
        leak = rational(leaks.get(name, tail), name="the slope of leaky-relu")
        return leaky_relu(leak, name)
    known = ", ".join(["relu", "leaky-relu:1/10", "identity", "abs", *_SMOOTH])
    raise HypothesisError(f"no kernel for the activation {name[:40]!r}; one of {known}")


def leaky_relu(leak: fmpq, name: str = "") -> KernelActivation:
    r"""max(z, 0) - alpha max(-z, 0), positively homogeneous: kappa(theta) only.

    With gamma = 2 alpha / (1 + alpha^2) and lune(t) = sin t - t cos t,
    kappa = cos theta + (1 - gamma) lune(theta) / pi, and at phi = pi - theta the same
    is -gamma cos phi + (1 - gamma) lune(phi) / pi: the smaller angle is taken. The
    slope is 1 - (1 - gamma) theta / pi.
    """
    if abs(leak) > MOST_LEAK:
        raise HypothesisError(f"leaky-relu:{text(leak)[:20]}; slopes up to 1e100 work")
    whole = 1 + leak * leak
    gamma, root = _number(2 * leak / whole), _number(whole / 2) ** 0.5
    less, more = _number((1 - leak) ** 2 / whole), _number((1 + leak) ** 2 / whole)

    def pairs(
        xp: Any, r: Any, q: Any, rho: Any, below: Any, above: Any, *, last: bool
    ) -> Pairs:
        sine = xp.sqrt(below * above)
        far = xp.arctan2(sine, -rho)  # pi - theta, accurate at the antipode
        small = xp.minimum(far, xp.pi - far)
        bend = less / xp.pi * _lune(xp, small, sine, xp.abs(rho))
        cosine = xp.maximum(rho, 0) + bend
        slope = far * (less / xp.pi)
        if gamma:
            cosine, slope = cosine + gamma * xp.minimum(rho, 0), slope + gamma
        if last:
            return Pairs(cosine, None, None, slope)
        acute = rho >= 0
        down = xp.where(acute, below, more - gamma * above) - bend
        up = xp.where(acute, above, less + gamma * above) + bend
        return Pairs(cosine, down, up, slope)

    return KernelActivation(
        name or f"leaky-relu:{text(leak)}",
        lambda xp, r: root * r,
        lambda xp, r: xp.ones_like(r),
        pairs,
        leak,
    )


def _lune(xp: Any, t: Any, sine: Any, cosine: Any) -> Any:
    """sin t - t cos t, by a series below 1/2, where it is t^3 / 3 - ..."""
    small = t < 0.5
    if xp is not np:
        return xp.where(small, _series(t), sine - t * cosine)
    found, rare = sine - t * cosine, np.flatnonzero(small)
    np.put(found, rare, _series(np.take(t, rare)))
    return found


# (sin t - t cos t) / t^3 = sum_k (-1)^(k+1) 2 k / (2 k + 1)! t^(2 k - 2)
_LUNE = (
    1 / 3,
    -1 / 30,
    1 / 840,
    -1 / 45360,
    1 / 3991680,
    -1 / 518918400,
    14 / 1307674368000,
)


def _series(t: Any) -> Any:
    square, found = t * t, _LUNE[-1]
    for c in reversed(_LUNE[:-1]):
        found = found * square + c
    return t * square * found


def _threshold() -> KernelActivation:
    """1[z >= 0]: at a zero vector it is 1."""

    def pairs(
        xp: Any, r: Any, q: Any, rho: Any, below: Any, above: Any, *, last: bool
    ) -> Pairs:
        angle = 2 * xp.arctan2(xp.sqrt(below), xp.sqrt(above))
        both, none = (r == 0) & (q == 0), (r != 0) & (q != 0)
        gap = xp.where(none, angle / xp.pi, xp.where(both, 0.0, 1 - 0.5**0.5))
        return Pairs(1 - gap, gap, 2 - gap, None)

    half = 0.5**0.5
    return KernelActivation(
        "threshold",
        lambda xp, r: xp.where(r == 0, xp.ones_like(r), half),
        lambda xp, r: xp.zeros_like(r),
        pairs,
    )


def _erf() -> KernelActivation:
    """By the angle of (sqrt 2 r, 1) and (sqrt 2 q, 1), so that no norm overflows."""

    def parts(xp: Any, r: Any) -> tuple[Any, Any]:
        length = xp.hypot(xp.ones_like(r), 2**0.5 * r)
        return 2**0.5 * r / length, 1 / length

    def scale(xp: Any, r: Any) -> Any:
        e, b = parts(xp, r)
        # arcsin(e^2) with 1 - e^2 = b^2
        return xp.sqrt(2 / xp.pi * xp.arctan2(e * e, b * xp.sqrt(1 + e * e)))

    def own(xp: Any, r: Any) -> Any:
        e, b = parts(xp, r)
        k = scale(xp, r)
        return _ratio(xp, 2 / xp.pi * e * e / (b * xp.sqrt(1 + e * e)), k * k)

    def pairs(
        xp: Any, r: Any, q: Any, rho: Any, below: Any, above: Any, *, last: bool
    ) -> Pairs:
        (e, b), (f, c) = parts(xp, r), parts(xp, q)
        rest = ((e - f) ** 2 + (b - c) ** 2) / 2 + b * c  # 1 - e f
        root = xp.sqrt((e * f * below + rest) * (e * f * above + rest))
        sine = e * f * rho
        k = scale(xp, r) * scale(xp, q)
        cosine = _ratio(xp, 2 / xp.pi * xp.arctan2(sine, root), k)
        return _smooth(cosine, _ratio(xp, 2 / xp.pi * e * f / root, k))

    return KernelActivation("erf", scale, own, pairs)


def _waves(
    xp: Any, r: Any, q: Any, rho: Any, below: Any, above: Any
) -> tuple[Any, Any]:
    """E cos u cos v and E sin u sin v: e^-(A+C)/2 times cosh B and sinh B."""
    near = (r - q) ** 2 + 2 * r * q * xp.minimum(below, above)
    twice = 2 * r * q * rho  # 2 B
    top = xp.exp(-near / 2) / 2
    drop = xp.expm1(-xp.abs(twice))
    return top * (2 + drop), -xp.sign(twice) * top * drop


def _sin() -> KernelActivation:
    def own(xp: Any, r: Any) -> Any:
        return _ratio(xp, (1 + xp.exp(-2 * r * r)) * r * r, -xp.expm1(-2 * r * r))

    def scale(xp: Any, r: Any) -> Any:
        return xp.sqrt(-xp.expm1(-2 * r * r) / 2)

    def pairs(
        xp: Any, r: Any, q: Any, rho: Any, below: Any, above: Any, *, last: bool
    ) -> Pairs:
        cosines, sines = _waves(xp, r, q, rho, below, above)
        k = scale(xp, r) * scale(xp, q)
        return _smooth(_ratio(xp, sines, k), _ratio(xp, cosines * r * q, k))

    return KernelActivation("sin", scale, own, pairs)


def _cos() -> KernelActivation:
    def own(xp: Any, r: Any) -> Any:
        return -xp.expm1(-2 * r * r) * r * r / (1 + xp.exp(-2 * r * r))

    def scale(xp: Any, r: Any) -> Any:
        return xp.sqrt((1 + xp.exp(-2 * r * r)) / 2)

    def pairs(
        xp: Any, r: Any, q: Any, rho: Any, below: Any, above: Any, *, last: bool
    ) -> Pairs:
        cosines, sines = _waves(xp, r, q, rho, below, above)
        k = scale(xp, r) * scale(xp, q)
        return _smooth(cosines / k, sines * r * q / k)

    return KernelActivation("cos", scale, own, pairs)


def _exp() -> KernelActivation:
    def pairs(
        xp: Any, r: Any, q: Any, rho: Any, below: Any, above: Any, *, last: bool
    ) -> Pairs:
        half = (r - q) ** 2 / 2 + r * q * below
        cosine, gap = xp.exp(-half), -xp.expm1(-half)
        return Pairs(cosine, gap, 2 - gap, cosine * r * q)

    return KernelActivation(
        "exp", lambda xp, r: xp.exp(r * r), lambda xp, r: r * r, pairs
    )


def _smooth(cosine: Any, slope: Any) -> Pairs:
    """For smooth activations rounding in 1 - cosine does no harm."""
    return Pairs(cosine, 1 - cosine, 1 + cosine, slope)


def _ratio(xp: Any, above: Any, below: Any) -> Any:
    """above / below, and 0 where both vanish (at zero vectors)."""
    safe = xp.where(below == 0, xp.ones_like(below), below)
    return xp.where(below == 0, xp.zeros_like(below), above / safe)


def _number(value: fmpq) -> float:
    return int(value.p) / int(value.q)


_SMOOTH = {a.name: a for a in (_erf(), _sin(), _cos(), _exp(), _threshold())}
