r"""Whether second derivatives of a network make it convex on boxes.

H is positive semidefinite if V^T H V is for an invertible V, and that is diagonally
dominant for every H in a small box where V holds the eigenvectors of its middle.
"""

from dataclasses import dataclass

import numpy as np

from depthsep.analysis.bounds._balls import FLOOR, GROW, ROUND, Ball
from depthsep.analysis.bounds._followed import Followed
from depthsep.analysis.bounds._gradients import hessians_on
from depthsep.analysis.bounds._search import AbstractBounded, OnBoxes


@dataclass(frozen=True, eq=False)
class LeastBend(AbstractBounded):
    """Minus how far the Hessian of a combination of outputs is from indefinite.

    A bound of at most 0 on a box proves that the combination is convex there.
    """

    net: Followed  # pyrefly: ignore[bad-override] (frozen)
    combination: np.ndarray

    def on_few(self, low: np.ndarray, high: np.ndarray) -> OnBoxes:
        found = hessians_on(self.net, low, high, self.combination)
        scores = found.reach.sum(2) * (high - low)
        return OnBoxes(-least_bends(found), scores, low / 2 + high / 2)

    def at(self, points: np.ndarray) -> np.ndarray:
        return -least_bends(hessians_on(self.net, points, points, self.combination))


def least_bends(hessians: Ball) -> np.ndarray:
    """(B,) numbers: every matrix of a ball is positive semidefinite if at least 0."""
    middle, reach = hessians
    finite = np.asarray((np.isfinite(middle) & np.isfinite(reach)).all((1, 2)))
    middle = np.where(finite[:, None, None], middle, 0.0)
    vectors = np.linalg.eigh(middle)[1]
    across = vectors.transpose(0, 2, 1)
    n = middle.shape[1]
    turned = across @ middle @ vectors
    doubt = reach + 4 * n * ROUND * np.abs(middle)
    off = np.abs(across) @ doubt @ np.abs(vectors) * GROW + FLOOR
    outside = np.abs(turned) * (1 - np.eye(n))
    diagonal = np.diagonal(turned, axis1=1, axis2=2)
    least = (diagonal - (outside + off).sum(2) * GROW).min(1)
    skew = np.abs(across @ vectors - np.eye(n)).sum(2).max(1)
    return np.where(finite & (skew < 0.5), least, -np.inf)
