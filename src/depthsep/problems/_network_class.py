"""`NetworkClass`: which networks a bound speaks about, or a problem asks about."""

from dataclasses import dataclass

from flint import fmpq

from depthsep._display import Displayed
from depthsep._errors import HypothesisError
from depthsep.problems._units import RELU_UNITS, Units, units_from_text


@dataclass(frozen=True, kw_only=True)
class NetworkClass(Displayed):
    """A class of networks.

    Attributes:
        units: of the hidden layers.
        skips: whether networks with skip connections belong to it, too: those whose
            layers, and whose output, may read the input and every earlier layer.
        weight_bound: of every weight and bias; None if there is none.
        weights: the same in words.
        hidden_layers: if the bound is about so many layers alone.
    """

    units: Units = RELU_UNITS
    skips: bool = True
    weight_bound: fmpq | None = None
    weights: str = "any weights"
    hidden_layers: int | None = None

    def includes(self, other: "NetworkClass") -> bool:
        """Whether all networks of another class are of this one, of equal depth."""
        return self.units.includes(other.units) and (self.skips or not other.skips)

    def __str__(self) -> str:
        layers = {None: "", 1: " with one hidden layer"}.get(
            self.hidden_layers, f" with {self.hidden_layers} hidden layers"
        )
        skips = "any skip connections" if self.skips else "no skip connections"
        kind = self.units.network.replace("network", "networks", 1)
        return f"{kind}{layers}, with {self.weights} and {skips}"


ANY_RELU = NetworkClass()
PLAIN_RELU = NetworkClass(skips=False)


def networks_from_text(activation: object, skips: object) -> NetworkClass:
    """The class with units of this name; skips are ``any`` or ``none``.

    Raises:
        HypothesisError: an unknown kind of units, another word.
    """
    if skips not in (None, "none", "any"):
        raise HypothesisError(f"`skips` is {str(skips)[:40]!r}; use none or any")
    units = RELU_UNITS if activation is None else units_from_text(str(activation))
    return NetworkClass(units=units, skips=skips == "any")
