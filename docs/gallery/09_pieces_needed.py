"""How many pieces do smooth functions need?

How many affine pieces does a function cost at accuracy E? For smooth functions the
count grows like E^(-1/2) (dotted), and for the square root no faster, though it is
steep at 0. Each count is enclosed from both sides (bars, where the sides differ).

Tags: pieces.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import COLOURS, GREY, styled

from depthsep import Segment
from depthsep.approximation import pieces_needed
from depthsep.exact import rational
from depthsep.targets import Expression

FORMULAS = ("sin(20*x)", "1/(1+25*x**2)", "sqrt(x)", "exp(x)", "abs(x-1/3)**1.5")


@styled
def picture() -> Figure:
    """Fewest pieces on [0, 1] against the accuracy, a curve for each formula."""
    accuracies = ("1e-1", "3e-2", "1e-2", "3e-3", "1e-3", "3e-4", "1e-4")
    places = np.array([float(e) for e in accuracies])
    figure, axes = plt.subplots()
    for formula, colour in zip(FORMULAS, COLOURS, strict=False):
        target, on = Expression(formula), Segment(0, 1)
        counts = [pieces_needed(target, on, rational(e)) for e in accuracies]
        lower = np.array([count.lower for count in counts])
        upper = np.array([count.upper for count in counts])
        bars = [upper - lower, 0 * upper]
        axes.errorbar(places, upper, bars, fmt="o-", color=colour, label=formula)
    axes.plot(places, 1.5 / np.sqrt(places), ":", color=GREY, label="slope 1/2")
    axes.set(xscale="log", yscale="log", xlabel="accuracy E in the sup norm")
    axes.set(ylabel="fewest affine pieces", title="Pieces needed on [0, 1]")
    axes.invert_xaxis()
    axes.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("09_pieces_needed.svg")
