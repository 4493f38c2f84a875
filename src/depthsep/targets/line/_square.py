"""x -> x^2."""

from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq

from depthsep.exact import Jet
from depthsep.targets.line._on_line import AbstractLineTarget, ExactForm


@dataclass(frozen=True)
class Square(AbstractLineTarget):
    """x -> x^2 on an interval, [0, 1] if none is given."""

    @property
    def text(self) -> str:
        return "square"

    @property
    def words(self) -> str:
        return "x^2"

    def floats(self, x: np.ndarray) -> np.ndarray:
        return x * x

    def jet(self, x: arb) -> Jet:
        return Jet(x * x, 2 * x, arb(2))

    def exact_form(self) -> ExactForm:
        return ExactForm(fmpq(1), fmpq(0), fmpq(0))
