"""Rationals at the boundary: what users write becomes `fmpq`, and back to text."""

import math
import re
from collections.abc import Iterable
from decimal import Decimal
from numbers import Rational, Real

import numpy as np
from flint import fmpq, fmpz

from depthsep._errors import HypothesisError
from depthsep._names import shown_name

SAFE_INTEGER = 1 << 53
_DECIMAL = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,5}))?", re.ASCII)
_MAX_EXPONENT = 4000
_MAX_TEXT = 20_000


def rational(value: object, *, name: str = "value") -> fmpq:
    """The rational that `value` denotes: a number of Python or flint, or text.

    A float is the dyadic rational it stores; text is read exactly, so ``"0.1"`` is
    1/10 and ``"1e-6"`` is 1/1000000. Nothing is ever rounded.

    Raises:
        HypothesisError: the value is NaN, infinite or not a number; `name` is named.
    """
    if isinstance(value, fmpq):
        return value
    if value is None:
        raise HypothesisError(f"{shown_name(name)} is not given; give a number")
    if isinstance(value, bool):
        raise HypothesisError(f"{shown_name(name)} is {value}; give a number")
    if isinstance(value, fmpz):
        return fmpq(value)
    if isinstance(value, Rational):  # int, Fraction and NumPy's integers
        return fmpq(int(value.numerator), int(value.denominator))
    if isinstance(value, Real):  # float and NumPy's floats
        stored = float(value)
        if not math.isfinite(stored):
            raise HypothesisError(
                f"{shown_name(name)} is {value}; give a finite number"
            )
        if stored != value:
            raise HypothesisError(
                f"{shown_name(name)} is {value}, which float64 cannot represent; give "
                "a float or a fraction such as 1/3"
            )
        return fmpq(*stored.as_integer_ratio())
    if isinstance(value, Decimal) and value.is_finite():
        return fmpq(*map(int, value.as_integer_ratio()))
    if isinstance(value, str):
        return _parse(value, name)
    raise HypothesisError(
        f"{shown_name(name)} has the type {type(value).__name__}; give a number"
    )


def _parse(written: str, name: str) -> fmpq:
    trimmed = written.strip()
    if len(trimmed) <= _MAX_TEXT:
        parts = trimmed.split("/")
        numbers = [_parse_decimal(part.strip()) for part in parts]
        if len(numbers) == 1 and numbers[0] is not None:
            return numbers[0]
        if len(numbers) == 2 and numbers[0] is not None and numbers[1]:
            return numbers[0] / numbers[1]
    raise HypothesisError(
        f"{shown_name(name)} is {written[:40]!r}; give a number such as 1e-6, 0.05 or "
        "1/3"
    )


def _parse_decimal(written: str) -> fmpq | None:
    match = _DECIMAL.fullmatch(written)
    if not match or not (match[2] or match[3]):
        return None
    sign, whole, tail, exponent = match.groups()
    shift = int(exponent or 0) - len(tail or "")
    if abs(shift) > _MAX_EXPONENT:
        return None
    digits = fmpz(sign.removeprefix("+") + whole + (tail or ""))
    power = fmpz(10) ** abs(shift)
    return fmpq(digits * power) if shift >= 0 else fmpq(digits, power)


def rationals(values: np.ndarray) -> np.ndarray:
    """A float64 or object array, elementwise exact: an object array of `fmpq`."""
    if values.dtype == object:
        return values
    out = np.empty(values.size, dtype=object)
    out[:] = [fmpq(*x.as_integer_ratio()) for x in values.ravel().tolist()]
    return out.reshape(values.shape)


def text(value: fmpq | int) -> str:
    """``"p/q"``, or ``"p"`` for an integer: the form every JSON document uses."""
    return str(fmpq(value))


def json_integer(n: int) -> int | str:
    """An integer, as text beyond 2**53, which readers of JSON take for a float."""
    return n if abs(n) <= SAFE_INTEGER else text(n)


def ceil_root(value: fmpq, degree: int) -> int:
    """The smallest integer n >= 0 with n**degree >= value, in integer arithmetic."""
    if value <= 0:
        return 0
    target = value.ceil()
    root = int(target.root(degree))
    return root if root**degree == target else root + 1


def perfect_sqrt(value: fmpq) -> fmpq | None:
    """The rational square root of `value`, or None if there is none."""
    if value < 0:
        return None
    top, bottom = math.isqrt(int(value.p)), math.isqrt(int(value.q))
    root = fmpq(top, bottom)
    return root if root * root == value else None


def sqrt_upper(value: fmpq, bits: int = 80) -> fmpq:
    """A rational r >= sqrt(value): equal when rational, else within a 2**-bits-th."""
    exact = perfect_sqrt(value)
    if exact is not None:
        return exact
    octaves = int(value.q).bit_length() - int(value.p).bit_length()
    shift = 2 * max(0, bits + 1 + octaves // 2)
    scaled = (int(value.p) << shift) // int(value.q)
    return fmpq(math.isqrt(scaled) + 1, fmpz(1) << (shift // 2))


def dyadic_near(value: float | fmpq, bits: int) -> fmpq:
    """The multiple of 2**-bits nearest to `value` (ties up)."""
    scaled = rational(value) * fmpq(fmpz(1) << bits) + fmpq(1, 2)
    return fmpq(scaled.floor(), fmpz(1) << bits)


def exponent_of(value: fmpq) -> int:
    """e with 2**e <= value < 2**(e + 1), of a positive number."""
    found = int(value.p).bit_length() - int(value.q).bit_length()
    return found if value >= fmpq(2) ** found else found - 1


def total(values: Iterable[fmpq]) -> fmpq:
    """The exact sum, pairwise, so that denominators grow as slowly as they can."""
    terms = list(values)
    while len(terms) > 1:
        paired = [a + b for a, b in zip(terms[::2], terms[1::2], strict=False)]
        terms = paired + (terms[-1:] if len(terms) % 2 else [])
    return terms[0] if terms else fmpq(0)
