r"""Bounds of every unit at once, carried forwards: made for few inputs.

What a unit reads lies within `reach` of middle + sum_i slopes_i t_i, the input being
its box's middle + t_i half a side, |t_i| <= 1. Linear bounds carried backwards start
anew from every layer; these pass through the network once, which costs (n + 2) numbers
a weight instead of the network's width times its depth, and are less sharp.
"""

from typing import NamedTuple

import numpy as np

from depthsep.analysis.bounds._balls import EPS, FLOOR, GROW, ROUND, known
from depthsep.analysis.bounds._followed import Followed, Map
from depthsep.analysis.bounds._units import AbstractUnits


class Forms(NamedTuple):
    """Affine forms of the units of one layer, or of the outputs, on B boxes.

    Attributes:
        slopes: (B, n, units).
        middle, reach: (B, units).
    """

    slopes: np.ndarray
    middle: np.ndarray
    reach: np.ndarray

    @property
    def spread(self) -> np.ndarray:
        """How far values may be from the middle, (B, units)."""
        return (np.abs(self.slopes).sum(1) + self.reach) * GROW

    @property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Bounds of the values, (B, units) each."""
        spread = self.spread + EPS * np.abs(self.middle) + FLOOR
        low, high = self.middle - spread, self.middle + spread
        return known(low, -np.inf), known(high, np.inf)

    def combined(self, rows: np.ndarray) -> "Forms":
        """rows @ values for (k, units) rows that are floats."""
        return self.through(Map(rows.T, np.zeros(len(rows))))

    def through(self, here: Map) -> "Forms":
        """What the map gives; its rounding joins the reach."""
        batch, n, width = self.slopes.shape
        slopes = self.slopes.reshape(-1, width) @ here.weight
        size = self.spread + np.abs(self.middle)
        reach = (self.reach + here.share * size) @ here.sizes
        reach = (reach + here.share * np.abs(here.bias)) * GROW
        return Forms(
            slopes.reshape(batch, n, -1),
            self.middle @ here.weight + here.bias,
            reach + here.floor * (n + 2 + size.sum(1, keepdims=True)),
        )

    def after(
        self, units: AbstractUnits, ends: tuple[np.ndarray, np.ndarray]
    ) -> "Forms":
        """What the units give, reading this; `ends` are its bounds."""
        slope, middle, reach = units.strips(*ends)
        size = np.abs(slope) * (self.spread + np.abs(self.middle)) + np.abs(middle)
        reach = reach + np.abs(slope) * self.reach + ROUND * size
        return Forms(
            self.slopes * slope[:, None],
            self.middle * slope + middle,
            reach * GROW + (len(self.slopes[0]) + 4) * FLOOR,
        )


def forms_on(
    net: Followed, low: np.ndarray, high: np.ndarray
) -> tuple[list[tuple[np.ndarray, np.ndarray]], Forms]:
    """Bounds of what every layer's units read, (B, units) each; forms of the outputs.

    Args:
        low, high: (B, n) corners, floats.
    """
    form = _inputs(low, high).through(net.maps[0])
    before = []
    for units, here in zip(net.units, net.maps[1:], strict=True):
        before.append(form.ends)
        form = form.after(units, before[-1]).through(here)
    return before, form


def _inputs(low: np.ndarray, high: np.ndarray) -> Forms:
    """The inputs themselves: half a side is rounded up."""
    middle = low / 2 + high / 2
    half = np.maximum(high - middle, middle - low) * (1 + 4 * EPS) + FLOOR
    slopes = half[:, :, None] * np.eye(low.shape[1])
    return Forms(slopes, middle, np.zeros_like(middle))
