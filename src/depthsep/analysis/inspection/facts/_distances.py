"""How far a network is from a target or another network."""

from dataclasses import dataclass
from math import isfinite

from depthsep.analysis._sampled_error import SampledError
from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows, enclosure_words
from depthsep.evidence import Enclosure


@dataclass(frozen=True)
class Distance(AbstractFact):
    """Enclosed, in a norm; `output` is counted from 0."""

    value: Enclosure
    norm: str
    output: int

    def rows(self) -> Rows:
        """One."""
        return [(_name(self.norm, self.output), enclosure_words(self.value))]

    def to_json(self) -> dict[str, object]:
        """Both ends, and the square where only that is exact."""
        value = self.value
        square = {} if value.square is None else {"square": str(value.square)}
        ends = {"lower": str(value.lower), "upper": str(value.upper)}
        rigour = {"rigour": str(value.rigour)}
        return {"distance": {"norm": self.norm, **ends, **square, **rigour}}


@dataclass(frozen=True)
class SampledDistance(AbstractFact):
    """What independent inputs show, under the law of a target."""

    error: SampledError
    output: int

    def rows(self) -> Rows:
        """One."""
        return [(_name(self.error.norm, self.output), str(self.error))]

    def to_json(self) -> dict[str, object]:
        """Infinite values as text, which JSON lacks."""
        found = self.error
        off = found.standard_error
        document: dict[str, object] = {
            "norm": found.norm,
            "value": found.value if isfinite(found.value) else str(found.value),
            "standard_error": off if off is None or isfinite(off) else str(off),
            "samples": found.samples,
            "seed": found.seed,
            "reason": found.reason,
            "rigour": str(found.rigour),
        }
        return {"sampled": document}


def _name(norm: str, output: int) -> str:
    return f"{norm} distance" + (f" of output {output + 1}" if output else "")
