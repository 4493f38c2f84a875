"""The largest of N numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import text
from depthsep.laws import Segment
from depthsep.targets.box._formula_in_d import Formula
from depthsep.targets.box._on_box import AbstractBoxTarget, AffineForm
from depthsep.targets.line._expression import Expression

MOST_NUMBERS = 64


@dataclass(frozen=True)
class Largest(AbstractBoxTarget):
    """``max:N``: max(x1, ..., xN), the function that depth is measured with.

    Every continuous piecewise affine function of n inputs is a sum of maxima of n + 1
    affine functions, so what N numbers need, all of them need.

    Raises:
        HypothesisError: fewer than 2 numbers or more than 64.
    """

    count: int

    def __post_init__(self) -> None:
        if not 2 <= self.count <= MOST_NUMBERS:
            raise HypothesisError(
                f"max:{self.count} is out of range; give 2 to {MOST_NUMBERS} numbers"
            )

    @property
    def text(self) -> str:
        return f"max:{self.count}"

    @property
    def words(self) -> str:
        return f"the largest of {self.count} numbers"

    words_are_formula = False

    @property
    def in_dim(self) -> int:
        return self.count

    def check_defined(self, sides: Sequence[Segment]) -> None:
        """It is defined everywhere."""

    def as_formula(self) -> Formula:
        names = ", ".join(f"x{i}" for i in range(1, self.count + 1))
        return Formula(f"max({names})", self.count)

    def as_maximum(self) -> tuple[AffineForm, ...]:
        n = self.count
        return tuple(
            (*(fmpq(int(i == j)) for j in range(n)), fmpq(0)) for i in range(n)
        )

    def on_line(self, start: Sequence[fmpq], stop: Sequence[fmpq]) -> Expression:
        lines = _upper_envelope([(b - a, a) for a, b in zip(start, stop, strict=True)])
        shown = [f"({text(a)}) + ({text(slope)})*x" for slope, a in lines]
        return Expression(f"max({', '.join(shown)})" if len(shown) > 1 else shown[0])

    def floats(self, x: np.ndarray) -> np.ndarray:
        return x.max(axis=1)


def _upper_envelope(lines: list[tuple[fmpq, fmpq]]) -> list[tuple[fmpq, fmpq]]:
    """The lines, as (slope, value at 0), that are the largest somewhere on [0, 1]."""
    best = {slope: value for slope, value in sorted(lines)}
    kept: list[tuple[fmpq, fmpq]] = []
    for slope, value in sorted(best.items()):
        while kept and _overtaken(kept, slope, value):
            kept.pop()
        if not kept or slope + value > sum(kept[-1]):  # else it comes after 1
            kept.append((slope, value))
    return kept


def _overtaken(kept: list[tuple[fmpq, fmpq]], slope: fmpq, value: fmpq) -> bool:
    """Whether the last line kept is nowhere the largest, given a steeper one."""
    last_slope, last_value = kept[-1]
    crossing = (last_value - value) / (slope - last_slope)
    if len(kept) == 1:
        return crossing <= 0
    before_slope, before_value = kept[-2]
    return crossing <= (before_value - last_value) / (last_slope - before_slope)
