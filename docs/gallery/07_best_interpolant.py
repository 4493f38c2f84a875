"""The best six pieces for the square root

Where does the best piecewise-affine function put its knots? They crowd at 0, where the
root is steep, and on every piece the error touches E and -E, so no six pieces do
better. The least error E is enclosed: found by exact decisions for an interpolant of
the root that is proved to be much closer than E.

Tags: pieces.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, GREY, RED, styled

from depthsep import Segment
from depthsep.approximation import best_error, best_interpolant, linearise
from depthsep.exact import rational
from depthsep.targets import Expression


@styled
def picture() -> Figure:
    """The root with its best interpolant above, the error below."""
    fine = linearise(Expression("sqrt(x)"), Segment(0, 1), rational("1e-5"))
    least = best_error(fine.function, 6, continuous=True)
    best = best_interpolant(fine.function, least.upper)
    edge, knots = float(least.upper), best.knots.astype(float)
    x = np.linspace(0, 1, 401) ** 3  # most points where the root is steep
    figure, (top, bottom) = plt.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    top.plot(x, np.sqrt(x), color=GREY, lw=4, alpha=0.4, label="square root")
    top.plot(knots, best.floats(knots), "o-", color=BLUE, label="best six pieces")
    top.set_title(f"The least error with six pieces is E = {edge:.5f}")
    top.legend()
    x = np.union1d(x, knots)
    bottom.plot(x, best.floats(x) - np.sqrt(x), color=BLUE)
    for level in (-edge, edge):
        bottom.axhline(level, color=RED, ls="--")
    bottom.set(xlabel="x", ylabel="error", yticks=(-edge, 0, edge))
    bottom.set_yticklabels(["-E", "0", "E"])
    return figure


if __name__ == "__main__":
    picture().savefig("07_best_interpolant.svg")
