"""Bounds that hold for all dimensions from some number on, and what they rest on."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

from flint import arb, ctx, fmpq, fmpq_poly

from depthsep._errors import CertificationError, HypothesisError
from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, proved
from depthsep.exact import ball_upper, rational, text

PRECISION = 128
D = fmpq_poly([0, 1])
"""The dimension, in polynomials."""


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

    @staticmethod
    def of(says: str, start: int, p: fmpq_poly) -> "Obligation":
        """For a polynomial in d."""
        return Obligation(says, start, tuple(fmpq(c) for c in p.coeffs()))

    @property
    def shifted(self) -> tuple[fmpq, ...]:
        """The coefficients of p(start + k) in k."""
        moved = fmpq_poly(list(self.coefficients))(fmpq_poly([self.start, 1]))
        return tuple(fmpq(c) for c in moved.coeffs())

    @property
    def holds(self) -> bool:
        """Whether none of them is negative."""
        return all(c >= 0 for c in self.shifted)


PARAMETERS = (
    Parameter("dim", "integer", "d", "10", most=1000),
    Parameter("accuracy", "rational", "E", "1/8"),
)


@dataclass(frozen=True, kw_only=True)
class ForAll:
    """A bound of the width at one depth, for every d from `start` on.

    Attributes:
        id, title, hypotheses, source, tex, errata: of its statement.
        side: "at least" or "at most".
        norm: of the errors that it is about.
        best: the largest accuracy that it speaks of.
        value: the width at d and E, a ball, at flint's current precision.
        growth: how it grows with d, in words.
        obligations: what "for every d" rests on; the page has the rest of the proof.

    Raises:
        CertificationError: an obligation does not hold.
    """

    id: str
    title: str
    hypotheses: tuple[str, ...]
    source: Source
    tex: str
    errata: tuple[str, ...] = ()
    target: str
    depth: int
    side: str
    norm: str
    start: int
    best: fmpq
    value: Callable[[int, fmpq], arb]
    growth: str
    obligations: tuple[Obligation, ...]

    def __post_init__(self) -> None:
        for obligation in self.obligations:
            if not obligation.holds:
                raise CertificationError(f"it is not proved that {obligation.says}")

    @cached_property
    def statement(self) -> Statement:
        """As the catalogue shows it."""
        return Statement(
            *(self.id, self.title, self.hypotheses, self.source, PARAMETERS, self.at),
            errata=self.errata,
            tex=self.tex,
            proof=proved("every-dimension"),
        )

    @property
    def sentence(self) -> str:
        """What it says, for a terminal."""
        verb = "needs" if self.side == "at least" else "gets by with"
        return (
            f"depth {self.depth} {verb} {self.side} {self.statement.formula} units "
            f"in each hidden layer, for every d >= {self.start} and every error "
            f"E <= {text(self.best)} in {self.norm}; {self.growth}"
        )

    def to_json(self) -> dict[str, object]:
        """The bound, and the obligations with the answer to each."""
        return {
            "statement": self.id,
            "target": self.target,
            "depth": self.depth,
            "side": self.side,
            "norm": self.norm,
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


at_least = partial(ForAll, depth=2, side="at least", norm="L2")
at_most = partial(ForAll, depth=3, side="at most", norm="the sup norm")
