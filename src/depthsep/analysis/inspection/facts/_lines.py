"""Pieces and crossings along lines that are drawn at random."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._plural import plural
from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows
from depthsep.analysis.regions._along import Along
from depthsep.exact import integer_words, json_integer, readable

QUANTILES = (0.0, 0.1, 0.5, 0.9, 1.0)
NAMES = ("least", "10%", "median", "90%", "most")
SHOWN = {"pieces": "pieces", "crossings": "intervals above/below"}


@dataclass(frozen=True)
class LineSurvey(AbstractFact):
    """Counts on segments; each count is exact, which segments is chance.

    Attributes:
        counts: pieces (of all outputs) and crossings (of one) of every segment that
            the time was enough for.
        asked: how many segments were to be followed.
        most: what Theorem A allows networks of these widths on a line.
        level: whose crossings are counted.
        seed: of the draws; None if the segments were given.
    """

    counts: tuple[Along, ...]
    asked: int
    most: int
    level: fmpq
    seed: int | None

    def quantiles(self, name: str) -> tuple[float, ...]:
        """Least, 10 %, median, 90 % and largest of `pieces` or `crossings`.

        None at all where the time was not enough for any line.
        """
        if not self.counts:
            return ()
        values = [getattr(count, name) for count in self.counts]
        return tuple(np.quantile(values, QUANTILES).tolist())

    @property
    def title(self) -> str:
        """How many lines, and how they were drawn."""
        asked, count = plural(self.asked, "random line"), len(self.counts)
        lines = (
            asked
            if count == self.asked
            else f"{count} of {asked} (time ran out; allow more with --seconds)"
        )
        return f"along {lines} (seed {self.seed})"

    def rows(self) -> Rows:
        """The bound."""
        return [
            (
                "most for such widths",
                f"{integer_words(self.most)} pieces (by Theorem A of the docs)",
            )
        ]

    def table(self) -> Sequence[Sequence[str]]:
        """Quantiles of pieces and of crossings; nothing without lines."""
        if not self.counts:
            return []
        head = ["count (each is exact)", *(name.replace("%", " %") for name in NAMES)]
        return [
            head,
            *([self._name(n), *(f"{q:g}" for q in self.quantiles(n))] for n in SHOWN),
        ]

    def _name(self, count: str) -> str:
        level = f" {readable(self.level)}" if count == "crossings" else ""
        return f"{SHOWN[count]}{level}"

    def to_json(self) -> dict[str, object]:
        """Quantiles by name."""
        document: dict[str, object] = {"count": len(self.counts), "asked": self.asked}
        document["seed"] = self.seed
        for name in SHOWN if self.counts else ():
            document[name] = dict(zip(NAMES, self.quantiles(name), strict=True))
        return {"lines": document | {"most_pieces": json_integer(self.most)}}
