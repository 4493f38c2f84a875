"""One hidden layer against two, as the dimension grows

How wide must a network be for a wave of the inner product of two points on spheres, or
of |x|, within 1/10 in L2? At depth 2 the proven width grows exponentially with d,
whatever the activation; at depth 3 a network of moderate width exists. All bounds are
enclosed.

Tags: radial, width, many inputs.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from style import BLUE, RED, styled

from depthsep.exact import rational
from depthsep.papers import daniely_row, eldan_shamir_row


@styled
def picture() -> Figure:
    """log2 of the width against d: two papers' examples, both sides."""
    accuracy, dims = rational("1/10"), (3, 5, 7, 9, 12)
    inner = [daniely_row(d, accuracy) for d in dims]
    radial = [eldan_shamir_row("triangle:4", d, accuracy) for d in dims]
    figure, axes = plt.subplots()
    families = ((inner, "-", "sin(pi d$^3$ <x, x'>)"), (radial, "--", "wave of |x|"))
    for rows, line, name in families:
        lower, upper = [row.lower for row in rows], [row.upper for row in rows]
        axes.plot(dims, lower, f"^{line}", color=RED, label=f"depth 2, proven: {name}")
        axes.plot(
            dims, upper, f"o{line}", color=BLUE, label=f"depth 3, certified: {name}"
        )
    axes.set(xlabel="dimension d", ylabel="log2 of the width")
    axes.set_xticks(dims)
    axes.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("22_two_against_three_proved.svg")
