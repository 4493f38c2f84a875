r"""Fourier transforms of radial polynomials on balls, and their Taylor coefficients.

For g(x) = sum_j c_j |x|^j between two radii, with omega = 2 pi^{d/2} / Gamma(d/2),

    g~(k) = omega sum_j c_j [R^{d+j}/(d+j) 1F2((d+j)/2; d/2, (d+j)/2 + 1; -(pi R k)^2)]

between them; its Taylor coefficients in u = k^2 follow from those of 0F1 by an equation
of first order. Its derivative in u is -pi times the transform of the same profile in
R^{d+2}: the j-th coefficient is at most pi^j / j! int |g| in R^{d+2j}.
"""

from collections.abc import Sequence
from math import factorial

from flint import acb, arb, fmpq

from depthsep.special import RadialPiece


def sphere_area(dim: int) -> arb:
    """omega, the area of the unit sphere in R^dim."""
    half = arb(dim) / 2
    return 2 * (half * arb.pi().log() - half.lgamma()).exp()


def transform_taylor(
    pieces: Sequence[RadialPiece], dim: int, u: arb, terms: int
) -> list[arb]:
    """Taylor coefficients of g~ in the squared radius, at u."""
    found = [arb(0)] * terms
    for radius, coefficients in _jumps(pieces).items():
        parts = _ball_taylor(coefficients, radius, dim, u, terms)
        found = [x + y for x, y in zip(found, parts, strict=True)]
    area = sphere_area(dim)
    return [area * x for x in found]


def _jumps(pieces: Sequence[RadialPiece]) -> dict[fmpq, list[fmpq]]:
    """The polynomials on balls, by their radii, that add up to the pieces."""
    found: dict[fmpq, list[fmpq]] = {}
    most = max(len(p.coefficients) for p in pieces)
    for piece in pieces:
        for radius, sign in ((piece.stop, 1), (piece.start, -1)):
            if radius:
                jump = found.setdefault(radius, [fmpq(0)] * most)
                for j, c in enumerate(piece.coefficients):
                    jump[j] += sign * c
    return found


def _ball_taylor(
    coefficients: Sequence[fmpq], radius: fmpq, dim: int, u: arb, terms: int
) -> list[arb]:
    """Those of a polynomial of |x| on the ball of this radius, over omega."""
    slope = -((arb.pi() * arb(radius)) ** 2)
    wave = _wave_taylor(fmpq(dim, 2), slope * u, terms - 1)
    found = [arb(0)] * terms
    for j, c in enumerate(coefficients):
        if c:
            moments = _moment_taylor(fmpq(dim + j, 2), fmpq(dim, 2), wave, slope * u)
            size = arb(c) * arb(radius) ** (dim + j) / (dim + j)
            found = [x + size * y for x, y in zip(found, moments, strict=True)]
    return [x * slope**i for i, x in enumerate(found)]


def _wave_taylor(b: fmpq, z: arb, count: int) -> list[arb]:
    """Those of f = 0F1(b) at z, from the last two downwards: z f'' + b f' = f."""
    found = [_pfq((), (b,), z, n) for n in range(count)[-2:]]
    for n in range(count - 3, -1, -1):
        bent = z * (n + 2) * found[1] + arb(n + b) * found[0]
        found = [(n + 1) * bent, *found]
    return found


def _moment_taylor(a: fmpq, b: fmpq, wave: Sequence[arb], z: arb) -> list[arb]:
    """Those of F = 1F2(a; b, a + 1), downwards: z F' + a F = a 0F1(b)."""
    found = [_pfq((a,), (b, a + 1), z, len(wave))]
    for n in range(len(wave) - 1, -1, -1):
        rest = arb(a) * wave[n] - z * (n + 1) * found[0]
        found = [rest / arb(a + n), *found]
    return found


def _pfq(upper: Sequence[fmpq], lower: Sequence[fmpq], z: arb, n: int) -> arb:
    """The n-th Taylor coefficient of pFq at z."""
    rising = fmpq(1, factorial(n))
    for i in range(n):
        for a in upper:
            rising *= a + i
        for b in lower:
            rising /= b + i
    above: list = [acb(a + n) for a in upper]
    below: list = [acb(b + n) for b in lower]
    return arb(rising) * acb(z).hypgeom(above, below).real
