"""What a network would be with skip connections, where that takes fewer units."""

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.networks import Network, SkipNetwork, with_skips


def skips_of(network: Network) -> SkipNetwork | None:
    """The network with skip connections; None where that saves nothing."""
    try:
        found = with_skips(network)
    except (HypothesisError, TooLargeError):
        return None
    return found if found.units < network.units else None


def skips_document(skips: SkipNetwork | None) -> dict[str, object] | None:
    """Its depth and widths."""
    if skips is None:
        return None
    return {"depth": skips.depth, "widths": list(skips.widths)}
