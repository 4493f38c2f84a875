"""The narrowest networks found so far

How much room is left for a better search? Each row is a standard problem on an interval
in the sup norm: from the width that is proved to be needed (triangle) to that of the
narrowest network found so far (dot). Both are enclosed; a network of the proven width
could not be beaten.

Tags: width, records.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from style import BLUE, RED, RULE, plain_ticks, styled

from depthsep.constructions import RECORDS
from depthsep.separation import best_lower


@styled
def picture() -> Figure:
    """A dumbbell for each of the problems in the sup norm."""
    alike = [r for r in RECORDS if (r.norm, r.accuracy) == ("linf", "1e-3")]
    chosen = [r for r in alike if r.problem.law.in_dim == 1]
    figure, axes = plt.subplots()
    for place, record in enumerate(reversed(chosen)):
        low = best_lower(record.problem, record.depth).width
        high = record.network.width
        axes.plot([low, high], [place, place], color=RULE, lw=6, zorder=1)
        axes.plot(high, place, "o", color=BLUE, ms=8)
        axes.plot(low, place, "^", color=RED, ms=6)
    names = [f"{r.target}, depth {r.depth}" for r in reversed(chosen)]
    axes.set_yticks(range(len(chosen)), [n.removeprefix("expr:") for n in names])
    axes.set(xscale="log", xlabel="width of networks within 1/1000 in the sup norm")
    plain_ticks(axes.xaxis, range(2, 11))
    axes.grid(axis="y", visible=False)
    return figure


if __name__ == "__main__":
    picture().savefig("11_records.svg")
