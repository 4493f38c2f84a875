"""Rational numbers of flint, and of Python, which the checker takes."""

from fractions import Fraction

from flint import fmpq


def flint(value: Fraction) -> fmpq:
    """The same number."""
    return fmpq(value.numerator, value.denominator)


def python(value: fmpq) -> Fraction:
    """The same number."""
    return Fraction(int(value.p), int(value.q))
