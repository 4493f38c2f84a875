"""Bounds that hold for all dimensions from some number on, and what they rest on."""

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, ctx, fmpq, fmpq_poly

from depthsep._errors import HypothesisError
from depthsep.evidence import Rigour, Statement, Value
from depthsep.exact import ball_upper, rational, text

PRECISION = 128


@dataclass(frozen=True)
class Obligation:
    """p(d) >= 0 for every whole d >= start, for a polynomial p.

    It is checked by p(start + k): if no coefficient in k is negative, no value is.

    Attributes:
        says: the inequality as people read it.
        coefficients: of p, the constant first.
    """

    says: str
    start: int
    coefficients: tuple[fmpq, ...]

    @property
    def shifted(self) -> tuple[fmpq, ...]:
        """The coefficients of p(start + k) in k."""
        moved = fmpq_poly(list(self.coefficients))(fmpq_poly([self.start, 1]))
        return tuple(fmpq(c) for c in moved.coeffs())

    @property
    def holds(self) -> bool:
        """Whether none of them is negative."""
        return all(c >= 0 for c in self.shifted)


@dataclass(frozen=True)
class ForAll:
    """A bound of widths at one depth, for every d from `start` on.

    Attributes:
        side: "at least" or "at most".
        value: the width at d and E, a ball, at flint's current precision.
        best: the largest accuracy that it speaks of.
        growth: how it grows with d, in words.
        obligations: what "for every d" rests on; the page has the rest of the proof.
    """

    statement: Statement
    target: str
    depth: int
    side: str
    start: int
    best: fmpq
    value: Callable[[int, fmpq], arb]
    growth: str
    obligations: tuple[Obligation, ...]

    @property
    def sentence(self) -> str:
        """What it says, for a terminal."""
        verb = "needs" if self.side == "at least" else "gets by with"
        return (
            f"depth {self.depth} {verb} {self.side} {self.statement.formula} units "
            "in each hidden layer, "
            f"for every d >= {self.start} and E <= {text(self.best)}; {self.growth}"
        )

    def to_json(self) -> dict[str, object]:
        """The bound, and the obligations with the answer to each."""
        return {
            "statement": self.statement.id,
            "target": self.target,
            "depth": self.depth,
            "side": self.side,
            "formula": self.statement.formula,
            "from_dim": self.start,
            "best_accuracy": text(self.best),
            "growth": self.growth,
            "proof": str(self.statement.proof),
            "obligations": [
                {"says": o.says, "from_dim": o.start, "holds": o.holds}
                for o in self.obligations
            ],
        }

    def at(self, dim: int, accuracy: object) -> Value:
        """The whole width at d and E: rounded to the safe side.

        Raises:
            HypothesisError: d or E out of range.
            UndecidedError: widths beyond 2^65536, from about d = 2900 on.
        """
        error = rational(accuracy, name="the accuracy")
        if dim < self.start:
            raise HypothesisError(f"d is {dim}; the bound begins at d = {self.start}")
        if not 0 < error <= self.best:
            raise HypothesisError(
                f"the accuracy is {error}; the bound is about 0 < E <= {self.best}"
            )
        with ctx.workprec(PRECISION + 32 * dim):
            found = self.value(dim, error)
            least = self.side == "at least"
            end = -ball_upper(-found) if least else ball_upper(found)
            width = int(end.ceil() if least else end.floor())
            bits = float((arb(width).log() / arb(2).log()).mid()) if width > 0 else None
        return Value(width, Rigour.ENCLOSED, bits)
