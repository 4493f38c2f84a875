"""Number formats of code that runs, and what their operations may be off by."""

import re
from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact._decimals import nearest_float
from depthsep.exact._rational import exponent_of

WIDEST = 32  # bits of fixed point


@dataclass(frozen=True)
class Floating:
    """Binary floating point, rounded to nearest.

    Attributes:
        name: "double" or "float32".
        bits: of the significand.
        exponent: of 2, in the smallest positive number.
    """

    name: str
    bits: int
    exponent: int

    @property
    def unit(self) -> fmpq:
        """The largest relative error of a rounding, where nothing underflows."""
        return fmpq(1, 1 << self.bits)

    @property
    def largest(self) -> fmpq:
        """A power of two below which nothing overflows."""
        return fmpq(2) ** (-self.exponent - self.bits + 2)

    @property
    def tiny(self) -> fmpq:
        """The largest absolute error of a rounding that underflows."""
        return fmpq(1, 1 << (1 - self.exponent))

    def rounded(self, value: fmpq) -> fmpq:
        """To the nearest number of the format."""
        step = self._step(value)
        return (value / step + fmpq(1, 2)).floor() * step

    def above(self, value: fmpq) -> fmpq:
        """The least number of the format that is not below a value."""
        step = self._step(value)
        return (value / step).ceil() * step

    def below(self, value: fmpq) -> fmpq:
        """The largest number of the format that is not above a value."""
        return -self.above(-value)

    def _step(self, value: fmpq) -> fmpq:
        """The distance of neighbours near a value."""
        if value == 0:
            return fmpq(2) ** self.exponent
        return fmpq(2) ** max(exponent_of(abs(value)) - self.bits + 1, self.exponent)


@dataclass(frozen=True)
class Fixed:
    """Signed whole numbers of `width` bits, in units of 2**-fraction."""

    width: int
    fraction: int

    def __post_init__(self) -> None:
        if not (2 <= self.width <= WIDEST and 0 <= self.fraction < self.width):
            raise HypothesisError(
                f"fixed:{self.width}.{self.fraction}: the first number, the width in "
                f"bits, must be 2 to {WIDEST}, and the second, the bits after the "
                "point, must be below the first"
            )

    @property
    def name(self) -> str:
        """As the command line has it."""
        return f"fixed:{self.width}.{self.fraction}"

    @property
    def unit(self) -> fmpq:
        """The distance of two neighbours."""
        return fmpq(1, 1 << self.fraction)

    @property
    def slope_bits(self) -> int:
        """Of slopes, without a sign: products then fit into twice the width."""
        return 14 if self.width <= 16 else 30

    @property
    def word(self) -> int:
        """Bits of the type of C that holds it."""
        return 16 if self.width <= 16 else 32

    def above(self, value: fmpq) -> fmpq:
        """The least multiple of the unit that is not below a value."""
        return (value / self.unit).ceil() * self.unit

    def below(self, value: fmpq) -> fmpq:
        """The largest multiple of the unit that is not above a value."""
        return (value / self.unit).floor() * self.unit

    @property
    def least(self) -> int:
        """The smallest whole number."""
        return -(1 << (self.width - 1))

    @property
    def most(self) -> int:
        """The largest one."""
        return (1 << (self.width - 1)) - 1

    def whole(self, value: fmpq) -> int:
        """Of the nearest number of the format; refused beyond its range."""
        found = int((value / self.unit + fmpq(1, 2)).floor())
        if not self.least <= found <= self.most:
            raise HypothesisError(
                f"{nearest_float(value):.10g} is outside the range of {self.name}, "
                f"{nearest_float(self.least * self.unit):.10g} to "
                f"{nearest_float(self.most * self.unit):.10g}; give more bits before "
                "the point, or a smaller interval"
            )
        return found


Format = Floating | Fixed
DOUBLE = Floating("double", 53, -1074)
FLOAT32 = Floating("float32", 24, -149)


def format_of(written: str) -> Format:
    """double, float32, or fixed:WIDTH.FRACTION such as fixed:16.12.

    Raises:
        HypothesisError: another one.
    """
    for known in (DOUBLE, FLOAT32):
        if written == known.name:
            return known
    name, _, rest = written.partition(":")
    width, _, fraction = rest.partition(".")
    if name == "fixed" and re.fullmatch(r"[0-9]{1,2}\.[0-9]{1,2}", rest):
        return Fixed(int(width), int(fraction))
    raise HypothesisError(
        f"{written[:30]!r} is not a number format; use double, float32 "
        "or a fixed-point format such as fixed:16.12"
    )
