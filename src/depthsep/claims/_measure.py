"""What is least of the network that is chosen among several."""

from enum import StrEnum
from typing import Protocol


class _Sized(Protocol):
    @property
    def width(self) -> int: ...
    @property
    def units(self) -> int: ...
    @property
    def predicted_weights(self) -> int: ...


class Measure(StrEnum):
    """Width (of the widest layer), hidden units, or weights (entries of matrices).

    >>> Measure("units").words
    'the fewest units'
    """

    WIDTH = "width"
    UNITS = "units"
    WEIGHTS = "weights"

    @property
    def words(self) -> str:
        """Such as ``the fewest units``."""
        return "the least width" if self is Measure.WIDTH else f"the fewest {self}"

    def key(self, network: _Sized) -> tuple[int, ...]:
        """To sort by: this measure, then the two others."""
        sizes = {
            Measure.WIDTH: network.width,
            Measure.UNITS: network.units,
            Measure.WEIGHTS: network.predicted_weights,
        }
        return (sizes.pop(self), *sizes.values())
