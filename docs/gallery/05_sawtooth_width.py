"""A sawtooth of a million pieces needs depth

What do shallow networks pay for 2^20 affine pieces? Widths at each depth for the
sawtooth, up to 1/20 in the mean: from hundreds of thousands of units in one hidden
layer down to two. Both sides are exact; hollow marks are networks too large to build,
which rest on their theorem.

Tags: width.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from style import BLUE, RED, styled

from depthsep import Problem, separate


@styled
def picture() -> Figure:
    """Certified and proven widths on a logarithmic axis."""
    problem = Problem("sawtooth:20", norm="l1", accuracy="1/20")
    depths = (2, 3, 4, 5, 6, 8, 11, 16, 21)
    table = separate(problem, depths=depths)
    figure, axes = plt.subplots()
    upper = [row.upper.width for row in table]
    lower = [row.lower.width for row in table]
    axes.plot(depths, upper, color=BLUE)
    for row in table:
        face = BLUE if row.upper.checked else "white"
        axes.plot(row.depth, row.upper.width, "o", color=BLUE, mfc=face, ms=7)
    axes.plot([], [], "o-", color=BLUE, label="certified: such a network exists")
    axes.plot(
        depths, lower, "^--", color=RED, ms=5, label="proven: no narrower one does"
    )
    axes.set_yscale("log", base=2)
    axes.set_xticks(depths)
    axes.set(xlabel="depth (affine layers)", ylabel="width")
    axes.set_title("Width of networks for the sawtooth with $2^{20}$ pieces")
    axes.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("05_sawtooth_width.svg")
