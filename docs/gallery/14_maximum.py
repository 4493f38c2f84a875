"""The largest of five numbers by two hidden layers

How can two hidden layers compute max(x1, ..., x5) without an error? On a slice of the
cube the units cut many regions (white lines), but their kinks cancel wherever one
number stays the largest: five affine pieces are left. All counts are exact.

Tags: two inputs, regions.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from style import COLOURS, styled

from depthsep import Problem, build
from depthsep.analysis.regions import Polygon, subdivide
from depthsep.networks import restrict


@styled
def picture() -> Figure:
    """Activation regions on a slice of the cube, coloured by the affine piece."""
    network = build(Problem("max:5", accuracy="1/10"), depth=3).network
    turns = 2 * np.pi * np.arange(5) / 5
    centre, s, t = [0.54, 0.5, 0.47, 0.52, 0.48], np.cos(turns) / 2, np.sin(turns) / 2
    square = Polygon([(-0.7, -0.4), (0.7, -0.4), (0.7, 0.4), (-0.7, 0.4)])
    cells = subdivide(restrict(network, centre, s, t), square)
    corners = cells.near_corners()
    middles = np.array([polygon.mean(axis=0) for polygon in corners])
    numbers = centre + middles @ np.stack([s, t])
    colours = [COLOURS[k] for k in numbers.argmax(axis=1)]
    figure, axes = plt.subplots()
    axes.add_collection(PolyCollection(corners, facecolor=colours, ec="white", lw=0.8))
    for k in range(5):
        axes.text(0.9 * s[k], 0.6 * t[k], f"x{k + 1}", color="white", weight="bold")
    axes.set(xlabel="s", ylabel="t", xlim=(-0.7, 0.7), ylim=(-0.4, 0.4))
    pieces = f"{len(cells)} activation regions, {cells.affine_regions} affine pieces"
    axes.set_title(f"widths {network.widths}: {pieces}")
    return figure


if __name__ == "__main__":
    picture().savefig("14_maximum.svg")
