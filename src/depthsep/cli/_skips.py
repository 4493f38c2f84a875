"""What a network would be with skip connections."""

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.networks import Network, SkipNetwork, with_skips


def skips_of(network: Network) -> SkipNetwork | None:
    """The network with skip connections; None where these are not looked for."""
    try:
        return with_skips(network)
    except (HypothesisError, TooLargeError):
        return None


def skips_document(skips: SkipNetwork | None) -> dict[str, object] | None:
    """Its depth and widths."""
    if skips is None:
        return None
    return {"depth": skips.depth, "widths": list(skips.widths)}
