"""What is missing, and why."""

from dataclasses import dataclass

from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows


@dataclass(frozen=True)
class LeftOut(AbstractFact):
    """A part that the network's kind or the time did not allow."""

    reason: str

    def rows(self) -> Rows:
        """One."""
        return [("left out", self.reason)]

    def to_json(self) -> dict[str, object]:
        """The reason."""
        return {"reason": self.reason}
