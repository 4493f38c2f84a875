r"""Sines and cosines of an inner product on spheres, expanded in zonal harmonics.

F(x, x') = f(<x, x'>), x and x' independent and uniform on S^{d-1}; h_n = sqrt(N) P_n is
orthonormal and F = sum alpha_n h_n. For sin(a u) and odd n, or cos(a u) and even n,

    alpha_n^2 = N(d, n) c J_{n + lam}(a)^2, c = Gamma(d/2)^2 (2/a)^(2 lam),

lam = d/2 - 1.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep._progress import followed
from depthsep.exact import halved
from depthsep.special import BesselLadder, bessel_j, harmonic_dimension

BITS = 320
PRECISION = BITS + 256
SHAPES = ("sin", "cos")
MAX_ARGUMENT = 2 * 10**7
CLOSE = 1 - 1e-9  # how near the argument the ladder is used
FEW, MORE = 1000, 80  # arguments and degrees beyond them that are taken one by one


@dataclass(frozen=True)
class Tail:
    """What is left of F in degrees n and above.

    Attributes:
        degree: n.
        dimension: N(d, n).
        mass: A^2 = sum_{i >= n} alpha_i^2.
        shared: a bound from above of sum_{i >= n} alpha_i^2 / N(d, i).
    """

    degree: int
    dimension: int
    mass: arb
    shared: arb


class ZonalWave:
    """f(u) = sin(a u) or cos(a u) on a product of two spheres S^{d-1}.

    Args:
        dim: d >= 2.
        shape: "sin" or "cos".
        argument: makes a > 0 at flint's current precision.

    Raises:
        HypothesisError: d < 2, another shape, an argument not in (0, 2 * 10^7].
    """

    def __init__(self, dim: int, shape: str, argument: Callable[[], arb]) -> None:
        if dim < 2 or shape not in SHAPES:
            raise HypothesisError(
                f"d = {dim} and the shape {shape!r} were given; give d >= 2 "
                "and sin or cos"
            )
        with ctx.workprec(PRECISION):
            a = argument()
            if not (a > 0 and a <= MAX_ARGUMENT):
                raise HypothesisError(
                    f"the frequency is {a.str(6)}; give a function with "
                    f"a frequency above 0 and at most {MAX_ARGUMENT}"
                )
            self.argument = a
            self.scale = ((arb(dim) / 2).lgamma() * 2).exp() * (2 / a) ** (dim - 2)
        self.dim, self.shape, self.order = dim, shape, fmpq(dim - 2, 2)
        self.first = 1 if shape == "sin" else 0

    @cached_property
    def norm_squared(self) -> arb:
        """||F||^2 = (1 -+ Gamma(d/2) a^-lam J_lam(2 a)) / 2."""
        with ctx.workprec(PRECISION):
            half = (arb(self.dim) / 2).lgamma().exp()
            j = bessel_j(self.order, 2 * self.argument, BITS)
            product = half * j / self.argument ** (arb(self.dim - 2) / 2)
            return (1 - product) / 2 if self.shape == "sin" else (1 + product) / 2

    def coefficient(self, degree: int) -> arb:
        """alpha_n, 0 for the other parity."""
        if degree % 2 != self.first:
            return arb(0)
        with ctx.workprec(PRECISION):
            j = bessel_j(self.order + degree, self.argument, BITS)
            sign = -1 if (degree - self.first) // 2 % 2 else 1
            size = arb(harmonic_dimension(self.dim, degree)).sqrt() * self.scale.sqrt()
            return sign * size * j

    @cached_property
    def last(self) -> int:
        """The largest degree of the right parity that is looked at."""
        if self.argument <= FEW:
            reach = int(self.argument.ceil().unique_fmpz() or FEW) + MORE
        else:
            reach = int((self.argument * CLOSE - self.order).floor().unique_fmpz() or 0)
        return reach - (reach - self.first) % 2

    def _ladder(self, bits: int) -> "BesselLadder | _Each":
        if self.argument <= FEW:
            return _Each(self.order, self.argument, bits)
        return BesselLadder(self.order, lambda: self.argument, bits)

    def _climbed(self, ladder: "BesselLadder | _Each") -> Iterator[int]:
        """J at every degree up to `last`."""
        count = self.last + 1
        return followed(ladder.values(count), count, "harmonics")

    def tail(self, degree: int) -> Tail:
        """What is left from a degree on, of the right parity and up to `last`."""
        return self.tails([degree])[0]

    def tails(self, degrees: Sequence[int]) -> list[Tail]:
        """What is left from each of some degrees on, in one pass."""
        for degree in degrees:
            if degree % 2 != self.first or not self.first <= degree <= self.last:
                raise HypothesisError(
                    f"the degree is {degree}; give {self.first}, or a "
                    f"larger degree of the same parity up to {self.last}"
                )
        heads, ladder = {}, self._ladder(BITS)
        mass = rows = plain = count = 0
        dimension = harmonic_dimension(self.dim, self.first)
        for n, j in enumerate(self._climbed(ladder)):
            if n % 2 != self.first:
                continue
            if n in degrees:
                heads[n] = _Sums(mass, rows, plain, count, dimension)
            square = j * j
            mass += dimension * square
            rows += dimension
            plain += square
            count += 1
            if n < self.last:
                dimension = _two_on(self.dim, n, dimension)
        whole = _Sums(mass, rows, plain, count, dimension)
        return [self._enclosed(n, heads[n], whole, ladder) for n in degrees]

    def _enclosed(
        self, degree: int, head: "_Sums", whole: "_Sums", ladder: "BesselLadder | _Each"
    ) -> Tail:
        with ctx.workprec(PRECISION):
            unit = arb(2) ** (-2 * BITS)
            off, last_off = (ladder.error_at(n) for n in (degree, self.last))
            # |J^2 - j^2| <= (2 |J| + e) e <= 3 e
            below = arb(head.mass) * unit + arb(0, 1) * (3 * off * head.rows)
            above = arb(whole.mass - head.mass) * unit
            above += arb(0, 1) * (3 * last_off * (whole.rows - head.rows))
            mass = self.norm_squared - self.scale * below
            inside = arb(whole.plain - head.plain) * unit
            inside += 3 * last_off * (whole.count - head.count)
            # beyond `last`, where dimensions are larger still
            beyond = (mass - self.scale * above).upper() / whole.dimension
            shared = self.scale * inside + beyond
            return Tail(degree, head.dimension, mass, shared.upper())

    def weighted(self, shares: np.ndarray) -> tuple[arb, arb, arb]:
        """sum u w, sum u w^2 and sum u w^2 / N, u = alpha_n^2, w = shares / 2^30.

        Args:
            shares: whole numbers from 0 to 2^30, for degrees first, first + 2, ...
        """
        dimension = harmonic_dimension(self.dim, self.first)
        plain = squares = rows = shared = 0
        ladder = self._ladder(BITS)
        for n, j in enumerate(self._climbed(ladder)):
            if n % 2 != self.first:
                continue
            w = int(shares[(n - self.first) // 2])
            if w:
                part = j * j * w
                plain += dimension * part
                squares += dimension * part * w
                shared += part * w
                rows += dimension * w
            if n < self.last:
                dimension = _two_on(self.dim, n, dimension)
        with ctx.workprec(PRECISION):
            unit, one = arb(2) ** (-2 * BITS), arb(2) ** -30
            off = 3 * ladder.error_at(self.last) * arb(0, 1)
            return (
                self.scale * (plain * unit + off * rows) * one,
                self.scale * (squares * unit * one + off * rows) * one,
                self.scale * (shared * unit * one * one + off * len(shares)),
            )

    def best_shares(self, accuracy: fmpq) -> np.ndarray:
        """For `weighted`: lam N / (1 + lam N), sum u w^2 = E^2, about."""
        _, logs, squares = self._floats
        with ctx.workprec(64):
            log_n = logs - float(self.scale.log())
        u = np.exp(np.minimum(logs + np.log(squares), 700.0))

        def shares(level: float) -> np.ndarray:
            return 1 / (1 + np.exp(np.clip(-level - log_n, -700, 700)))

        def is_small(level: float) -> bool:
            return float(u @ shares(level) ** 2) < float(accuracy) ** 2

        w = shares(halved(is_small, float(-log_n.max() - 50), 50.0, 80)[0])
        if self.first == 0:
            w[0] = 0  # constants meet degree 0
        return np.floor(w * 2**30).astype(np.int64)

    def best_degree(self, accuracy: fmpq) -> int:
        """The n of the largest (A_n^2 - E^2) / sum_{i>=n} alpha_i^2 / N_i, about."""
        _, logs, squares = self._floats
        beyond = max(float(self.norm_squared - self._tails[-1]), 0.0)
        shared = np.cumsum(squares[::-1])[::-1] + beyond * np.exp(-logs[-1])
        return self._largest(self._excess(accuracy) - np.log(shared))

    def degree_for_norms(self, accuracy: fmpq) -> int:
        """The n of the largest (A_n - E) sqrt(N_n), about."""
        with np.errstate(divide="ignore", invalid="ignore"):
            gap = np.log(np.sqrt(self._tails[:-1]) - float(accuracy))
        return self._largest(gap + self._floats[1] / 2)

    def degree_for_rank(self, accuracy: fmpq) -> int:
        """The n of the largest N_n (1 - E^2 / A_n^2), about."""
        with np.errstate(divide="ignore", invalid="ignore"):
            share = self._excess(accuracy) - np.log(self._tails[:-1])
        return self._largest(share + self._floats[1])

    def _largest(self, score: np.ndarray) -> int:
        best = np.argmax(np.where(np.isfinite(score), score, -np.inf))
        return int(self._floats[0][best])

    def _excess(self, accuracy: fmpq) -> np.ndarray:
        """log(A_n^2 - E^2), nan or -inf where there is none."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.log(self._tails[:-1] - float(accuracy) ** 2)

    @cached_property
    def _tails(self) -> np.ndarray:
        """A_n^2 for each degree, rounded, and last what all degrees together hold."""
        _, logs, squares = self._floats
        mass = np.exp(np.minimum(logs + np.log(squares), 700.0))
        whole, sums = float(self.norm_squared), np.cumsum(mass)
        return np.concatenate([[whole], whole - sums[:-1], [sums[-1]]])

    @cached_property
    def _floats(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Degrees, log(N c) and J^2, rounded: to choose among degrees only."""
        ladder = self._ladder(128)
        values = [j >> 75 for j in self._climbed(ladder)][self.first :: 2]
        squares = (np.array(values, dtype=float) / 2.0**53) ** 2
        degrees = np.arange(self.first, self.last + 1, 2)
        n = degrees[:-1].astype(float)
        steps = _log_two_on(self.dim, n)
        start = float(
            (arb(harmonic_dimension(self.dim, self.first)) * self.scale).log()
        )
        logs = start + np.concatenate([[0.0], np.cumsum(steps)])
        return degrees, logs, np.maximum(squares, 1e-300)


@dataclass(frozen=True)
class _Each:
    """The same as `BesselLadder` for small arguments, one function at a time."""

    order: fmpq
    argument: arb
    bits: int

    def values(self, count: int) -> Iterator[int]:
        """J_mu(a), J_{mu+1}(a), ... as integers over 2^bits."""
        for n in range(count):
            value = bessel_j(self.order + n, self.argument, self.bits)
            man, exp = value.mid().man_exp()
            shift = int(exp) + self.bits
            yield int(man) << shift if shift >= 0 else int(man) >> -shift

    def error_at(self, index: int) -> arb:
        """A bound of |value - J_{mu + index}(a)|: rounding, and the argument's ball."""
        steep = 1 + arb(self.order + index) / self.argument.lower()
        return arb(2) ** (2 - self.bits) + 2 * steep * self.argument.rad()


@dataclass(frozen=True)
class _Sums:
    """Sums of N J^2, N and J^2 below a degree, their count, and N at the degree."""

    mass: int
    rows: int
    plain: int
    count: int
    dimension: int


def _two_on(dim: int, n: int, dimension: int) -> int:
    """N(d, n + 2) from N(d, n), in integers."""
    if dim == 2 or n == 0:
        return harmonic_dimension(dim, n + 2)
    above = (2 * n + dim + 2) * (n + dim - 2) * (n + dim - 1)
    below = (2 * n + dim - 2) * (n + 1) * (n + 2)
    return dimension * above // below


def _log_two_on(dim: int, n: np.ndarray) -> np.ndarray:
    if dim == 2:
        return np.where(n == 0, np.log(2.0), 0.0)
    above = np.log(2 * n + dim + 2) + np.log(n + dim - 2) + np.log(n + dim - 1)
    return above - np.log(2 * n + dim - 2) - np.log(n + 1) - np.log(n + 2)
