r"""Radial functions in the orthogonal polynomials of |x|^2 of a ball or a Gaussian.

Ball: R_l = sqrt((4 l + d) / d) P_l^(0, d/2 - 1)(2 r^2 - 1) are orthonormal for x
uniform in the unit ball of R^d. Gaussian: L_l^(d/2 - 1)(r^2 / 2) / sqrt(C(l + d/2 - 1,
l)). Each spans the radial polynomials of degree 2 l that are orthogonal to all of lower
degree.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from flint import arb, ctx, fmpq

from depthsep._errors import TooLargeError, UndecidedError
from depthsep.approximation import taylor_cells
from depthsep.laws import RadialLaw, Segment
from depthsep.lower_bounds.symmetric.radial._moments import (
    GaussWeight,
    LengthWeight,
    moments,
    squared,
)
from depthsep.special import RadialPiece
from depthsep.targets import FormulaPiece, Profile, Radial

FINE = fmpq(1, 2**40)  # of the accuracy: how formulas are followed
MOST_PIECES = 4096
BITS = 64  # that a squared coefficient is known to, against the norm
FIRST_PRECISION, LAST_PRECISION = 128, 16_384
BITS_PER_DEGREE = 16  # that are lost in sums, about


@dataclass(frozen=True)
class Expansion:
    """A radial function in those polynomials.

    Attributes:
        norm_squared: ||F||^2, enclosed.
        masses: a_0^2, a_1^2, ..., enclosed.
        slack: how far in the sup norm F is from the function that was expanded.
    """

    norm_squared: arb
    masses: tuple[arb, ...]
    slack: fmpq


def radial_expansion(
    target: Radial, law: RadialLaw, count: int, accuracy: fmpq
) -> Expansion:
    """The first `count` squared coefficients, formulas followed by polynomials.

    Raises:
        TooLargeError: more than 4,096 pieces, or a formula that takes more.
        UndecidedError: the integrals stay wide.
    """
    pieces, slack = followed(target.profile, law.kind, accuracy)
    precision = FIRST_PRECISION + BITS_PER_DEGREE * count
    while precision <= LAST_PRECISION:
        with ctx.workprec(precision):
            norm, masses = _KINDS[law.kind](target, pieces, count)
            unit = arb(2) ** -BITS * norm.upper()
            if all(m.is_finite() and m.rad() <= unit for m in (norm, *masses)):
                return Expansion(norm, tuple(masses), slack)
        precision *= 2
    raise UndecidedError(
        f"the expansion coefficients of {target} could not be enclosed tightly enough"
    )


@lru_cache(maxsize=64)
def followed(
    profile: Profile, kind: str, accuracy: fmpq
) -> tuple[tuple[RadialPiece, ...], fmpq]:
    """Polynomial pieces, and how far off they are where the law lives.

    Raises:
        TooLargeError: more than 4,096 of them.
    """
    found: list[RadialPiece] = []
    for piece in profile.pieces:
        if isinstance(piece, RadialPiece):
            found.append(piece)
            continue
        stop = min(piece.stop, fmpq(1)) if kind == "ball" else piece.stop
        if piece.start < stop:
            on = Segment(piece.start, stop)
            cells = taylor_cells(piece.formula, on, accuracy * FINE)
            found += [RadialPiece(c.start, c.stop, c.coefficients) for c in cells]
        if len(found) > MOST_PIECES:
            raise TooLargeError(
                f"the profile takes more than {MOST_PIECES} polynomial "
                "pieces, too many to expand"
            )
    formulas = any(isinstance(p, FormulaPiece) for p in profile.pieces)
    return tuple(found), accuracy * FINE if formulas else fmpq(0)


Pieces = Sequence[RadialPiece]
Sums = tuple[arb, list[arb]]


def _in_the_ball(target: Radial, pieces: Pieces, count: int) -> Sums:
    """||F||^2 = d int F^2 r^(d-1) dr, a_n^2 = (4 n + d) d (int F P_n r^(d-1) dr)^2."""
    dim, half = target.dim, fmpq(target.dim, 2)
    norm, powers = _integrals(target, pieces, LengthWeight(target.unit()), count)
    sums = _sums(powers, half, lambda n, k: fmpq(k - n) * (n + half + k))
    return dim * norm, [(4 * n + dim) * dim * (s * s) for n, s in enumerate(sums)]


def _under_the_gaussian(target: Radial, pieces: Pieces, count: int) -> Sums:
    """||F||^2 = E F^2 and a_n^2 = (E F L_n)^2 / C(n + d/2 - 1, n)."""
    half = fmpq(target.dim, 2)
    norm, powers = _integrals(target, pieces, GaussWeight(target.unit()), count)
    density = 2 / (arb(2) ** arb(half) * arb(half).gamma())
    powers = [density * m / 2**k for k, m in enumerate(powers)]
    sums = _sums(powers, half, lambda n, k: fmpq(k - n))
    return density * norm, [s * s / _first(n, half) for n, s in enumerate(sums)]


def _integrals(
    target: Radial, pieces: Pieces, weight: LengthWeight | GaussWeight, count: int
) -> Sums:
    """Of F^2 r^(d-1), and of F r^(d-1+2k), k < count, under the weight, in r = |x|."""
    dim, unit = target.dim, target.unit()
    squares = [s for p in pieces for s in squared(p)]
    norm = moments(squares, weight, dim - 1, 1)[0] / unit**dim
    powers = moments(pieces, weight, dim - 1, count)
    return norm, [m / unit ** (dim + 2 * k) for k, m in enumerate(powers)]


def _sums(powers: list[arb], half: fmpq, step: Callable[[int, int], fmpq]) -> list[arb]:
    """sum_k c_k powers[k] in each degree n, up to signs.

    c_0 = C(n + d/2 - 1, n) and c_(k+1) = c_k step(n, k) / ((d/2 + k) (k + 1)).
    """
    found = []
    for n in range(len(powers)):
        whole, c = arb(0), _first(n, half)
        for k in range(n + 1):
            whole += c * powers[k]
            c *= step(n, k) / ((half + k) * (k + 1))
        found.append(whole)
    return found


def _first(n: int, half: fmpq) -> fmpq:
    """C(n + d/2 - 1, n)."""
    found = fmpq(1)
    for k in range(n):
        found *= (half + k) / (k + 1)
    return found


_KINDS: dict[str, Callable[[Radial, Pieces, int], Sums]] = {
    "ball": _in_the_ball,
    "gaussian": _under_the_gaussian,
}
