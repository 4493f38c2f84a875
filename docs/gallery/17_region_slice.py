"""A plane through ten dimensions

What does a deep network look like where nobody can see it? A plane through three points
of R^10, cut by a network of four hidden layers. Colours show how many units are on; the
lines of one layer bend only where they cross those of earlier ones. All cells are
exact.

Tags: regions, many inputs.
"""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import draw_cells, styled

from depthsep import Network
from depthsep.analysis.regions import Polygon, subdivide
from depthsep.networks import restrict


@styled
def picture() -> Figure:
    """Units that are on, region by region, on a slice of R^10."""
    rng = np.random.default_rng(4)
    pairs = pairwise([10, 12, 12, 12, 12, 1])
    shapes = [shape for a, b in pairs for shape in ((b, a), b)]  # weights, biases
    network = Network.from_arrays(*(rng.normal(0, 0.4, shape) for shape in shapes))
    x0, u, v = rng.standard_normal((3, 10))
    square = Polygon([(-3, -2), (3, -2), (3, 2), (-3, 2)])
    cells = subdivide(restrict(network, 0.3 * x0, u, v), square)
    on = [sum(map(sum, cells[k].pattern)) for k in range(len(cells))]
    figure, axes = plt.subplots()
    draw_cells(axes, cells.near_corners(), on, "units that are on")
    axes.set(xlabel="s", ylabel="t")
    axes.set_title(f"{len(cells)} regions of a network of widths {network.widths}")
    return figure


if __name__ == "__main__":
    picture().savefig("17_region_slice.svg")
