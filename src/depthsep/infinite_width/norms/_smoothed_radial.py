r"""A radial function in R^d convolved with a Gaussian: its Barron norms, enclosed.

The Gaussian multiplies the transform by e^{-2 pi^2 sigma^2 k^2}.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb, factorial

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep._inputs import whole
from depthsep._progress import followed
from depthsep.approximation import chebyshev_form, monomials
from depthsep.evidence import Enclosure, enclosure
from depthsep.exact import nearest_float, rational
from depthsep.infinite_width.norms._ball_transforms import (
    sphere_area,
    transform_taylor,
)
from depthsep.infinite_width.norms._smoothed import Frequencies
from depthsep.laws import Segment
from depthsep.special import RadialPiece
from depthsep.targets import Expression

CELLS = 2048
TERMS = 8  # of Taylor polynomials in a cell
GUARD = 224  # bits beyond what the series of 1F2 cancel
MOST_BITS = 1 << 13
FAR = 40  # frequencies reach until the Gaussian is about e^-40
MOST_DIM = 1000
WIDTHS = fmpq(1, 10**100), fmpq(10**100)


@dataclass(frozen=True)
class SmoothedRadial:
    """g(|x|) * N(0, sigma^2 I_d), for `barron_thresholds` and `barron_relus`.

    Attributes:
        pieces: polynomials of |x| between radii; 0 elsewhere.
        dim: d, up to 1000.
        sigma: above 0; a wide Gaussian gives small norms and a blurred function.
        missing: the function whose norms are enclosed is within this of the pieces, in
            the ball that holds them, and 0 outside.

    Raises:
        HypothesisError: sigma <= 0, pieces with a cosine or without 0 <= start < stop,
            none at all.
        TooLargeError: a Gaussian so narrow that the series need over 8192 bits; sigma
            beyond 1e-100 to 1e100.
    """

    pieces: tuple[RadialPiece, ...]
    dim: int
    sigma: fmpq
    missing: fmpq

    def __init__(
        self,
        pieces: Sequence[RadialPiece],
        dim: int,
        sigma: object,
        *,
        missing: object = 0,
    ) -> None:
        width = rational(sigma, name="sigma")
        if width <= 0:
            raise HypothesisError(f"sigma is {width}; it must be positive")
        if not WIDTHS[0] <= width <= WIDTHS[1]:
            raise TooLargeError("sigma must be between 1e-100 and 1e100")
        object.__setattr__(self, "pieces", tuple(_checked(p) for p in pieces))
        if not pieces:
            raise HypothesisError(
                "give one or more pieces, each a polynomial of the radius"
            )
        object.__setattr__(self, "dim", whole(dim, "dim", least=1, most=MOST_DIM))
        object.__setattr__(self, "sigma", width)
        object.__setattr__(
            self, "missing", rational(missing, name="the parameter `missing`")
        )
        if self.missing < 0:
            raise HypothesisError(
                f"the parameter `missing` is {self.missing}; give 0 or more"
            )
        if self._bits > MOST_BITS:
            raise TooLargeError(
                f"sigma {nearest_float(width):.3g} needs numbers of {self._bits} "
                f"bits, and the limit is {MOST_BITS}; give a larger sigma"
            )

    @staticmethod
    def of_formula(
        formula: str,
        radius: object,
        dim: int,
        sigma: object,
        *,
        error: object = "1e-6",
    ) -> "SmoothedRadial":
        """A formula in x = |x| on the ball of this radius, 0 outside, convolved.

        By a polynomial within `error`, which `missing` accounts for: moments are those
        of the formula. In one dimension it is the even function f(|x|).

        Raises:
            HypothesisError: a formula that no polynomial of degree 128 is so near to.
        """
        on = Segment(0, radius)
        near = rational(error, name="the error")
        form = chebyshev_form(Expression(formula), on, near)
        if form is None:
            raise HypothesisError(
                f"no polynomial of degree at most 128 was found within {near} of "
                f"{formula} on {on}; allow a larger error, or give pieces"
            )
        coefficients = tuple(monomials(form.coefficients, on))
        piece = RadialPiece(on.start, on.stop, coefficients)
        return SmoothedRadial([piece], dim, sigma, missing=form.error)

    def transform(self, radius: arb) -> arb:
        """g~ at a radius, before the Gaussian; real, in balls."""
        with ctx.workprec(self._bits):
            (found,) = transform_taylor(self.pieces, self.dim, arb(radius) ** 2, 1)
            return found + arb(0, _missed(self).upper())

    def moment(self, power: int) -> Enclosure:
        r"""C_p = int |w|^p |g~(w)| e^{-2 pi^2 sigma^2 |w|^2} dw, enclosed.

        In every cell g~ is followed by its Taylor polynomial in |w|^2, whose remainder
        is bounded by int |g| in R^(d+16); beyond the last cell |g~| <= int |g|.
        """
        return _moment(self, power)

    def frequencies(
        self, count: int, rng: np.random.Generator, power: int
    ) -> Frequencies:
        """Radii from the cells, float64; directions uniform; phases 0 or 1/2."""
        ends, middles, values = self._table
        with np.errstate(divide="ignore"):
            logs = (power + self.dim - 1) * np.log(middles) - self._rate * middles**2
            logs += np.log(np.abs(values))
        mass = np.exp(logs - logs.max())
        cell = rng.choice(CELLS, count, p=mass / mass.sum())
        radius = ends[cell] + ends[1] * rng.random(count)
        direction = rng.normal(size=(count, self.dim))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        return radius[:, None] * direction, np.where(values[cell] < 0, 0.5, 0.0)

    def floats(self, x: np.ndarray) -> np.ndarray:
        """Values, shape (n, d) to (n,): the inverse transform, by the midpoint rule."""
        from scipy.special import gammaln, hyp0f1

        ends, k, values = self._table
        d = self.dim
        log = np.log(2.0) + d / 2 * np.log(np.pi) - gammaln(d / 2)
        weight = values * np.exp(log + (d - 1) * np.log(k) - self._rate * k**2)
        far = -((np.pi * np.linalg.norm(x, axis=1)[:, None] * k) ** 2)
        return ends[1] * (hyp0f1(d / 2, far) @ weight)

    def gradient_at_zero(self) -> np.ndarray:
        """0, as the function is even."""
        return np.zeros(self.dim)

    @property
    def _rate(self) -> float:
        return 2 * np.pi**2 * nearest_float(self.sigma) ** 2

    @property
    def _reach(self) -> fmpq:
        return rational(float(np.sqrt((FAR + 2 * self.dim) / self._rate)))

    @property
    def _bits(self) -> int:
        far = nearest_float(max(p.stop for p in self.pieces) * self._reach)
        return GUARD + int(2 * np.pi * far * 1.45)

    @cached_property
    def _table(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Ends of the cells, their middles, and g~ there, float64."""
        found = [float(value) for (value,) in _expanded(self, 1)]
        if not any(found):
            raise HypothesisError("the function is 0, so there is nothing to sample")
        ends = np.linspace(0, nearest_float(self._reach), CELLS + 1)
        middles = np.sqrt((ends[1:] ** 2 + ends[:-1] ** 2) / 2)
        return ends, middles, np.array(found)


def _checked(piece: RadialPiece) -> RadialPiece:
    start, stop = (rational(r, name="a radius") for r in (piece.start, piece.stop))
    if piece.frequency or not 0 <= start < stop:
        raise HypothesisError(
            f"a piece goes from {start} to {stop}; pieces must have 0 "
            "<= start < stop and no cosine factor (frequency 0)"
        )
    values = tuple(rational(c, name="a coefficient") for c in piece.coefficients)
    return RadialPiece(start, stop, values)


def _expanded(g: SmoothedRadial, terms: int) -> Iterator[list[arb]]:
    """Taylor coefficients of g~ in u = k^2, in the middle of every cell."""
    h = g._reach / CELLS
    with ctx.workprec(g._bits):
        for cell in range(CELLS):
            yield transform_taylor(g.pieces, g.dim, _middle(h, cell), terms)


def _middle(h: fmpq, cell: int) -> arb:
    """u halfway between the squares of the ends."""
    return arb(h**2 * (2 * cell * (cell + 1) + 1) / 2)


def _size(g: SmoothedRadial, dim: int) -> arb:
    """A bound of |g~| in R^dim: int |g|, by the sizes of the coefficients."""
    found = fmpq(0)
    for piece in g.pieces:
        for j, c in enumerate(piece.coefficients):
            degree = dim + j
            found += abs(c) * (piece.stop**degree - piece.start**degree) / degree
    return sphere_area(dim) * arb(found)


def _missed(g: SmoothedRadial) -> arb:
    """What g~ can be off: the mass of `missing` on the ball of the pieces."""
    far = max(piece.stop for piece in g.pieces)
    return sphere_area(g.dim) * arb(g.missing) * arb(far) ** g.dim / g.dim


@lru_cache(maxsize=64)
def _moment(g: SmoothedRadial, power: int) -> Enclosure:
    q = whole(power, "power", least=0, most=100) + g.dim - 1
    h = g._reach / CELLS
    with ctx.workprec(g._bits):
        rest = arb.pi() ** TERMS * _size(g, g.dim + 2 * TERMS) / factorial(TERMS)
        tails = _tails(g, q)
        missed = _missed(g)
        found = arb(0).union(tails[0][-1] * (_size(g, g.dim) + missed))
        cells = followed(_expanded(g, TERMS), CELLS, "Fourier transform")
        for cell, taylor in enumerate(cells):
            u, reach = _middle(h, cell), arb(h**2 * (2 * cell + 1) / 2)
            powers = [row[cell] - row[cell + 1] for row in tails]
            drift = rest * reach**TERMS + missed
            moved = drift + sum(
                (abs(c) * reach**j for j, c in enumerate(taylor) if j), arb(0)
            )
            if abs(taylor[0]) > moved:
                exact = sum(
                    (c * _lever(powers, u, j) for j, c in enumerate(taylor)), arb(0)
                )
                found += abs(exact) + powers[0] * arb(0, drift.upper())
            else:
                found += powers[0] * arb(0).union(abs(taylor[0]) + moved)
        result = enclosure(sphere_area(g.dim) * found)
    return Enclosure(max(result.lower, fmpq(0)), result.upper, result.rigour)


def _lever(powers: list[arb], u: arb, j: int) -> arb:
    """The integral of (v - u)^j, v the squared radius, from those of v^i."""
    terms = (comb(j, i) * powers[i] * (-u) ** (j - i) for i in range(j + 1))
    return sum(terms, arb(0))


def _tails(g: SmoothedRadial, degree: int) -> list[list[arb]]:
    """int_k^oo v^(degree + 2 j) e^{-a v^2} dv at the ends of all cells, j < TERMS."""
    a = 2 * arb.pi() ** 2 * arb(g.sigma) ** 2
    ends = [a * arb(g._reach / CELLS * cell) ** 2 for cell in range(CELLS + 1)]
    halves = [arb(fmpq(degree + 1, 2) + j) for j in range(TERMS)]
    return [[end.gamma_upper(b) / (2 * a**b) for end in ends] for b in halves]
