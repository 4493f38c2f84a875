"""A formula minus a polynomial, as a target: its distance from 0 is theirs."""

from dataclasses import dataclass

import numpy as np
from flint import arb, arb_poly, fmpq

from depthsep.exact import Jet, nearest_float
from depthsep.targets import AbstractLineTarget


@dataclass(frozen=True)
class MinusPolynomial(AbstractLineTarget):
    """A formula minus a polynomial, evaluated around the middle of each ball."""

    target: AbstractLineTarget
    less: tuple[fmpq, ...]

    @property
    def text(self) -> str:
        return f"{self.target} minus a polynomial"

    def floats(self, x: np.ndarray) -> np.ndarray:
        values = [nearest_float(c) for c in self.less]
        return self.target.floats(x) - np.polynomial.polynomial.polyval(x, values)

    def jet(self, x: arb) -> Jet:
        middle, around = arb(x.mid()), x - x.mid()
        shifted = arb_poly(list(self.less))(arb_poly([middle, 1]))
        first = shifted.derivative()
        f = self.target.jet(x)
        return Jet(
            f.value - shifted(around),
            f.first - first(around),
            f.second - first.derivative()(around),
        )
