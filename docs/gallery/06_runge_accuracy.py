"""Width against accuracy for Runge's function

How fast does the width grow as 1/(1 + 25x^2) is followed more closely? With one hidden
layer like E^(-1/2), deeper far more slowly. Each band runs from the proven to the
certified width (both enclosed); the least width lies within it.

Tags: width.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from style import BLUE, RED, RULE, styled

from depthsep import Problem, Segment, separate

ACCURACIES = ("3e-2", "1e-2", "3e-3", "1e-3", "3e-4")
DEPTHS = (2, 3, 4)


@styled
def picture() -> Figure:
    """A panel with a band for each depth."""
    target, on = "expr:1/(1+25*x**2)", Segment(-1, 1)
    problems = [Problem(target, on, accuracy=e) for e in ACCURACIES]
    tables = [separate(problem, depths=DEPTHS) for problem in problems]
    places = [float(e) for e in ACCURACIES]
    figure, panels = plt.subplots(1, 3, sharex=True, sharey=True)
    for depth, axes in zip(DEPTHS, panels, strict=True):
        lower = [table[depth].lower.width for table in tables]
        upper = [table[depth].upper.width for table in tables]
        axes.fill_between(places, lower, upper, color=RULE)
        axes.plot(places, upper, "o-", color=BLUE, label="certified")
        axes.plot(places, lower, "^-", color=RED, label="proven")
        axes.set_title(f"depth {depth}")
    panels[0].set(xscale="log", yscale="log", ylabel="width")
    panels[0].set_yticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    panels[0].invert_xaxis()
    panels[1].set_xlabel("accuracy E in the sup norm")
    panels[1].legend(loc="upper left")
    return figure


if __name__ == "__main__":
    picture().savefig("06_runge_accuracy.svg")
