"""A function of two variables on triangles

How does a network follow a function of which only the Lipschitz constant is known? It
interpolates between the points of a grid: white lines part the affine pieces of the
network, found exactly from its weights. The title gives the proved error.

Tags: two inputs, pieces.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import draw_cells, styled

from depthsep import Segment
from depthsep.analysis.regions import subdivide
from depthsep.constructions import kuhn_network
from depthsep.laws import Box


def wave(points: np.ndarray) -> np.ndarray:
    """A function with Lipschitz constant 1."""
    return np.sin(6 * np.linalg.norm(points - [0.2, 0.3], axis=1)) / 6


@styled
def picture() -> Figure:
    """The affine regions of the network, coloured by its value."""
    made = kuhn_network(wave, 2, 1, "1/10")
    cells = subdivide(made.network, Box.cube(Segment(0, 1), 2))
    corners = cells.near_corners()
    values = made.network.floats(np.array([c.mean(axis=0) for c in corners]))[:, 0]
    figure, axes = plt.subplots()
    draw_cells(axes, corners, values, "value of the network")
    axes.set(xlabel="x1", ylabel="x2")
    within = f"within {float(made.bound):.3f} of the function"
    axes.set_title(f"{cells.affine_regions} affine pieces, {within}")
    return figure


if __name__ == "__main__":
    picture().savefig("39_simplices.svg")
