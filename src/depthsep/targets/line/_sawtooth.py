"""The sawtooth: the k-fold composition of the tent map."""

from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import Jet, PiecewiseAffine, sqrt_upper
from depthsep.laws import AbstractLaw, Segment
from depthsep.targets.line._on_line import AbstractLineTarget, ExactForm

MAX_FOLDS = 1000


def sawtooth_value(folds: int, x: fmpq) -> fmpq:
    r"""$D^k(x)$ for the tent map $D$, any k = `folds` >= 1, any rational x.

    On [0, 1] it equals 1 - |1 - (2^k x mod 2)|; it is 0 outside (Telgarsky 2023,
    section 4.1; the restriction to [0, 1] in Proposition 4.1 is not printed there).
    """
    if x < 0 or x > 1:
        return fmpq(0)
    p, q = int(x.p), int(x.q)
    remainder = fmpq(pow(2, folds, 2 * q) * p % (2 * q), q)
    return 1 - abs(1 - remainder)


def zigzag(pieces: int) -> PiecewiseAffine:
    """The function on [0, 1] through 0, 1, 0, 1, ... at the multiples of 1/pieces."""
    knots = [fmpq(i, pieces) for i in range(pieces + 1)]
    return PiecewiseAffine.through(knots, [i % 2 for i in range(pieces + 1)])


@dataclass(frozen=True)
class Sawtooth(AbstractLineTarget):
    """`folds`-fold composition of the tent map on [0, 1]: 2**folds affine pieces."""

    folds: int

    def __post_init__(self) -> None:
        if not 1 <= self.folds <= MAX_FOLDS:
            raise HypothesisError(
                f"sawtooth:{self.folds} is out of range; use sawtooth:K with K from 1 "
                f"to {MAX_FOLDS}"
            )

    @property
    def text(self) -> str:
        return f"sawtooth:{self.folds}"

    @property
    def remark(self) -> str:
        pieces = 1 << self.folds if self.folds < 20 else f"2^{self.folds}"
        return (
            f"{self.text} is the {self.folds}-fold composition of the tent map: "
            f"{pieces} affine pieces on [0, 1] with values from 0 to 1."
        )

    def check_law(self, law: AbstractLaw) -> None:
        super().check_law(law)
        if law.interval != Segment(0, 1):
            raise HypothesisError(
                f"{self} is defined only on [0, 1]; leave out the law and the interval",
                parameter="law",
            )

    def floats(self, x: np.ndarray) -> np.ndarray:
        folded = np.mod(np.ldexp(x, self.folds), 2.0)
        return np.where((x < 0) | (x > 1), 0.0, 1.0 - np.abs(1.0 - folded))

    def jet(self, x: arb) -> Jet:
        slope = arb(2) ** self.folds
        unbounded = arb(0, "inf")
        steps = x * slope
        cell = steps.floor()
        whole = cell.unique_fmpz()
        if whole is not None and steps > cell and steps < cell + 1:
            rising = int(whole) % 2 == 0
            value = steps - cell if rising else cell + 1 - steps
            return Jet(value, slope if rising else -slope, arb(0))
        return Jet(arb(0.5, 0.5), arb(0).union(slope).union(-slope), unbounded)

    def known_constant(self, norm: str) -> tuple[fmpq, fmpq]:
        # ||D^k - 1/2||_p^p = 1 / ((p + 1) 2^p), whatever k is
        errors = {"l1": fmpq(1, 4), "l2": sqrt_upper(fmpq(1, 12)), "linf": fmpq(1, 2)}
        return fmpq(1, 2), errors[norm]

    def exact_form(self) -> ExactForm:
        zero = fmpq(0)
        return ExactForm(zero, zero, zero, fmpq(1), self.folds, fmpq(1), zero)

    def piecewise(self, limit: int) -> PiecewiseAffine | None:
        """The target on [0, 1], if it has few pieces."""
        return zigzag(1 << self.folds) if (1 << self.folds) <= limit else None
