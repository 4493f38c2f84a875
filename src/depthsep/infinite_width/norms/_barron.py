r"""Barron's theorem: a transform as an integral of thresholds, or of ReLUs.

On |x| <= R, with theta the phase of the transform,

    g(x) - g(0) = - 4 pi \iint |g~(w)| sin(2 pi (b + theta)) 1[w.x >= b] db dw,
    g(x) - g(0) - grad g(0).x
                = - 8 pi^2 \iint |g~(w)| cos(2 pi (b + theta)) relu(w.x - b) db dw,

both over 0 <= b <= R |w|. The source has R = 1 throughout and no condition |x| <= 1,
without which the right side stops following g; its chain of equalities holds after
integrating over w only (Theorem 2.12).
"""

import numpy as np
from flint import arb, ctx

from depthsep._errors import HypothesisError
from depthsep.evidence import Enclosure, Source, enclosure
from depthsep.exact import nearest_float, rational
from depthsep.infinite_width._balls import PRECISION
from depthsep.infinite_width._representation import Features, Representation
from depthsep.infinite_width._transforms import Gaussian, Transform
from depthsep.infinite_width.norms._gaussian_mass import mean_total, threshold_mass
from depthsep.networks import COS, RELU, THRESHOLD

SOURCE = Source("telgarsky2023", "Theorem 2.12 (Barron), corrected")


def barron_thresholds(transform: Transform, radius: object = 1) -> Representation:
    """The representation by thresholds, |V| = 4 pi R C_1 |sin(...)|.

    Frequencies have density |w| |g~| / C_1 and offsets are uniform on [0, R |w|].
    Gaussians centred at 0 are drawn from the signed measure itself instead: offsets
    with density |sin|, and |V| the exact mass, which is smaller.

    Raises:
        HypothesisError: a radius that is not positive.
    """
    reach = rational(radius, name="the radius")
    if reach <= 0:
        raise HypothesisError(f"the radius is {reach}; it must be positive")
    if is_central(transform):
        return _from_mass(transform, nearest_float(reach))  # type: ignore[arg-type]
    with ctx.workprec(PRECISION):
        first = _times(transform.moment(1), 4 * arb.pi() * arb(reach))
    # the middle: an estimated moment's upper end would bias every weight
    size, r = float(first), nearest_float(reach)

    def draw(count: int, rng: np.random.Generator) -> Features:
        w, phase = transform.frequencies(count, rng, 1)
        b = r * np.linalg.norm(w, axis=1) * rng.random(count)
        return Features(w, b, -size * np.sin(2 * np.pi * (b + phase)))

    zero = np.zeros(transform.dim)
    return Representation(
        transform.dim, THRESHOLD, r, draw, first, _at_zero(transform), zero, SOURCE
    )


def barron_relus(transform: Transform, radius: object = 1) -> Representation:
    r"""The representation by ReLUs, |V| <= 8 pi^2 R^2 C_2.

    Frequencies have density |w|^2 |g~| / C_2, offsets are uniform on [0, R |w|], and
    V = -8 pi^2 R C_2 cos(2 pi (b + theta)) relu(w.x - b) / |w|.
    """
    reach = rational(radius, name="the radius")
    if reach <= 0:
        raise HypothesisError(f"the radius is {reach}; it must be positive")
    with ctx.workprec(PRECISION):
        largest = _times(transform.moment(2), 8 * arb.pi() ** 2 * arb(reach) ** 2)
    r = nearest_float(reach)
    size = float(largest) / r

    def draw(count: int, rng: np.random.Generator) -> Features:
        w, phase = transform.frequencies(count, rng, 2)
        length = np.linalg.norm(w, axis=1)
        b = r * length * rng.random(count)
        return Features(w, b, -size * np.cos(2 * np.pi * (b + phase)) / length)

    slope = transform.gradient_at_zero()
    return Representation(
        transform.dim, RELU, r, draw, largest, _at_zero(transform), slope, SOURCE
    )


def barron_cosines(transform: Transform) -> Representation:
    r"""g(x) = \int |g~(w)| cos(2 pi (w.x + theta)) dw by cosines, |V| <= C_0, on all x.

    Source:
        Telgarsky (2023), equation (2.10): the step before thresholds.
    """
    largest = transform.moment(0)
    size = float(largest)

    def draw(count: int, rng: np.random.Generator) -> Features:
        w, phase = transform.frequencies(count, rng, 0)
        return Features(2 * np.pi * w, -2 * np.pi * phase, np.full(count, size))

    return Representation(
        *(transform.dim, COS, np.inf, draw, largest, 0.0, np.zeros(transform.dim)),
        Source("telgarsky2023", "equation (2.10)"),
    )


def threshold_density(
    transform: Gaussian, w: np.ndarray, b: np.ndarray, radius: object = 1
) -> np.ndarray:
    """q(w, b) of g(x) - g(0) = int q(w, b) 1[w.x >= b] db dw, for |x| <= R.

    -4 pi |g~(w)| sin(2 pi (b + theta(w))) on 0 <= b <= R |w|, else 0.

    Args:
        w: frequencies, (k, d); b: offsets, (k,).

    Source:
        Telgarsky (2023), Theorem 2.12 and (2.11), which holds after integrating over w
        only.
    """
    values, reach = transform.at(w), nearest_float(rational(radius, name="radius"))
    inside = (b >= 0) & (b <= reach * np.linalg.norm(w, axis=1))
    # |z| sin(s + arg z) = Im(z e^(i s))
    turned = np.imag(values * np.exp(2j * np.pi * b))
    return np.where(inside, -4 * np.pi * turned, 0.0)


def is_central(transform: Transform) -> bool:
    """Whether this is one Gaussian centred at 0: its exact mass is known."""
    return isinstance(transform, Gaussian) and all(c == 0 for c in transform.centre)


def _from_mass(transform: Gaussian, radius: float) -> Representation:
    mass = threshold_mass(transform, radius)
    size = float(mass)
    sign = -1.0 if transform.amplitude < 0 else 1.0

    def draw(count: int, rng: np.random.Generator) -> Features:
        w, b = _accepted(transform, radius, count, rng)
        return Features(w, b, -sign * size * np.sign(np.sin(2 * np.pi * b)))

    zero = np.zeros(transform.dim)
    constant, total = _at_zero(transform), float(mean_total(transform, radius))
    return Representation(
        transform.dim,
        THRESHOLD,
        radius,
        draw,
        mass,
        constant,
        zero,
        SOURCE,
        total=total,
    )


def _accepted(
    transform: Gaussian, radius: float, count: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    r"""(w, b) with density |g~(w)| |sin 2 pi b|, 0 <= b <= z = R |w|.

    w by rejection: \int_0^z |sin 2 pi b| db is at most z and at most pi z^2, so it is
    proposed from |w| |g~| or |w|^2 |g~|, whichever has the smaller integral. b by the
    inverse of that integral.
    """
    first, second = (float(transform.moment(power)) for power in (1, 2))
    power = 2 if np.pi * radius * second < first else 1
    found: list[np.ndarray] = []
    missing = count
    while missing > 0:
        w, _ = transform.frequencies(2 * missing + 16, rng, power)
        z = radius * np.linalg.norm(w, axis=1)
        envelope = z if power == 1 else np.pi * z * z
        kept = w[rng.random(len(w)) * envelope < _mass_to(z)][:missing]
        found.append(kept)
        missing -= len(kept)
    w = np.concatenate(found)
    mass = rng.random(count) * _mass_to(radius * np.linalg.norm(w, axis=1))
    whole = np.floor(mass * np.pi)
    rest = np.clip(mass * np.pi - whole, 0.0, 1.0)
    return w, whole / 2 + np.arcsin(np.sqrt(rest)) / np.pi


def _mass_to(z: np.ndarray) -> np.ndarray:
    r"""\int_0^z |sin 2 pi b| db: 1 / pi for each half period, and the rest."""
    whole = np.floor(2 * z)
    return (whole + np.sin(np.pi * (z - whole / 2)) ** 2) / np.pi


def _at_zero(transform: Transform) -> float:
    return float(transform.floats(np.zeros((1, transform.dim)))[0])


def _times(bound: Enclosure, factor: arb) -> Enclosure:
    low, high = (
        enclosure(arb(bound.lower) * factor),
        enclosure(arb(bound.upper) * factor),
    )
    return Enclosure(low.lower, high.upper, bound.rigour)
