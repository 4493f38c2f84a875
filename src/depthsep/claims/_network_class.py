"""`NetworkClass`: which networks a bound speaks about."""

from dataclasses import dataclass

from depthsep._display import Displayed


@dataclass(frozen=True, kw_only=True)
class NetworkClass(Displayed):
    """The networks that a bound binds.

    Attributes:
        activations: in words, "ReLU", or such as "units of any kind".
        weights: likewise.
        skips: whether networks with skip connections are bound, too: those whose
            layers, and whose output, may read the input and every earlier layer.
        hidden_layers: if the bound is about so many layers alone.
    """

    activations: str = "ReLU"
    weights: str = "any weights"
    skips: bool = True
    hidden_layers: int | None = None

    def __str__(self) -> str:
        layers = {None: "", 1: " with one hidden layer"}.get(
            self.hidden_layers, f" with {self.hidden_layers} hidden layers"
        )
        skips = "any skip connections" if self.skips else "no skip connections"
        units = self.activations
        kind = "ReLU networks" if units == "ReLU" else f"networks of {units}"
        return f"{kind}{layers}, {self.weights}, {skips}"


ANY_RELU = NetworkClass()
PLAIN_RELU = NetworkClass(skips=False)
