"""Rational numbers of flint, and of Python, which the checker takes."""

from fractions import Fraction

from flint import fmpq

BITS = 80  # of coefficients of polynomials


def fmpq_of(value: Fraction) -> fmpq:
    """The same number."""
    return fmpq(value.numerator, value.denominator)


def fraction(value: fmpq) -> Fraction:
    """The same number."""
    return Fraction(int(value.p), int(value.q))


def rounded(value: fmpq) -> fmpq:
    """To so many bits after the point."""
    return fmpq(round(value * 2**BITS), 1 << BITS)
