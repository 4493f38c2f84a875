r"""Gaussian expectations of activations for pairs, without cancellation.

For a centred Gaussian pair (u, v) of deviations r, q and correlation rho, the dual is
K = E sigma(u) sigma(v) and its slope E sigma'(u) sigma'(v). Pairs arrive as rho with
below = 1 - rho and above = 1 + rho, each accurate near 0, so that the angle is accurate
at the diagonal and at the antipode; results are divided by k(r) k(q), k^2 = K(r, r).
Everything is written for one array namespace, numpy or jax.numpy.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._inputs import Numbers
from depthsep.exact import nearest_float, rational, text

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

    cosine: Numbers
    below: Numbers | None
    above: Numbers | None
    slope: Numbers | None


@dataclass(frozen=True)
class KernelActivation:
    """An activation through its duals.

    Attributes:
        name: as users write it.
        leak: alpha of leaky ReLU (0: ReLU, 1: identity, -1: abs), else None.
        scale: (xp, r) to k(r).
        own: (xp, r) to E sigma'(u)^2 r^2 / k^2, the slope of a point with itself.
        pairs: (xp, r, q, rho, below, above, last=...) to `Pairs`; `below` and
            `above` are left out where `last`.
    """

    name: str
    scale: Callable[[ModuleType, Numbers], Numbers]
    own: Callable[[ModuleType, Numbers], Numbers]
    pairs: Callable[..., Pairs]
    leak: fmpq | None = None

    @property
    def has_slope(self) -> bool:
        """Whether tangent kernels exist; for thresholds only the NNGP kernel does."""
        return self.name != "threshold"

    def __repr__(self) -> str:
        return self.name


@lru_cache(maxsize=256)  # equal names are equal objects: JAX compiles once
def kernel_activation(name: str) -> KernelActivation:
    """By name: relu, leaky-relu:ALPHA, identity, abs, erf, sin, cos, exp, threshold.

    Raises:
        HypothesisError: another name, or a slope beyond 1e100.
    """
    leak = leak_of(name)
    if leak is not None:
        return _leaky_relu(leak, name)
    if name in _FIXED:
        return _FIXED[name]
    known = ", ".join(["relu", "leaky-relu:1/10", "identity", "abs", *_FIXED])
    raise HypothesisError(
        f"the kernel for the activation {name[:40]!r} is not known; choose "
        f"one of {known}"
    )


def leak_of(name: str) -> fmpq | None:
    """The slope left of 0 of relu, leaky-relu:ALPHA, identity and abs; None for others.

    Raises:
        HypothesisError: not a name, or a slope beyond 1e100.
    """
    if not isinstance(name, str):
        raise HypothesisError(f"an activation is a name such as 'relu', not {name!r}")
    leaks = {"relu": "0", "identity": "1", "abs": "-1"}
    head, _, tail = name.partition(":")
    if name not in leaks and not (head == "leaky-relu" and tail):
        return None
    leak = rational(leaks.get(name, tail), name="the slope of leaky-relu")
    if abs(leak) > MOST_LEAK:
        raise HypothesisError(
            f"leaky-relu:{text(leak)[:20]} is not supported; the slope "
            "must lie between -1e100 and 1e100"
        )
    return leak


def _leaky_relu(leak: fmpq, name: str) -> KernelActivation:
    r"""max(z, 0) - alpha max(-z, 0), positively homogeneous: kappa(theta) only.

    With gamma = 2 alpha / (1 + alpha^2), phi = pi - theta and lune(t) =
    sin t - t cos t: kappa = gamma cos theta + (1 - gamma) lune(phi) / pi, the slope is
    gamma + (1 - gamma) phi / pi, and 1 - kappa = 1 - cos theta - (1 - gamma)
    lune(theta) / pi; beyond a right angle by phi.
    """
    whole = 1 + leak * leak
    gamma, root = nearest_float(2 * leak / whole), nearest_float(whole / 2) ** 0.5
    less, more = (
        nearest_float((1 - leak) ** 2 / whole),
        nearest_float((1 + leak) ** 2 / whole),
    )

    def pairs(
        xp: ModuleType, r: Numbers, q: Numbers, *gaps: Numbers, last: bool
    ) -> Pairs:
        rho, below, above = gaps
        sine = xp.sqrt(below * above)
        far = xp.arctan2(sine, -rho)  # pi - theta, accurate at the antipode
        cosine = less / xp.pi * _lune(xp, far, sine + far * rho)
        slope = less / xp.pi * far
        if gamma:
            cosine, slope = cosine + gamma * rho, slope + gamma
        if last:
            return Pairs(cosine, None, None, slope)
        acute, small = rho >= 0, xp.minimum(far, xp.pi - far)
        bend = less / xp.pi * _lune(xp, small, sine - small * xp.abs(rho))
        down = xp.where(acute, below, more - gamma * above) - bend
        up = xp.where(acute, above, less + gamma * above) + bend
        return Pairs(cosine, down, up, slope)

    return KernelActivation(
        name,
        lambda xp, r: root * r,
        lambda xp, r: xp.ones_like(r),
        pairs,
        leak,
    )


def _lune(xp: ModuleType, t: Numbers, plain: Numbers) -> Numbers:
    """sin t - t cos t, given as computed: by a series below 1/2, where it cancels."""
    small = t < 0.5
    if xp is not np:
        return xp.where(small, _series(t), plain)
    found, rare = np.asarray(plain), np.flatnonzero(small)
    np.put(found, rare, _series(np.take(np.asarray(t), rare)))
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


def _series(t: Numbers) -> Numbers:
    square, found = t * t, _LUNE[-1]
    for c in reversed(_LUNE[:-1]):
        found = found * square + c
    return t * square * found


def _threshold() -> KernelActivation:
    """1[z >= 0]: at a zero vector it is 1."""
    half = 0.5**0.5

    def pairs(
        xp: ModuleType, r: Numbers, q: Numbers, *gaps: Numbers, last: bool
    ) -> Pairs:
        _, below, above = gaps
        near, far = xp.sqrt(below), xp.sqrt(above)
        both, none = (r == 0) & (q == 0), (r != 0) & (q != 0)
        gap, cosine = (
            xp.where(none, 2 / xp.pi * xp.arctan2(a, b), xp.where(both, end, other))
            for a, b, end, other in ((near, far, 0.0, 1 - half), (far, near, 1.0, half))
        )
        return Pairs(cosine, gap, 2 - gap, None)

    return KernelActivation(
        "threshold",
        lambda xp, r: xp.where(r == 0, xp.ones_like(r), half),
        lambda xp, r: xp.zeros_like(r),
        pairs,
    )


def _erf_parts(xp: ModuleType, r: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """e, 1 / |(sqrt 2 r, 1)| and cos arcsin(e^2), for `_erf`."""
    length = xp.hypot(xp.ones_like(r), 2**0.5 * r)
    e, b = 2**0.5 * r / length, 1 / length
    return e, b, b * xp.sqrt(1 + e * e)


def _erf() -> KernelActivation:
    """By the angles of which (sqrt 2 r, 1) / |.| has the sine: no norm overflows.

    K = (2 / pi) arcsin(e f rho) with e = sqrt 2 r / |(sqrt 2 r, 1)|; differences of
    arcsines are twice the arctangent of (difference of sines) / (sum of cosines).
    """

    def scale(xp: ModuleType, r: Numbers) -> Numbers:
        e, _, cosine = _erf_parts(xp, r)
        return xp.sqrt(2 / xp.pi * xp.arctan2(e * e, cosine))

    def own(xp: ModuleType, r: Numbers) -> Numbers:
        e, _, cosine = _erf_parts(xp, r)
        k = scale(xp, r)
        return _ratio(xp, 2 / xp.pi * e * e / cosine, k * k)

    def pairs(
        xp: ModuleType, r: Numbers, q: Numbers, *gaps: Numbers, last: bool
    ) -> Pairs:
        rho, below, above = gaps
        (e, b, ce), (f, c, cf) = _erf_parts(xp, r), _erf_parts(xp, q)
        rest = ((e - f) ** 2 + (b - c) ** 2) / 2 + b * c  # 1 - e f
        root = xp.sqrt((e * f * below + rest) * (e * f * above + rest))
        k, m = scale(xp, r), scale(xp, q)
        cosine = _ratio(xp, 2 / xp.pi * xp.arctan2(e * f * rho, root), k * m)
        slope = _ratio(xp, 2 / xp.pi * e * f / root, k * m)
        if last:
            return Pairs(cosine, None, None, slope)
        apart = (c - b) * (c + b) / xp.where(e + f == 0, 1.0, e + f)  # e - f

        def spread(gap: Numbers) -> Numbers:  # E (sigma(u) -+ sigma(v))^2 / 2
            x = xp.arctan(e * (apart + f * gap) / (ce + root))
            y = xp.arctan(f * (e * gap - apart) / (cf + root))
            return 2 / xp.pi * (x + y)

        squares = 4 / xp.pi * xp.arctan(apart * (e + f) / (ce + cf))  # k^2 - m^2
        gaps = _gaps(xp, spread(below), spread(above), k, m, squares)
        return Pairs(cosine, *gaps, slope)

    return KernelActivation("erf", scale, own, pairs)


def _waves(
    xp: ModuleType, r: Numbers, q: Numbers, rho: Numbers, below: Numbers, above: Numbers
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """E cos u cos v, E sin u sin v, and E (u - v)^2 / 2, E (u + v)^2 / 2."""
    radial = (r - q) ** 2 / 2
    less, more = radial + r * q * below, radial + r * q * above
    top = xp.exp(-xp.minimum(less, more)) / 2
    drop = xp.expm1(-2 * r * q * xp.abs(rho))
    return top * (2 + drop), -xp.sign(rho) * top * drop, less, more


def _decay(xp: ModuleType, r: Numbers, q: Numbers) -> tuple[Numbers, Numbers]:
    """exp(-q^2) - exp(-r^2), and the sum."""
    gap = (r - q) * (r + q)
    slow = xp.exp(-xp.minimum(r * r, q * q))
    difference = -xp.sign(gap) * slow * xp.expm1(-xp.abs(gap))
    return difference, xp.exp(-r * r) + xp.exp(-q * q)


def _sin() -> KernelActivation:
    def own(xp: ModuleType, r: Numbers) -> Numbers:
        return _ratio(xp, (1 + xp.exp(-2 * r * r)) * r * r, -xp.expm1(-2 * r * r))

    def scale(xp: ModuleType, r: Numbers) -> Numbers:
        return xp.sqrt(-xp.expm1(-2 * r * r) / 2)

    def pairs(
        xp: ModuleType, r: Numbers, q: Numbers, *gaps: Numbers, last: bool
    ) -> Pairs:
        rho, below, above = gaps
        cosines, sines, less, more = _waves(xp, r, q, rho, below, above)
        k, m = scale(xp, r), scale(xp, q)
        cosine = _ratio(xp, sines, k * m)
        slope = _ratio(xp, cosines * r * q, k * m)
        if last:
            return Pairs(cosine, None, None, slope)
        g, h = _decay(xp, r, q)

        def spread(one: Numbers, other: Numbers) -> Numbers:
            return (-xp.expm1(-one) * (1 + xp.exp(-other)) - g * g / 2) / 2

        near, far = spread(less, more), spread(more, less)
        return Pairs(cosine, *_gaps(xp, near, far, k, m, g * h / 2), slope)

    return KernelActivation("sin", scale, own, pairs)


def _cos() -> KernelActivation:
    def own(xp: ModuleType, r: Numbers) -> Numbers:
        return -xp.expm1(-2 * r * r) * r * r / (1 + xp.exp(-2 * r * r))

    def scale(xp: ModuleType, r: Numbers) -> Numbers:
        return xp.sqrt((1 + xp.exp(-2 * r * r)) / 2)

    def pairs(
        xp: ModuleType, r: Numbers, q: Numbers, *gaps: Numbers, last: bool
    ) -> Pairs:
        rho, below, above = gaps
        cosines, sines, less, more = _waves(xp, r, q, rho, below, above)
        k, m = scale(xp, r), scale(xp, q)
        cosine, slope = cosines / (k * m), sines * r * q / (k * m)
        if last:
            return Pairs(cosine, None, None, slope)
        g, h = _decay(xp, r, q)
        near = (xp.expm1(-less) * xp.expm1(-more) + g * g / 2) / 2
        gap = _gaps(xp, near, near, k, m, g * h / 2)[0]
        return Pairs(cosine, gap, 2 - gap, slope)

    return KernelActivation("cos", scale, own, pairs)


def _gaps(
    xp: ModuleType,
    near: Numbers,
    far: Numbers,
    k: Numbers,
    m: Numbers,
    squares: Numbers,
) -> tuple[Numbers, Numbers]:
    """1 -+ K / (k m) from E (sigma(u) -+ sigma(v))^2 / 2 and squares = k^2 - m^2.

    E (sigma(u) - sigma(v))^2 / 2 = (k - m)^2 / 2 + k m - K, so nothing cancels.
    """
    radial = _ratio(xp, squares, k + m) ** 2 / 2
    return tuple(
        xp.maximum(_ratio(xp, spread - radial, k * m), 0) for spread in (near, far)
    )


def _exp() -> KernelActivation:
    def pairs(
        xp: ModuleType, r: Numbers, q: Numbers, *gaps: Numbers, last: bool
    ) -> Pairs:
        _, below, _ = gaps
        half = (r - q) ** 2 / 2 + r * q * below
        cosine, gap = xp.exp(-half), -xp.expm1(-half)
        return Pairs(cosine, gap, 2 - gap, cosine * r * q)

    return KernelActivation(
        "exp", lambda xp, r: xp.exp(r * r), lambda xp, r: r * r, pairs
    )


def _ratio(xp: ModuleType, above: Numbers, below: Numbers) -> Numbers:
    """above / below, and 0 where both vanish (at zero vectors)."""
    safe = xp.where(below == 0, xp.ones_like(below), below)
    return xp.where(below == 0, xp.zeros_like(below), above / safe)


_FIXED = {a.name: a for a in (_erf(), _sin(), _cos(), _exp(), _threshold())}
