"""The four degrees of rigour."""

from enum import Enum


class Rigour(Enum):
    """How surely a number is known; `weakest` combines several."""

    EXACT = "exact"  # integers and rationals only
    ENCLOSED = "enclosed"  # rigorous ball arithmetic
    CITED = "cited"  # a published theorem, hypotheses checked here
    SAMPLED = "sampled"  # Monte Carlo, float64 or training: proves nothing

    @property
    def rank(self) -> int:
        """0 for the strongest."""
        return list(Rigour).index(self)

    def __str__(self) -> str:
        return self.value


def weakest(*rigours: Rigour) -> Rigour:
    """The rigour of a combination: that of its weakest part."""
    return max(rigours, key=lambda r: r.rank)
