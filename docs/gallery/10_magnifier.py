"""A certified network under the magnifier

What does a certificate promise at every single point? The network for sin(20x) at depth
3 looks like the sine; a thousand times closer its error is a curve of more than a
hundred arcs, and not one leaves the band between the proved bounds. The bound is
enclosed over the whole interval; the curve is drawn from points.

Tags: pieces, layers.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, RED, styled

from depthsep import Problem, build


@styled
def picture() -> Figure:
    """The network, its error, and the error on a twentieth of the interval."""
    built = build(Problem("expr:sin(20*x)", accuracy="1e-3"), depth=3)
    network, bound = built.network, float(built.error)
    figure = plt.figure()
    grid = figure.add_gridspec(2, 2)
    above = figure.add_subplot(grid[0, :])
    x = np.linspace(0, 1, 8001)
    values = network.floats(x[:, None])[:, 0]
    above.plot(x, values, color=BLUE)
    above.set_title(f"network of widths {network.widths[0]} and {network.widths[1]}")
    for column, (start, stop) in enumerate([(0, 1), (0.5, 0.55)]):
        axes = figure.add_subplot(grid[1, column])
        x = np.linspace(start, stop, 8001)
        error = network.floats(x[:, None])[:, 0] - np.sin(20 * x)
        axes.plot(x, 1e3 * error, color=BLUE, lw=1)
        for level in (-1e3 * bound, 1e3 * bound):
            axes.axhline(level, color=RED, ls="--", lw=1)
        axes.set(xlabel="x", ylabel="error / $10^{-3}$" if column == 0 else None)
        axes.set_title("its error, with the proved bound" if column == 0 else "closer")
    return figure


if __name__ == "__main__":
    picture().savefig("10_magnifier.svg")
