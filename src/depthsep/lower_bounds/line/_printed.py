"""The printed bounds, for comparison, each with its true range of validity."""

from dataclasses import dataclass
from math import isqrt
from typing import ClassVar

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.analysis import most_pieces_printed
from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.exact import ceil_root
from depthsep.laws import Segment
from depthsep.problems import PLAIN_RELU, Problem
from depthsep.targets import Sawtooth, Square


def printed_square_error(units: int, layers: int) -> fmpq:
    """Theorem 4.6: the squared l2 error 1/(5760 (2n/L)^(4L)); needs L <= n.

    Raises:
        HypothesisError: more layers than units, where the printed bound can be false.
    """
    if not 1 <= layers <= units:
        raise HypothesisError(
            f"{plural(units, 'unit')} in {plural(layers, 'layer')}: Theorem 4.6 needs "
            "at least one unit in each layer (L <= n)"
        )
    return 1 / (5760 * (fmpq(2 * units) / layers) ** (4 * layers))


def _of_units(statement: Statement, units: int, layers: int) -> Lower:
    """What so many hidden units together say of the widest layer."""
    return Lower(
        width=-(-units // layers),
        units=units,
        rigour=Rigour.CITED,
        statement=statement,
        networks=PLAIN_RELU,
    )


def _evaluate_square(units: int, layers: int) -> Value:
    return Value(printed_square_error(units, layers), Rigour.CITED)


@dataclass(frozen=True)
class PrintedSquare(AbstractLowerBound):
    """Telgarsky's Theorem 4.6 for x^2 in l2."""

    statement: ClassVar[Statement] = Statement(
        "telgarsky-4.6",
        "Lower bound on the squared l2 error of any network with n "
        "units in L layers for x^2",
        (
            "L <= n",
            "the network g is a ReLU network without skip connections",
            "x is uniform on [0, 1]",
        ),
        Source("telgarsky2023", "Theorem 4.6"),
        (
            Parameter("units", "integer", "n, the number of units"),
            Parameter(
                "layers", "integer", "L, the number of hidden layers", most=10_000
            ),
        ),
        _evaluate_square,
        (
            (
                "The printed statement does not restrict L: for n = 1, L = 4 it "
                "claims a squared error of at least 11.4, but that of the zero "
                "function is 1/5. For L <= n, the bound of our Theorem C is at least "
                "32 times the bound above."
            ),
            (
                "Here L counts only the hidden ReLU layers; the source "
                "counts the linear layers, too."
            ),
        ),
        sample="units=12 layers=2",
        tex=(
            r"\left\lVert x^2 - g \right\rVert_2^2 "
            r"\ge \frac{1}{5760 \, (2 n / L)^{4 L}}"
        ),
        proof=proved("printed-bounds"),
    )

    scope = Scope("this bound covers only x^2, in l2", Square, norms=("l2",))

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.exact_form != Square().exact_form():
            return self.scope.elsewhere
        if problem.interval != Segment(0, 1):
            return Inapplicable("this bound holds only on [0, 1]")
        layers = depth - 1
        # (2n/L)^(4L) >= 1/(5760 E^2)  <=>  n^(4L) >= (L/2)^(4L) / (5760 E^2)
        power = (fmpq(layers) / 2) ** (4 * layers) / (5760 * problem.accuracy**2)
        units = ceil_root(power, 4 * layers)
        if units <= layers:
            return Inapplicable(
                "this bound gives nothing at this accuracy", off_topic=True
            )
        return _of_units(self.statement, units, layers)

    def examples(self) -> list[Problem]:
        return [Problem("square", norm="l2", accuracy="1e-6")]


def _evaluate_sawtooth(layers: int) -> Value:
    if layers < 2:
        raise HypothesisError(f"L = {layers}; Theorem 4.4 needs L >= 2")
    return Value(fmpq(1, 32), Rigour.CITED)


@dataclass(frozen=True)
class PrintedSawtooth(AbstractLowerBound):
    """Telgarsky's Theorem 4.4 for D^(L^2+2) in l1."""

    statement: ClassVar[Statement] = Statement(
        "telgarsky-4.4",
        "Lower bound on the l1 error of networks with at most L hidden "
        "layers and at most 2^L units for the sawtooth D^(L^2+2)",
        (
            "L >= 2",
            (
                "the target is the sawtooth D^k, which has 2^k affine "
                "pieces, with k = L^2 + 2"
            ),
            "the network g is a ReLU network without skip connections",
        ),
        Source("telgarsky2023", "Theorem 4.4"),
        (
            Parameter(
                "layers", "integer", "L, the number of hidden layers", most=10_000
            ),
        ),
        _evaluate_sawtooth,
        (
            (
                "The statement is true, but the printed proof holds only for "
                "continuous g: if g has N affine pieces, it is on the wrong side of "
                "1/2 on at least 2^(k-1) - N - 1 triangles of D^k."
            ),
        ),
        sample="layers=2",
        tex=r"\left\lVert D^{L^2 + 2} - g \right\rVert_1 \ge \frac{1}{32}",
        proof=proved("printed-bounds"),
    )

    scope = Scope("this bound covers only sawtooths, in l1", Sawtooth, norms=("l1",))

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        target, layers = problem.target_as(Sawtooth), depth - 1
        root = isqrt(max(0, target.folds - 2))
        if root < 2 or root * root + 2 != target.folds:
            return Inapplicable(
                "this bound needs the target sawtooth:K with K = L^2 + "
                "2 for some whole number L >= 2"
            )
        if problem.accuracy >= fmpq(1, 32):
            return Inapplicable("this bound needs an accuracy below 1/32")
        if layers > root:
            return Inapplicable(f"this bound holds only for up to {root} hidden layers")
        units = (1 << root) + 1
        return _of_units(self.statement, units, layers)

    def examples(self) -> list[Problem]:
        return [Problem(f"sawtooth:{k}", norm="l1", accuracy="1/50") for k in (6, 11)]


def _evaluate_pieces(widths: tuple[int, ...]) -> Value:
    value = most_pieces_printed(widths)
    return Value(value, Rigour.CITED, log2(value))


@dataclass(frozen=True)
class PrintedCounting(AbstractLowerBound):
    """Telgarsky's Lemma 4.9 where 2^k pieces are needed: sawtooths below linf 1/2."""

    statement: ClassVar[Statement] = Statement(
        "telgarsky-4.9",
        "Upper bound on the number of affine pieces of a ReLU network "
        "with given widths and one input",
        ("one input", "the network has no skip connections"),
        Source("telgarsky2023", "Lemma 4.9"),
        (
            Parameter(
                "widths", "integers", "m_1, m_2, ..., the widths of the hidden layers"
            ),
        ),
        _evaluate_pieces,
        (
            (
                "For m units in all, the source gives the bound (2m/L)^L. It does not "
                "increase with L beyond L = 2m/e, so that the statement for 'at most "
                "L layers' needs L <= 2m/e."
            ),
            (
                "The bound (m_1 + 1) ... (m_L + 1) of Theorem A is never "
                "larger, and it allows skip connections."
            ),
        ),
        tex=r"2^L \, m_1 m_2 \cdots m_L",
        proof=proved("printed-bounds"),
    )

    scope = Scope(
        "this bound covers only sawtooths, in linf", Sawtooth, norms=("linf",)
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        target, layers = problem.target_as(Sawtooth), depth - 1
        if problem.accuracy >= fmpq(1, 2):
            return Inapplicable("the constant 1/2 already meets the accuracy")
        # (2 m)^L >= 2^k
        units = _least_units(1 << target.folds, layers)
        if units <= layers:
            return Inapplicable(
                "this bound gives nothing at this depth", off_topic=True
            )
        return Lower(
            width=-(-ceil_root(fmpq(1 << target.folds), layers) // 2),
            units=units,
            pieces=1 << target.folds,
            rigour=Rigour.CITED,
            statement=self.statement,
            networks=PLAIN_RELU,
        )

    def examples(self) -> list[Problem]:
        return [Problem(f"sawtooth:{k}", norm="linf", accuracy="0.1") for k in (3, 20)]


def _least_units(pieces: int, layers: int) -> int:
    """The least m with (2m/L)^L >= pieces."""
    return ceil_root(fmpq(pieces * layers**layers, 2**layers), layers)
