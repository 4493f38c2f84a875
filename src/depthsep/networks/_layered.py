"""The sizes that networks share, with and without skip connections."""

from depthsep._display import Displayed
from depthsep.networks._affine import Affine


class Layered(Displayed):
    """Affine layers in order; every one but the last is followed by an activation."""

    layers: tuple[Affine, ...]

    @property
    def depth(self) -> int:
        """Affine layers."""
        return len(self.layers)

    @property
    def hidden_layers(self) -> int:
        """depth - 1."""
        return len(self.layers) - 1

    @property
    def out_dim(self) -> int:
        """Outputs."""
        return self.layers[-1].shape[0]

    @property
    def widths(self) -> tuple[int, ...]:
        """Units of each hidden layer."""
        return tuple(layer.shape[0] for layer in self.layers[:-1])

    @property
    def width(self) -> int:
        """Most units in one hidden layer; 0 for an affine map."""
        return max(self.widths, default=0)

    @property
    def units(self) -> int:
        """All hidden units together."""
        return sum(self.widths)

    @property
    def is_float(self) -> bool:
        """Whether every weight is stored as float64."""
        return all(layer.is_float for layer in self.layers)
