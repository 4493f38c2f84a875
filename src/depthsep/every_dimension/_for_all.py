"""Bounds that hold for all dimensions from some number on, and what they rest on."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise

from flint import arb, ctx, fmpq, fmpq_poly

from depthsep._errors import CertificationError, HypothesisError
from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, proved
from depthsep.exact import ball_upper, rational, text

PRECISION = 128
MOST_DIM = 10_000
D = fmpq_poly([0, 1])
"""The dimension, in polynomials."""
RIDGE_SUM = (
    "an approximant of width m is a linear function of x plus m functions in L2, each "
    "of which depends on a single linear form of x"
)
GROWING_SUM = (
    "an approximant of width m is a sum of m measurable functions of polynomial "
    "growth, each of which depends on a single linear form of x"
)


@dataclass(frozen=True)
class Obligation:
    """p(d) >= 0 for d = start, start + step, ..., for a polynomial p.

    It is checked by induction: p(start) >= 0, and its difference p(d + step) - p(d), a
    polynomial of lower degree, is never negative, which is checked in the same way.

    Attributes:
        says: the inequality as people read it.
        coefficients: of p, the constant first.
    """

    says: str
    start: int
    coefficients: tuple[fmpq, ...]
    step: int = 1

    @staticmethod
    def of(says: str, start: int, p: fmpq_poly) -> "Obligation":
        """For a polynomial in d."""
        return Obligation(says, start, tuple(fmpq(c) for c in p.coeffs()))

    @staticmethod
    def at_start(says: str, value: fmpq, start: int, step: int = 1) -> "Obligation":
        """For a number: what it bounds does not get worse with d, says the page."""
        return Obligation(says, start, (value,), step)

    @property
    def is_at_start(self) -> bool:
        """Whether it is about the first d alone."""
        return len(self.coefficients) == 1

    @property
    def base_cases(self) -> tuple[fmpq, ...]:
        """p, its difference, the difference of that, ... at the start."""
        values = [
            sum((c * d**k for k, c in enumerate(self.coefficients)), fmpq(0))
            for d in range(
                self.start,
                self.start + self.step * max(len(self.coefficients), 1),
                self.step,
            )
        ]
        found = []
        while values:
            found.append(values[0])
            values = [b - a for a, b in pairwise(values)]
        return tuple(found)

    @property
    def holds(self) -> bool:
        """Whether none of them is negative."""
        return all(c >= 0 for c in self.base_cases)


@dataclass(frozen=True, kw_only=True)
class ForAll:
    """A bound of the width at one depth, for d = start, start + step, ...

    Attributes:
        id, title, hypotheses, source, tex, errata: of its statement.
        target, law: as the command line takes them, the law without its dimension.
        side: "at least" or "at most".
        norm: of the errors that it is about.
        best: the largest accuracy that it speaks of is best / d^(falls / 2).
        value: the width at d and E, a ball, at flint's current precision.
        growth: how it grows with d, in words.
        obligations: what "for every d" rests on; the page has the rest of the proof.
        constants: the numbers in the formula that the obligations are about.
        step: 2 where only odd or only even d are meant.
        page: of docs/proofs.
        depth: a number, or a formula in the variable.
        variable: d, or k.

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
    law: str
    depth: int | str
    side: str
    norm: str
    start: int
    best: fmpq
    value: Callable[[int, fmpq], arb]
    growth: str
    obligations: tuple[Obligation, ...]
    constants: tuple[tuple[str, fmpq], ...] = ()
    step: int = 1
    page: str = "every-dimension"
    falls: int = 0
    variable: str = "d"

    def __post_init__(self) -> None:
        for obligation in self.obligations:
            if not obligation.holds:
                raise CertificationError(
                    f"this condition is not proved: {obligation.says}"
                )

    @cached_property
    def statement(self) -> Statement:
        """As the catalogue shows it."""
        shown = 10 if self.covers(10) else 11
        name, meaning = (
            ("dim", "d, the dimension")
            if self.variable == "d"
            else ("layers", "k, where the target is the tent map composed k^2 times")
        )
        dim = Parameter(name, "integer", meaning, str(shown), most=1000)
        wanted = min(fmpq(1, 8), self.best / shown ** ((self.falls + 1) // 2))
        accuracy = Parameter(
            "accuracy", "rational", "E, the allowed error", text(wanted)
        )
        parameters = (dim, accuracy)
        return Statement(
            *(self.id, self.title, self.hypotheses, self.source, parameters),
            lambda accuracy, **size: self.at(size[name], accuracy),
            errata=self.errata,
            tex=self.tex,
            proof=proved(self.page),
        )

    @property
    def sentence(self) -> str:
        """What it says, for a terminal."""
        where = "each hidden layer"
        if self.side == "at least":
            where = "its hidden layer" if self.depth == 2 else "some hidden layer"
        return (
            f"depth {self.depth} needs {self.side} {self.statement.formula} units "
            f"in {where}, for {self.dims} and every error "
            f"E <= {self.best_words} in {self.norm}; {self.growth}"
        )

    @property
    def dims(self) -> str:
        """The dimensions, in words."""
        kind = ("even ", "odd ")[self.start % 2] if self.step == 2 else ""
        return f"every {kind}{self.variable} >= {self.start}"

    @property
    def best_words(self) -> str:
        """The largest accuracy, as people write it."""
        if not self.falls:
            return text(self.best)
        power = "sqrt(d)" if self.falls == 1 else f"d^({self.falls}/2)"
        return f"{self.best.p}/({self.best.q} {power})"

    def allows(self, dim: int, accuracy: fmpq) -> bool:
        """Whether it speaks of this accuracy at this dimension."""
        return accuracy > 0 and accuracy**2 * dim**self.falls <= self.best**2

    def covers(self, dim: int) -> bool:
        """Whether it speaks of this dimension."""
        return dim >= self.start and (dim - self.start) % self.step == 0

    def to_json(self) -> dict[str, object]:
        """The bound, and the obligations with the answer to each."""
        return {
            "statement": self.id,
            "target": self.target,
            "law": self.law,
            "variable": self.variable,
            "depth": self.depth,
            "side": self.side,
            "norm": self.norm,
            "formula": self.statement.formula,
            "from_dim": self.start,
            "step": self.step,
            "best_accuracy": self.best_words,
            "constants": {name: text(c) for name, c in self.constants},
            "growth": self.growth,
            "proof": str(self.statement.proof),
            "obligations": [
                {
                    "says": o.says,
                    "base_cases": [text(c) for c in o.base_cases],
                    "holds": o.holds,
                }
                for o in self.obligations
            ],
        }

    def at(self, dim: int, accuracy: object) -> Value:
        """The whole width at d and E: rounded to the safe side.

        Raises:
            HypothesisError: d or E out of range.
            UndecidedError: widths beyond about 2^65536.
        """
        error = rational(accuracy, name="the accuracy")
        if not self.covers(dim) or dim > MOST_DIM:
            raise HypothesisError(
                f"{self.variable} is {dim}; the bound holds for "
                f"{self.dims} and is evaluated up to {MOST_DIM}"
            )
        if not self.allows(dim, error):
            raise HypothesisError(
                f"the accuracy E is {error}; the bound holds for 0 < E "
                f"<= {self.best_words}"
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
