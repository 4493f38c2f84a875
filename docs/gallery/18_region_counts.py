"""Regions of random networks against what is possible

How many regions does a network have? Random ones (dots, counted exactly on a square)
have far fewer than their widths allow: some network has as many as the lower line says,
and none has more than the upper one (cited theorems).

Tags: regions.
"""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, GREEN, RED, styled

from depthsep import Network
from depthsep.analysis import most_regions, regions_reached
from depthsep.analysis.regions import regions
from depthsep.laws import Box, Segment


@styled
def picture() -> Figure:
    """Counts on [-1, 1]^2 for ten networks of every depth, and two bounds."""
    rng, square = np.random.default_rng(0), Box.cube(Segment(-1, 1), 2)
    layers, figure = range(1, 5), plt.figure()
    axes = figure.add_subplot()
    most = [most_regions((8,) * k, 2) for k in layers]
    axes.plot(layers, most, "v-", color=RED, label="no network has more")
    reached = [regions_reached((8,) * k, 2) for k in layers]
    axes.plot(layers, reached, "^-", color=GREEN, label="some network has as many")
    for k in layers:
        shapes = [s for a, b in pairwise([2, *[8] * k, 1]) for s in ((b, a), b)]
        draws = [map(rng.standard_normal, shapes) for _ in range(10)]
        nets = [Network.from_arrays(*arrays) for arrays in draws]
        counts = [regions(net, square).activation_regions for net in nets]
        axes.plot([k] * 10, counts, "o", color=BLUE, alpha=0.5, mew=0)
    axes.plot([], [], "o", color=BLUE, label="random networks")
    axes.set(yscale="log", xticks=layers, ylabel="regions in the plane")
    axes.set_xlabel("hidden layers of eight units")
    axes.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("18_region_counts.svg")
