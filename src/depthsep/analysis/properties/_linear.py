"""Linear inequalities in the inputs and outputs of a network, exactly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep.evidence import Enclosure
from depthsep.exact import float_above, nearest_float, rational

Terms = Mapping[int, fmpq]


@dataclass(frozen=True)
class Linear:
    """sum of factors times inputs and outputs, plus a constant: <= 0, or < 0.

    Attributes:
        inputs, outputs: factors that are not 0, by number.
    """

    inputs: Terms
    outputs: Terms
    constant: fmpq = fmpq(0)  # noqa: RUF009 (fmpq is immutable)
    strict: bool = False

    @staticmethod
    def of(is_input: bool, number: int) -> "Linear":
        """One variable."""
        one = {number: fmpq(1)}
        return Linear(one, {}) if is_input else Linear({}, one)

    def plus(self, other: "Linear") -> "Linear":
        """The sum."""
        return Linear(
            _added(self.inputs, other.inputs),
            _added(self.outputs, other.outputs),
            self.constant + other.constant,
        )

    def times(self, factor: fmpq) -> "Linear":
        """A multiple."""
        return Linear(
            {k: v * factor for k, v in self.inputs.items() if factor},
            {k: v * factor for k, v in self.outputs.items() if factor},
            self.constant * factor,
        )

    def scaled(self) -> "Linear":
        """The same inequality, its largest factor 1 in size."""
        factors = [*self.inputs.values(), *self.outputs.values(), self.constant]
        top = max(abs(v) for v in factors)
        if top == 0:
            return self
        return Linear(*_parts(self.times(1 / top)), self.strict)

    def at(self, x: Sequence[fmpq], y: Sequence[Enclosure]) -> tuple[fmpq, fmpq]:
        """The least and the greatest value, for enclosed outputs."""
        low = high = self.constant
        for k, v in self.inputs.items():
            low, high = low + v * x[k], high + v * x[k]
        for k, v in self.outputs.items():
            ends = y[k].lower * v, y[k].upper * v
            low, high = low + min(ends), high + max(ends)
        return low, high

    def is_met(self, x: Sequence[fmpq], y: Sequence[Enclosure]) -> bool:
        """Whether the inequality holds there, proved."""
        high = self.at(x, y)[1]
        return high < 0 if self.strict else high <= 0


@dataclass(frozen=True)
class Case:
    """Inequalities that hold at once in a box.

    Attributes:
        box: (low, high) of every input.
    """

    box: tuple[tuple[fmpq, fmpq], ...]
    rows: tuple[Linear, ...]


def _parts(row: Linear) -> tuple[Terms, Terms, fmpq]:
    return row.inputs, row.outputs, row.constant


def _added(a: Terms, b: Terms) -> Terms:
    total = dict(a)
    for k, v in b.items():
        total[k] = total.get(k, fmpq(0)) + v
    return {k: v for k, v in total.items() if v}


def dense(terms: Terms, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Factors as floats, and by how much each may be off, at most."""
    factors, doubts = np.zeros(size), np.zeros(size)
    for k, v in terms.items():
        factors[k] = nearest_float(v)
        doubts[k] = float_above(abs(v - rational(float(factors[k]))))
    return factors, doubts
