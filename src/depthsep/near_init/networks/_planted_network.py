"""From a network of one hidden layer to the units that are planted."""

from dataclasses import dataclass

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.networks import RELU, Network

DIGITS = 12


@dataclass(frozen=True, eq=False)
class PlantedUnits:
    """sum_i alpha_i relu(beta_i . z), z = (x, 1) / sqrt(2): what `plant` takes.

    Attributes:
        alpha: (k,), not 0; beta: (k, d + 1), unit vectors, all different.
    """

    alpha: np.ndarray
    beta: np.ndarray

    @staticmethod
    def inputs(x: np.ndarray) -> np.ndarray:
        """(x, 1) / sqrt(2) for points (n, d): of length at most 1 where |x| <= 1."""
        return np.hstack([x, np.ones((len(x), 1))]) / np.sqrt(2)


def planted_units(network: Network) -> PlantedUnits:
    """A ReLU network a . relu(W x + b) + c as a sum of unit directions, without bias.

    The constant coordinate takes the biases, c becomes a unit of its own, and units of
    one direction (up to 12 digits) are added up. Weights are rounded to float64.

    Raises:
        HypothesisError: another activation or depth, several outputs, or no unit.

    Source:
        Telgarsky (2023), Remark 3.12, with the constant coordinate that the homogeneous
        networks of Theorem 3.10 need.
    """
    if network.depth != 2 or network.activations[0] is not RELU or network.out_dim != 1:
        raise HypothesisError(
            f"{network} cannot be planted; give a network with one hidden "
            "layer of ReLUs and one output"
        )
    (w, b), (a, c) = (layer.as_floats for layer in network.layers)
    rows = np.hstack([w, b[:, None]])
    heights = np.append(a[0], c[0])
    last = np.zeros((1, w.shape[1] + 1))
    last[0, -1] = 1.0
    rows = np.vstack([rows, last])
    lengths = np.linalg.norm(rows, axis=1)
    kept = (lengths > 0) & (heights != 0)
    if not kept.any():
        raise HypothesisError("the network is 0; there is nothing to plant")
    directions = rows[kept] / lengths[kept, None]
    _, first, place = np.unique(
        np.round(directions, DIGITS), axis=0, return_index=True, return_inverse=True
    )
    alpha = np.zeros(len(first))
    np.add.at(alpha, place.ravel(), np.sqrt(2) * (heights * lengths)[kept])
    used = alpha != 0
    return PlantedUnits(alpha[used], directions[first][used])
