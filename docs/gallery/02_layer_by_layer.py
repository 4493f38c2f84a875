"""How a network squares a number, layer by layer

What do the units of a network that computes x^2 see? Each panel shows the units of one
hidden layer as functions of the input: each layer folds the one before again, and one
unit (orange) carries the sum found so far. The error is exact.

Tags: pieces, layers.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, ORANGE, styled

from depthsep import Problem, build
from depthsep.networks import Network


@styled
def picture() -> Figure:
    """The units of the three hidden layers, and the output."""
    built = build(Problem("square", accuracy="1/1000"), depth=4)
    x = np.linspace(0, 1, 801)
    figure, panels = plt.subplots(2, 2, sharex=True)
    for k, axes in enumerate(panels.flat, start=1):
        first_layers = Network(built.network.layers[:k])
        values = first_layers.floats(x[:, None])
        hidden = k < built.network.depth
        shown = np.maximum(values, 0) if hidden else values
        carried = hidden and k > 1
        for unit in range(shown.shape[1]):
            last = carried and unit == shown.shape[1] - 1
            axes.plot(x, shown[:, unit], color=ORANGE if last else BLUE)
        output = f"output, within {float(built.error):.5f} of $x^2$"
        axes.set_title(f"units of hidden layer {k}" if hidden else output)
    figure.supxlabel("x")
    figure.supylabel("value")
    return figure


if __name__ == "__main__":
    picture().savefig("02_layer_by_layer.svg")
