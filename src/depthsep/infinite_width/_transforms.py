r"""Functions given by their Fourier transform, g~(w) = int e^{-2 pi i w.x} g(x) dx.

A transform is |g~(w)| e^{2 pi i theta(w)}. Each record here offers the moments
C_p = int |w|^p |g~(w)| dw, a sampler of frequencies with density |w|^p |g~| / C_p,
values, and the gradient at 0.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.evidence import Enclosure, Rigour, enclosure, weakest
from depthsep.exact import nearest_float, rational
from depthsep.infinite_width._balls import PRECISION
from depthsep.infinite_width.norms._smoothed import Frequencies, Smoothed
from depthsep.infinite_width.norms._smoothed_radial import SmoothedRadial


@dataclass(frozen=True)
class Gaussian:
    r"""amplitude * exp(-|x - centre|^2 / (2 sigma^2)) in any dimension.

    Its transform has |g~(w)| = |amplitude| (2 pi sigma^2)^{d/2} e^{-2 pi^2 sigma^2
    |w|^2}: frequencies are Gaussian with deviation s = 1/(2 pi sigma).

    Args:
        density: multiply by (2 pi sigma^2)^{-d/2}, the probability density.

    Raises:
        HypothesisError: sigma <= 0, dim < 1, a centre of another dimension.
    """

    dim: int
    sigma: fmpq
    centre: tuple[fmpq, ...]
    amplitude: fmpq
    density: bool

    def __init__(
        self,
        dim: int,
        sigma: object,
        *,
        centre: object = None,
        amplitude: object = 1,
        density: bool = False,
    ) -> None:
        deviation = rational(sigma, name="sigma")
        if deviation <= 0 or dim < 1:
            raise HypothesisError(
                f"sigma is {deviation} and the dimension {dim}; both must be above 0"
            )
        point = [0] * dim if centre is None else list(centre)  # type: ignore[arg-type]
        if len(point) != dim:
            raise HypothesisError(
                "the number of coordinates of the centre is "
                f"{len(point)}, but the dimension is {dim}"
            )
        values = (
            ("dim", dim),
            ("sigma", deviation),
            ("centre", tuple(rational(c, name="the centre") for c in point)),
            ("amplitude", rational(amplitude, name="the amplitude")),
            ("density", density),
        )
        for name, value in values:
            object.__setattr__(self, name, value)

    def peak(self) -> arb:
        """|g(centre)| = int |g~|, at the current precision."""
        size = abs(arb(self.amplitude))
        if self.density:
            size *= (-arb(self.dim) / 2 * (2 * arb.pi() * self.sigma**2).log()).exp()
        return size

    def moment(self, power: int) -> Enclosure:
        """int |w|^p |g~|: the peak times s^p 2^{p/2} Gamma((d+p)/2) / Gamma(d/2)."""
        with ctx.workprec(PRECISION):
            d, p = arb(self.dim), arb(power)
            root = ((d + p) / 2).lgamma() - (d / 2).lgamma() + p / 2 * arb(2).log()
            spread = (2 * arb.pi() * arb(self.sigma)) ** power
            return enclosure(self.peak() * root.exp() / spread)

    def frequencies(
        self, count: int, rng: np.random.Generator, power: int
    ) -> Frequencies:
        """|w| = s chi_{d+p}, direction uniform; phases theta(w) = -w . centre."""
        s = 1 / (2 * np.pi * nearest_float(self.sigma))
        length = s * np.sqrt(rng.chisquare(self.dim + power, count))
        w = length[:, None] * unit_vectors(rng, count, self.dim)
        phase = -w @ np.array([nearest_float(c) for c in self.centre])
        return w, phase + (0.5 if self.amplitude < 0 else 0.0)

    def floats(self, x: np.ndarray) -> np.ndarray:
        """Values at x, shape (n, d) to (n,)."""
        away = x - np.array([nearest_float(c) for c in self.centre])
        squares = np.einsum("ij,ij->i", away, away)
        return self._size() * np.exp(-squares / (2 * nearest_float(self.sigma) ** 2))

    def at(self, w: np.ndarray) -> np.ndarray:
        """g~ at frequencies, shape (k, d) to (k,), complex.

        |w| times its modulus is the modulus of (grad g)~ over 2 pi.
        """
        sigma, c = nearest_float(self.sigma), [nearest_float(x) for x in self.centre]
        scale = (2 * np.pi * sigma**2) ** (self.dim / 2) * self._size()
        squares = np.einsum("ij,ij->i", w, w)
        turned = np.exp(-2j * np.pi * (w @ np.array(c)))
        return scale * np.exp(-2 * (np.pi * sigma) ** 2 * squares) * turned

    def gradient_at_zero(self) -> np.ndarray:
        """The gradient at the origin, shape (d,)."""
        c = np.array([nearest_float(x) for x in self.centre])
        return self.floats(np.zeros((1, self.dim))) * c / nearest_float(self.sigma) ** 2

    def _size(self) -> float:
        with ctx.workprec(PRECISION):
            return float(self.peak().mid()) * (-1.0 if self.amplitude < 0 else 1.0)


@dataclass(frozen=True)
class Cosine:
    """amplitude * cos(2 pi (frequency . x + phase)): two atoms, at +-frequency."""

    frequency: tuple[fmpq, ...]
    phase: fmpq
    amplitude: fmpq

    def __init__(
        self, frequency: object, phase: object = 0, amplitude: object = 1
    ) -> None:
        vector = tuple(rational(f, name="a frequency") for f in frequency)  # type: ignore[attr-defined]
        if not vector:
            raise HypothesisError("the frequency has no numbers; give at least one")
        if all(f == 0 for f in vector):
            raise HypothesisError("the frequency is zero; add a constant instead")
        object.__setattr__(self, "frequency", vector)
        object.__setattr__(self, "phase", rational(phase, name="the phase"))
        object.__setattr__(self, "amplitude", rational(amplitude, name="the amplitude"))

    @property
    def dim(self) -> int:
        """Inputs."""
        return len(self.frequency)

    def moment(self, power: int) -> Enclosure:
        """|amplitude| |frequency|^p."""
        square = sum((f * f for f in self.frequency), fmpq(0))
        with ctx.workprec(PRECISION):
            return enclosure(abs(arb(self.amplitude)) * arb(square).sqrt() ** power)

    def frequencies(
        self, count: int, rng: np.random.Generator, power: int
    ) -> Frequencies:
        """Both atoms with probability 1/2."""
        sign = rng.integers(0, 2, count) * 2.0 - 1.0
        phase = nearest_float(self.phase) + (0.5 if self.amplitude < 0 else 0.0)
        return sign[:, None] * self._vector(), sign * phase

    def floats(self, x: np.ndarray) -> np.ndarray:
        """Values at x, shape (n, d) to (n,)."""
        angle = x @ self._vector() + nearest_float(self.phase)
        return nearest_float(self.amplitude) * np.cos(2 * np.pi * angle)

    def gradient_at_zero(self) -> np.ndarray:
        """The gradient at the origin, shape (d,)."""
        slope = -np.sin(2 * np.pi * nearest_float(self.phase)) * 2 * np.pi
        return nearest_float(self.amplitude) * slope * self._vector()

    def _vector(self) -> np.ndarray:
        return np.array([nearest_float(f) for f in self.frequency])


@dataclass(frozen=True)
class Mixture:
    """A sum of transforms; its moments are those of the parts, added.

    That is the mass of this representation; the moment of the sum itself may be smaller
    where parts cancel.
    """

    parts: tuple["Transform", ...]

    def __init__(self, *parts: "Transform") -> None:
        if not parts:
            raise HypothesisError("a mixture needs at least one part")
        if len({p.dim for p in parts}) != 1:
            raise HypothesisError("the parts of a mixture must have the same dimension")
        object.__setattr__(self, "parts", parts)

    @property
    def dim(self) -> int:
        """Inputs."""
        return self.parts[0].dim

    def moment(self, power: int) -> Enclosure:
        """The sum of the moments."""
        found = [part.moment(power) for part in self.parts]
        lower = sum((m.lower for m in found), fmpq(0))
        upper = sum((m.upper for m in found), fmpq(0))
        return Enclosure(lower, upper, weakest(*(m.rigour for m in found)))

    def frequencies(
        self, count: int, rng: np.random.Generator, power: int
    ) -> Frequencies:
        """The part by its share of the moment, then a frequency of that part."""
        shares = np.array([float(part.moment(power)) for part in self.parts])
        if not shares.sum() > 0:
            raise HypothesisError("the transform is 0, so there is nothing to sample")
        counts = rng.multinomial(count, shares / shares.sum())
        drawn = [
            part.frequencies(int(n), rng, power)
            for part, n in zip(self.parts, counts, strict=True)
        ]
        order = rng.permutation(count)
        w = np.concatenate([d[0] for d in drawn])[order]
        return w, np.concatenate([d[1] for d in drawn])[order]

    def floats(self, x: np.ndarray) -> np.ndarray:
        """Values at x, shape (n, d) to (n,)."""
        return np.sum([part.floats(x) for part in self.parts], axis=0)

    def gradient_at_zero(self) -> np.ndarray:
        """The gradient at the origin, shape (d,)."""
        return np.sum([part.gradient_at_zero() for part in self.parts], axis=0)


@dataclass(frozen=True)
class GivenTransform:
    """A transform that the user supplies.

    Attributes:
        values: (n, d) to (n,).
        gradient: at the origin, shape (d,).
        moments: C_p for the powers used (1: thresholds, 2: ReLU), with their rigour; an
            estimate is a `sampled` enclosure from its error bar; networks use its
            middle, and inherit its error as a bias that no width removes.
        sampler: (count, rng, power) to frequencies (count, d) with density
            |w|^p |g~| / C_p, and phases (count,).
    """

    dim: int
    values: Callable[[np.ndarray], np.ndarray]
    gradient: np.ndarray
    moments: dict[int, Enclosure]
    sampler: Callable[[int, np.random.Generator, int], Frequencies]

    def moment(self, power: int) -> Enclosure:
        """As supplied.

        Raises:
            HypothesisError: it was not.
        """
        if power not in self.moments:
            raise HypothesisError(f"the moment of power {power} was not supplied")
        return self.moments[power]

    def frequencies(
        self, count: int, rng: np.random.Generator, power: int
    ) -> Frequencies:
        """As the user's sampler draws them."""
        return self.sampler(count, rng, power)

    def floats(self, x: np.ndarray) -> np.ndarray:
        """The user's values."""
        return self.values(x)

    def gradient_at_zero(self) -> np.ndarray:
        """The user's gradient."""
        return self.gradient


Transform = Gaussian | Cosine | Mixture | GivenTransform | Smoothed | SmoothedRadial


def estimated_moment(
    draw: Callable[[int, np.random.Generator], tuple[np.ndarray, np.ndarray]],
    power: int,
    count: int,
    seed: int,
) -> Enclosure:
    """C_p by importance sampling, with four standard errors on either side: `sampled`.

    Args:
        draw: (count, rng) to frequencies (count, d) and the ratios |g~(w)| / density.
    """
    w, ratio = draw(count, np.random.default_rng(seed))
    terms = np.linalg.norm(w, axis=1) ** power * ratio
    mean, error = terms.mean(), 4 * terms.std(ddof=1) / count**0.5
    low = rational(float(max(0.0, mean - error)))
    return Enclosure(low, rational(float(mean + error)), Rigour.SAMPLED)


def unit_vectors(rng: np.random.Generator, count: int, dim: int) -> np.ndarray:
    """Uniform on the sphere, shape (count, dim)."""
    z = rng.standard_normal((count, dim))
    return z / np.linalg.norm(z, axis=1, keepdims=True)
