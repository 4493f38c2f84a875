"""What a wave costs at every depth

How wide must a network be that follows sin(20x) on [0, 1] up to a hundredth? Dots are
networks that were built and examined (error enclosed in ball arithmetic); bars reach up
to the width that is proved to be needed, from the fewest pieces that fit.

Tags: width.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from style import BLUE, RED, styled

from depthsep import Problem, separate


@styled
def picture() -> Figure:
    """Proven widths as bars, certified ones as dots."""
    table = separate(Problem("expr:sin(20*x)", accuracy="1/100"), depths=range(2, 8))
    depths = [row.depth for row in table]
    upper = [row.upper.width for row in table]
    lower = [row.lower.width for row in table]
    figure, axes = plt.subplots()
    axes.bar(
        depths, lower, width=0.5, color=RED, alpha=0.75, label="proven: at least this"
    )
    axes.plot(depths, upper, "o", color=BLUE, ms=8, label="certified: this is enough")
    for depth, high, low in zip(depths, upper, lower, strict=True):
        axes.annotate(
            f"{low} to {high}",
            (depth, high),
            (0, 9),
            textcoords="offset points",
            ha="center",
        )
    axes.set(
        xlabel="depth (affine layers)", ylabel="width", ylim=(0, 1.15 * max(upper))
    )
    axes.set_title("The least width lies between bar and dot")
    axes.grid(axis="x", visible=False)
    axes.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("04_sine_width.svg")
