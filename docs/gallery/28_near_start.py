"""How far a network strays from its linearisation

Near a random start a wide network is almost linear in its weights; how nearly? Dots:
gaps of a network of width 1024 in training (floating point). Above them the worst that
any weights at that distance can do, and what is proved before the draw, with
probability 0.99.

Tags: near the start.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, GREEN, RED, styled

from depthsep.near_init import compare


def circle(angles: np.ndarray) -> np.ndarray:
    """Points of the unit circle."""
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


@styled
def picture() -> Figure:
    """Gap against distance along one training run."""
    angles = np.array([-2.8, -1.9, -1.2, -0.3, 0.6, 1.3, 2.2, 2.9])
    labels = np.sin(2 * angles) + np.cos(angles) / 2
    grid = circle(np.linspace(-np.pi, np.pi, 91))
    steps = [1, 2, 3, 5, 10, 20, 40, 80, 160]
    found = compare(circle(angles), labels, grid, 1024, steps=steps, rate=0.05)
    distance = found.run.distance[1:]
    figure, axes = plt.subplots()
    axes.plot(distance, found.bound[1:], "--", color=RED, label="proved beforehand")
    axes.plot(
        distance, found.worst[1:], "-", color=GREEN, label="worst at that distance"
    )
    axes.plot(distance, found.gap[1:], "o-", color=BLUE, label="measured in training")
    axes.set(xscale="log", yscale="log", xlabel="distance from the start")
    axes.set_ylabel("gap between network and linearisation")
    axes.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("28_near_start.svg")
