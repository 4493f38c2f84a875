"""Numbers that the weights of a network may be."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from depthsep._errors import HypothesisError

MOST_BITS = 32
BIAS_BITS = 32  # of biases beside whole-number weights
ROOM = 8  # bits by which such a bias may be larger than the weights
FARTHEST = 500  # powers of two between a layer and 1
Layer = tuple[np.ndarray, np.ndarray]


class AbstractWeights(ABC):
    """A set of numbers, and how a layer is rounded to it."""

    @property
    @abstractmethod
    def name(self) -> str:
        """As the command line has it."""

    @abstractmethod
    def rounded(self, weight: np.ndarray, bias: np.ndarray) -> Layer | None:
        """A layer in these numbers; None if some are beyond their range.

        Args:
            weight: (m, n) float64.
            bias: (m,)
        """

    def has(self, weight: np.ndarray, bias: np.ndarray) -> bool:
        """Whether a layer is in these numbers."""
        found = self.rounded(weight, bias)
        given = (weight, bias)
        return found is not None and all(map(np.array_equal, found, given))


@dataclass(frozen=True)
class FloatWeights(AbstractWeights):
    """float64 or float32."""

    kind: type[np.floating]

    @property
    def name(self) -> str:
        return np.dtype(self.kind).name

    def rounded(self, weight: np.ndarray, bias: np.ndarray) -> Layer | None:
        with np.errstate(over="ignore"):
            w, b = (v.astype(self.kind).astype(float) for v in (weight, bias))
        return (w, b) if np.isfinite(w).all() and np.isfinite(b).all() else None


@dataclass(frozen=True)
class FixedWeights(AbstractWeights):
    """Signed fixed point: bits before the point, the sign among them, and behind it."""

    before: int
    behind: int

    @property
    def name(self) -> str:
        return f"q{self.before}.{self.behind}"

    def rounded(self, weight: np.ndarray, bias: np.ndarray) -> Layer | None:
        bits = self.before + self.behind
        return _both(_whole(v, self.behind, bits) for v in (weight, bias))


@dataclass(frozen=True)
class ScaledWeights(AbstractWeights):
    """Whole numbers of few bits, times one power of two for each layer.

    Biases have 32 bits, and may be 256 times as large as weights: beside int8 they have
    16 bits behind the last one of a weight.
    """

    bits: int

    @property
    def _finer(self) -> int:
        return max(BIAS_BITS - ROOM - self.bits, 0)

    @property
    def name(self) -> str:
        return f"int{self.bits}"

    def rounded(self, weight: np.ndarray, bias: np.ndarray) -> Layer | None:
        most = np.abs(weight).max()
        behind = 0 if most == 0 else self.bits - 1 - int(np.frexp(most)[1])
        # -2^k has a bit less than 2^k, and may be what a smaller number is rounded to
        for finer in (behind + 1, behind, behind - 1):
            if abs(finer) > FARTHEST:
                return None
            whole = _whole(weight, finer, self.bits)
            if whole is not None:
                return _both([whole, _whole(bias, finer + self._finer, BIAS_BITS)])
        return None


def _both(found: Iterable[np.ndarray | None]) -> Layer | None:
    weight, bias = found
    return None if weight is None or bias is None else (weight, bias)


def _whole(values: np.ndarray, behind: int, bits: int) -> np.ndarray | None:
    """Multiples of 2**-behind with so many bits; None if some have more."""
    whole = np.round(np.ldexp(values, behind))
    end = 2.0 ** (bits - 1)
    if not ((whole >= -end) & (whole < end)).all():
        return None
    return np.ldexp(whole, -behind)


def weights_from_text(written: str) -> AbstractWeights:
    """float64, float32, qM.N such as q4.12, or intB such as int8.

    Raises:
        HypothesisError: another one.
    """
    for kind in (np.float64, np.float32):
        if written == np.dtype(kind).name:
            return FloatWeights(kind)
    if found := re.fullmatch(r"q([0-9]{1,2})\.([0-9]{1,2})", written):
        before, behind = map(int, found.groups())
        if before >= 1 and 2 <= before + behind <= MOST_BITS:
            return FixedWeights(before, behind)
    found = re.fullmatch(r"int([0-9]{1,2})", written)
    if found and 2 <= int(found[1]) <= MOST_BITS:
        return ScaledWeights(int(found[1]))
    raise HypothesisError(
        f"the format of the weights is {written[:30]!r}; use float64, float32, a "
        "fixed-point format such as q4.12 (4 bits before the point, including the "
        "sign, and 12 after it, at most 32 in all) or an integer format from int2 to "
        "int32 (biases then have 32 bits)",
        parameter="weights",
    )
