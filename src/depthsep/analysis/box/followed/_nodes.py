"""Parts of a box: what is left of a network there, and a model of a formula."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product as cartesian

import numpy as np

from depthsep.analysis.box.followed._affine_forms import Stages, boxes_to_forms
from depthsep.analysis.box.followed._shared_forms import (
    Layer,
    layers_on,
    stages,
    weights_of,
)
from depthsep.analysis.box.followed._simplify import specialise
from depthsep.analysis.box.followed._taylor_model import LocalModel, local_model
from depthsep.networks import Network
from depthsep.targets import Formula

FEW_WEIGHTS = 40_000
STILL = 0.8  # specialising helps no more
MOST_HALVINGS = 24


@dataclass(frozen=True)
class Node:
    """A part of the box that has not been looked at.

    Attributes:
        low, high: (d,) its corners.
        layers: the network for inputs in the part it was cut from.
        share: of the whole box.
        bound: of |network - f|, from the part it was cut from.
    """

    low: np.ndarray
    high: np.ndarray
    layers: Sequence[Layer]
    share: float = 1.0
    halvings: int = 0
    bound: float = float("inf")

    @staticmethod
    def whole(network: Network, low: np.ndarray, high: np.ndarray) -> "Node":
        """A whole box."""
        return Node(low, high, layers_on(network, low, high))

    def opened(self, target: Formula) -> "OpenNode":
        """The part, looked at."""
        low, high = self.low[None], self.high[None]
        model = local_model(target, self.low, self.high)
        followed, readers = stages(self.layers)
        read, net = followed.followed(boxes_to_forms(low, high))
        units = [
            r.units(f, n) for r, f, n in zip(readers, read, self.layers, strict=False)
        ]
        bound = float(model.distances(low, high, net).sum())
        return OpenNode(self, model, bound, specialise(self.layers, units))


@dataclass(frozen=True)
class OpenNode:
    """A part of the box with a model of the formula and what is left of the network.

    Attributes:
        bound: of |network - f|.
        layers: the network for inputs in this part.
    """

    node: Node
    model: LocalModel
    bound: float
    layers: Sequence[Layer] = field(repr=False)

    @property
    def is_light(self) -> bool:
        """Whether little is left of the network, or cutting would not lessen it."""
        return weights_of(self.layers) <= FEW_WEIGHTS or self.is_incompressible

    @property
    def is_incompressible(self) -> bool:
        """Whether almost as much is left of the network as in the part around."""
        return weights_of(self.layers) > STILL * weights_of(self.node.layers)

    @property
    def stages(self) -> Stages:
        """What is left of the network, ready to be followed."""
        return stages(self.layers)[0]

    def cut(self) -> list[Node]:
        """Halves in every direction."""
        low, high = self.node.low, self.node.high
        middle, d = (low + high) / 2, len(low)
        ends = [(low, middle), (middle, high)]
        share, halvings = self.node.share / 2**d, self.node.halvings + 1
        parts = []
        for sides in cartesian((0, 1), repeat=d):
            a = np.array([ends[s][0][k] for k, s in enumerate(sides)])
            b = np.array([ends[s][1][k] for k, s in enumerate(sides)])
            parts.append(Node(a, b, self.layers, share, halvings, self.bound))
        return parts
