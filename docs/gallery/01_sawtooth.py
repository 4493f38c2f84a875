"""Every layer of two units doubles the teeth

How fast can depth make a function wiggle? The tent map D, composed with itself by
networks of width 2: with k hidden layers the function has exactly 2^k affine pieces.
The knots drawn are exact, found from the weights alone.

Tags: pieces.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from style import BLUE, RED, styled

from depthsep.analysis import on_interval
from depthsep.constructions import fold_network


@styled
def picture() -> Figure:
    """D, D^2, D^3 and D^6 as networks of width 2."""
    figure, panels = plt.subplots(2, 2, sharex=True, sharey=True)
    for folds, axes in zip((1, 2, 3, 6), panels.flat, strict=True):
        network = fold_network([2] * folds)  # one hidden layer for each fold
        found = on_interval(network, 0, 1)  # its pieces, from the weights alone
        axes.plot(found.knots, found.values, color=BLUE)
        axes.plot(found.knots, found.values, "o", color=RED, ms=2.5)
        layers = "1 hidden layer" if folds == 1 else f"{folds} hidden layers"
        axes.set_title(f"{layers}, {found.pieces} pieces")
        axes.set_ylim(-0.05, 1.08)
    figure.supxlabel("x")
    figure.supylabel("value of the network")
    return figure


if __name__ == "__main__":
    picture().savefig("01_sawtooth.svg")
