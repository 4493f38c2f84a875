"""Kinds of hidden units, as bounds need to know them and people name them."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import nearest_float, rational, readable
from depthsep.networks import (
    ABS,
    HARDTANH,
    RELU,
    RELU6,
    THRESHOLD,
    Activation,
    leaky_relu,
    leaky_slope,
)

ZERO = fmpq(0)
Including = Callable[["Units"], bool]


def _itself(other: "Units") -> bool:
    return False


@dataclass(frozen=True)
class Units:
    """A kind of units: its functions, and which other kinds it includes.

    Attributes:
        name: as the command line has it, such as ``leaky:1/10``.
        words: such as "leaky ReLUs of slope 0.1".
        pieces: t, the most pieces of a unit on a line; None without such a limit.
        degree: of the polynomials that these pieces are.
        continuous: whether all of its functions are.
        reads_one: a function of one weighted sum; not so for maxout.
        activation: that networks are built with; None where ReLUs are of the kind.
        includes_kind: besides the kind itself.
    """

    name: str
    words: str
    pieces: int | None = 2
    degree: int = 1
    continuous: bool = True
    reads_one: bool = True
    activation: Activation | None = None
    includes_kind: Including = field(default=_itself, compare=False)

    def includes(self, other: "Units") -> bool:
        """Whether all units of another kind are of this one, too."""
        return self.name == other.name or self.includes_kind(other)

    def admits(self, activation: Activation) -> bool:
        """Whether a hidden layer of a network of this kind may have such units.

        Slopes may be rounded, as files do.
        """
        if self.name.startswith("leaky"):
            return _is_near(self.activation, activation)
        if self.activation is not None:
            return activation == self.activation
        if activation is RELU or self.pieces is None:
            return True
        known = bool(activation.relus) and activation.pieces <= self.pieces
        return known and self.reads_one

    @property
    def kinks(self) -> int | None:
        """t - 1: so many ReLUs and an affine function are as good as such a unit."""
        return None if self.pieces is None else self.pieces - 1

    @property
    def is_below_identity(self) -> bool:
        """Whether |sigma(t)| <= |t| is known."""
        known = self.activation
        return known is not None and known.continuous and known.exact(ZERO) == 0

    @property
    def network(self) -> str:
        """Such as ``ReLU network``, or ``network of thresholds``."""
        return "ReLU network" if self.name == "relu" else f"network of {self.words}"

    def __str__(self) -> str:
        return self.words


RELU_UNITS = Units("relu", "ReLU", activation=RELU)
ANY_UNITS = Units(
    "any", "units of any kind", None, includes_kind=lambda other: other.reads_one
)
"""Any function of one weighted sum: what ranks and directions count."""
EXAMPLES = "relu, leaky:1/10, abs, hardtanh, relu6, threshold, piecewise:T, maxout:K, "
NAMED = {
    units.name: units
    for units in (
        RELU_UNITS,
        ANY_UNITS,
        Units("abs", "absolute-value units", activation=ABS),
        Units("hardtanh", "hard tanh units", 3, activation=HARDTANH),
        Units("relu6", "ReLU6 units", 3, activation=RELU6),
        Units("threshold", "threshold units", continuous=False, activation=THRESHOLD),
    )
}


def units_from_text(written: str) -> Units:
    """The kind with this name.

    Raises:
        HypothesisError: there is none; says which there are.
    """
    name, _, rest = written.strip().lower().partition(":")
    if not rest and name in NAMED:
        return NAMED[name]
    if rest and name in _MADE:
        return _MADE[name](rest)
    raise HypothesisError(
        f"unknown units {written[:40]!r}; use {EXAMPLES}polynomial:T,A or any",
        parameter="activation",
    )


def _leaky(written: str) -> Units:
    slope = rational(written, name="the slope")
    if slope == 0:
        return RELU_UNITS
    words = f"leaky ReLUs of slope {readable(slope)}"
    activation = leaky_relu(slope)
    return Units(f"leaky:{slope}", words, activation=activation)


def _is_near(asked: Activation | None, found: Activation) -> bool:
    """Whether both are leaky, of one slope up to rounding to float32."""
    slopes = [None if a is None else leaky_slope(a) for a in (asked, found)]
    near = [nearest_float(slope) for slope in slopes if slope is not None]
    if len(near) < 2:
        return False
    return near[0] == near[1] or np.float32(near[0]) == np.float32(near[1])


def _piecewise(written: str) -> Units:
    pieces = _count(written, "T")
    words = f"continuous units with up to {pieces} affine pieces"

    def includes(other: Units) -> bool:
        known = other.pieces is not None and other.pieces <= pieces
        return known and other.continuous and other.reads_one and other.degree == 1

    return Units(f"piecewise:{pieces}", words, pieces, includes_kind=includes)


def _maxout(written: str) -> Units:
    rank = _count(written, "K")
    words = f"maxout units of rank {rank}"
    return Units(f"maxout:{rank}", words, rank, reads_one=False)


def _polynomial(written: str) -> Units:
    first, _, second = written.partition(",")
    pieces, degree = _count(first, "T"), _count(second, "A", least=1)
    words = (
        f"continuous units with up to {pieces} polynomial pieces of degree "
        f"at most {degree}"
    )
    if degree == 1:
        return _piecewise(first)
    return Units(f"polynomial:{pieces},{degree}", words, pieces, degree)


def _count(written: str, name: str, least: int = 2) -> int:
    text = written.strip()
    if not (text.isascii() and text.isdigit() and least <= int(text[:9]) < 10**6):
        raise HypothesisError(
            f"{name} in the activation is {text[:20]!r}; give a whole "
            f"number from {least} to 999999",
            parameter="activation",
        )
    return int(text)


_MADE: dict[str, Callable[[str], Units]] = {
    "leaky": _leaky,
    "piecewise": _piecewise,
    "maxout": _maxout,
    "polynomial": _polynomial,
}
