"""A network hidden in random weights

Can a small network be written into a large random one by moving a few of its weights?
Left: rows of the first layer (sampled); those near the two planted directions move.
Right: on the circle the change of the network, scaled, is the planted function up to a
proved error (band), which is smaller the narrower the cone of rows that move.

Tags: near the start.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, GREY, INK, RED, RULE, styled

from depthsep.near_init import draw, network_value, plant


@styled
def picture() -> Figure:
    """Rows before and after, and the planted function on the circle."""
    inner, outer = draw("signs", (2, 10000, 1), seed=0)
    signs, start = outer.weight[0], inner.weight
    alpha, beta = np.array([1.0, -2.0]), np.eye(2)
    hidden = plant(alpha, beta, signs, start, tau="1/6")
    figure, (left, right) = plt.subplots(1, 2)
    left.plot(*start.T, ".", color=GREY, ms=2, rasterized=True)
    moved = np.unique(np.concatenate(hidden.rows))
    moves = np.stack([start, hidden.planted])[:, moved]
    left.plot(*moves.transpose(2, 0, 1), color=RED, lw=0.8)
    left.set(xlabel="first weight", ylabel="second weight", title="10000 rows")
    angles = np.linspace(-np.pi, np.pi, 361)
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    before, after = (network_value(signs, v, points) for v in (start, hidden.planted))
    goal = np.maximum(points, 0) @ alpha
    margin = hidden.noise_free_error / hidden.scale
    right.fill_between(angles, goal - margin, goal + margin, color=RULE, lw=0)
    right.plot(angles, goal, "--", color=INK, label="planted")
    change = (after - before) / hidden.scale
    right.plot(angles, change, color=BLUE, label="change of the network")
    right.set(xlabel="angle", ylabel="value", title="relu(x1) - 2 relu(x2)")
    right.legend(loc="lower left")
    return figure


if __name__ == "__main__":
    picture().savefig("31_planting.svg")
