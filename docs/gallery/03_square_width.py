"""Width against depth for x^2: two sides that nearly meet

How wide must a network of each depth be to stay within 10^-6 of x^2 on [0, 1]? A
network of the upper width exists and was examined; below the lower width there is none.
Both are exact, and at most two units apart.

Tags: width.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from style import BLUE, RED, RULE, styled

from depthsep import Problem, separate


@styled
def picture() -> Figure:
    """Certified and proven widths at depths 2 to 8."""
    table = separate(Problem("square", accuracy="1e-6"), depths=range(2, 9))
    depths = [row.depth for row in table]
    upper = [row.upper.width for row in table]
    lower = [row.lower.width for row in table]
    figure, axes = plt.subplots()
    axes.fill_between(depths, lower, upper, color=RULE)
    axes.plot(depths, upper, "o-", color=BLUE, label="certified: such a network exists")
    axes.plot(depths, lower, "^-", color=RED, label="proven: no narrower one does")
    for depth, high, low in zip(depths, upper, lower, strict=True):
        axes.text(depth + 0.08, 1.1 * high, high, color=BLUE)
        axes.text(depth - 0.08, 0.75 * low, low, color=RED, ha="right")
    axes.set(yscale="log", ylim=(1, 900), xlabel="depth", ylabel="width")
    axes.set_title("Networks within $10^{-6}$ of $x^2$ on [0, 1]")
    axes.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("03_square_width.svg")
