"""A staircase is climbed from below

What training finds of x_1, x_1 x_2, ... in their sum, over time. Left: both layers
learn. Right: the first rests from time 3, and the higher stairs stay out of reach.

Tags: training, many inputs.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from style import COLOURS, styled

from depthsep.dynamics import Staircase, learn_staircase

REST = 3.0


@styled
def picture() -> Figure:
    """Coefficients of the network at each monomial, against time."""
    figure, panels = plt.subplots(1, 2, figsize=(8.0, 3.4), sharey=True)
    for axes, frozen in zip(panels, (None, REST), strict=True):
        found = learn_staircase(Staircase(frozen=frozen))
        for k, (column, colour) in enumerate(
            zip(found.coefficients.T, COLOURS, strict=False), start=1
        ):
            axes.plot(found.times, column, color=colour, label=f"k = {k}")
        axes.axhline(1, color="gray", linewidth=0.8, linestyle=":")
        axes.set(xlabel="time")
        axes.set_title("both layers learn" if frozen is None else "the first rests")
    panels[1].axvline(REST, color="gray", linewidth=0.8)
    panels[0].set_ylabel("E f x_1 ... x_k")
    panels[0].legend()
    return figure


if __name__ == "__main__":
    picture().savefig("41_staircase.svg")
