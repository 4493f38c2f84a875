"""Depth, widths, weights, and what skip connections would save."""

from dataclasses import dataclass
from functools import cached_property

from depthsep._errors import HypothesisError, TooLargeError
from depthsep._plural import plural
from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows
from depthsep.exact import nearest_float
from depthsep.networks import Network, Size, SkipNetwork, size, with_skips

SHOWN = 16  # layers


@dataclass(frozen=True)
class Sizes(AbstractFact):
    """How large a network is."""

    network: Network

    @cached_property
    def size(self) -> Size:
        """Depth, widths, units, weights, largest weight, bits."""
        return size(self.network)

    @cached_property
    def skips(self) -> SkipNetwork | None:
        """The same function with skip connections; None where it is not looked for."""
        try:
            return with_skips(self.network)
        except (HypothesisError, TooLargeError):
            return None

    def rows(self) -> Rows:
        """In the order of `Size`."""
        s, skips = self.size, self.skips
        rows = [
            ("depth", f"{s.depth} ({plural(s.depth - 1, 'hidden layer')})"),
            ("widths", layers_words(s.widths) or "none"),
            ("units", str(s.units)),
            ("nonzero weights", f"{s.weights} ({s.distinct} different)"),
            ("largest weight", f"{nearest_float(s.largest_weight):.6g}"),
            ("bits per weight", f"up to {s.bits}"),
        ]
        if skips is not None and skips.units < s.units:
            widths = layers_words(skips.widths)
            needed = (
                f"the same function takes {plural(skips.units, 'unit')}, "
                f"widths {widths}"
            )
            rows.append(("with skip connections", needed))
        return rows

    def to_json(self) -> dict[str, object]:
        """The sizes, and those with skip connections."""
        s, skips = self.size, self.skips
        shorter = skips and {"depth": skips.depth, "widths": list(skips.widths)}
        return {
            "depth": s.depth,
            "width": s.width,
            "widths": list(s.widths),
            "units": s.units,
            "weights": s.weights,
            "largest_weight": str(s.largest_weight),
            "bits": s.bits,
            "distinct_weights": s.distinct,
            "with_skips": shorter,
        }


def layers_words(counts: tuple[int, ...]) -> str:
    """The numbers of the first layers."""
    return ", ".join(map(str, counts[:SHOWN])) + (", ..." * (len(counts) > SHOWN))
