"""Beta laws on [0, 1]."""

from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import Jet, jets, nearest_float, rational, text
from depthsep.laws._density import AbstractDensityLaw, lower_end
from depthsep.laws._domains import Segment

MOST = 1000


@dataclass(frozen=True)
class Beta(AbstractDensityLaw):
    """``beta:a,b``: density proportional to x^(a - 1) (1 - x)^(b - 1) on [0, 1].

    Raises:
        HypothesisError: parameters that are not positive, or above 1000.
    """

    a: fmpq
    b: fmpq

    def __init__(self, a: object, b: object) -> None:
        for name, value in (("a", a), ("b", b)):
            number = rational(value, name=f"{name} of beta:a,b")
            if not 0 < number <= MOST:
                raise HypothesisError(
                    f"beta:a,b is given {name} = {text(number)}, which "
                    f"must be positive and at most {MOST}"
                )
            object.__setattr__(self, name, number)

    @property
    def is_weighted(self) -> bool:  # type: ignore[override]
        """beta:1,1 is the uniform law."""
        return not self.a == self.b == 1

    @property
    def interval(self) -> Segment:
        return Segment(0, 1)

    @property
    def text(self) -> str:
        return f"beta:{text(self.a)},{text(self.b)}"

    def shape(self, x: arb) -> Jet:
        left = _power(Jet(x, arb(1), arb(0)), self.a - 1)
        return jets.multiply(left, _power(Jet(1 - x, arb(-1), arb(0)), self.b - 1))

    def least_density(self, start: fmpq, stop: fmpq) -> fmpq:
        # both factors are monotone
        left = _least_power((start, stop), self.a - 1)
        right = _least_power((1 - start, 1 - stop), self.b - 1)
        return lower_end(left * right * self._factor)

    def shape_mass(self, start: fmpq, stop: fmpq) -> arb:
        a, b = arb(self.a), arb(self.b)
        return arb(stop).beta_lower(a, b) - arb(start).beta_lower(a, b)

    def shape_floats(self, x: np.ndarray) -> np.ndarray:
        a, b = nearest_float(self.a), nearest_float(self.b)
        return x ** (a - 1) * (1 - x) ** (b - 1)

    def quantiles(self, shares: np.ndarray) -> np.ndarray:
        from scipy.special import betaincinv

        return betaincinv(nearest_float(self.a), nearest_float(self.b), shares)


def _power(f: Jet, exponent: fmpq) -> Jet:
    """f^exponent for f >= 0; its value from both ends, as powers are monotone."""
    if exponent.q == 1:
        found = jets.integer_power(f, int(exponent))
    else:
        found = jets.real_power(f, arb(exponent))
    low, high = f.value.lower(), f.value.upper()
    if not low > 0:
        return found
    ends = arb(low) ** arb(exponent), arb(high) ** arb(exponent)
    return Jet(ends[0].union(ends[1]), found.first, found.second)


def _least_power(ends: tuple[fmpq, fmpq], exponent: fmpq) -> arb:
    """What x^exponent is at least between two numbers from 0 on: at one of them."""
    x = min(ends) if exponent >= 0 else max(ends)
    return arb(x) ** arb(exponent)
