"""The network that a report pictures, and what is known about it."""

from dataclasses import dataclass

from flint import fmpq

from depthsep.claims import Upper
from depthsep.networks import Network
from depthsep.separation import Built, Separation


@dataclass(frozen=True)
class Drawn:
    """A network with what the examiner found, where it was asked.

    Attributes:
        error: a proved bound; None for a network that came without one.
        rigour: of that bound.
        source: the construction behind it.
        origin: a sentence on where it comes from.
    """

    network: Network
    origin: str
    error: fmpq | None = None
    rigour: str = ""
    source: str = ""


def drawn(separation: Separation, network: Network | Built | None) -> Drawn | None:
    """The given network, or the smallest examined one of the table; None without."""
    if isinstance(network, Built):
        error = network.examination.error
        source = str(network.upper.source)
        origin = "It was built for this problem and examined."
        return Drawn(network.network, origin, error.upper, str(error.rigour), source)
    if network is not None:
        return Drawn(network, "It was given; nothing is claimed for it here.")
    uppers = [row.upper for row in separation]
    checked = [u for u in uppers if isinstance(u, Upper) and u.checked]
    if not checked:
        return None
    best = min(checked, key=lambda u: (u.predicted_weights, u.units))
    origin = "The smallest of the table that was examined."
    return Drawn(best.network, origin, best.error, str(best.rigour), str(best.source))
