"""How a network cuts the plane

Into how many cells does a network of two hidden layers cut a rectangle? Each cell is an
activation region, coloured by the output at its middle; the line shows where the output
is 0. The cells, their number and the line are exact for this network of random weights.

Tags: regions, two inputs.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from style import RED, draw_cells, styled

from depthsep import Network, inspect
from depthsep.laws import Box, Segment


@styled
def picture() -> Figure:
    """A random network of widths 16 and 16 on a rectangle."""
    rng = np.random.default_rng(13)
    shapes = [(16, 2), (16,), (16, 16), (16,), (1, 16), (1,)]
    network = Network.from_arrays(*(rng.standard_normal(shape) for shape in shapes))
    box = Box((Segment(-2, 2), Segment(-1, 1)))
    part = inspect(network, box, lines=1, level=0).box_regions
    cells = part.subdivision
    corners = cells.near_corners()
    middles = np.array([polygon.mean(axis=0) for polygon in corners])
    values = network.floats(middles)[:, 0]
    figure, axes = plt.subplots()
    draw_cells(axes, corners, values, "output")
    axes.add_collection(LineCollection(part.boundary.near_segments(), color=RED, lw=2))
    axes.set(xlabel="x1", ylabel="x2")
    axes.set_title(f"{len(cells)} cells; at most {part.most} are possible")
    return figure


if __name__ == "__main__":
    picture().savefig("16_regions.svg")
