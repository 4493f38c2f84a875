"""A network that writes numbers in base two

Can a piecewise-affine network read off binary digits? It can, away from the jumps: each
row is one output of the network, exact at the midpoints of all 32 cells (dots).

Tags: layers, pieces.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, RED, styled

from depthsep.constructions import binary_digits

BITS = 5


@styled
def picture() -> Figure:
    """The first five binary digits of x, as the network gives them."""
    network = binary_digits(BITS)
    x = np.linspace(0, 1, 4001)
    middles = (np.arange(2**BITS) + 0.5) / 2**BITS
    curves = network.floats(x[:, None])
    exact = [[float(v.p) / float(v.q) for v in network([m])] for m in middles]
    figure, panels = plt.subplots(BITS, 1, sharex=True, sharey=True)
    for k, axes in enumerate(panels):
        axes.plot(x, curves[:, k], color=BLUE)
        axes.plot(middles, np.array(exact)[:, k], "o", color=RED, ms=3)
        axes.set(ylabel=f"digit {k + 1}", yticks=(0, 1))
    panels[0].set_title(f"{network.hidden_layers} hidden layers, {network.units} units")
    panels[-1].set_xlabel("x")
    return figure


if __name__ == "__main__":
    picture().savefig("36_binary_digits.svg")
