"""Folds turn one interpolant of x^2 into the next

How do networks square a number? The interpolant at 2^i cells (left, lowered for sight)
and the next one differ by a sawtooth (right): D^(i+1) / 4^(i+1), two more units. With
skip connections h_i takes 2 i units, and its error is 4^(-i-1), exactly.

Tags: layers, pieces.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from style import styled

from depthsep.analysis import on_interval
from depthsep.constructions import square_with_skips


@styled
def picture() -> Figure:
    """h_1 to h_4 on [0, 1], and the differences of neighbours."""
    figure, (left, right) = plt.subplots(1, 2)
    functions = [on_interval(square_with_skips(i), 0, 1) for i in range(1, 6)]
    for i, h in enumerate(functions[:4], start=1):
        x, lowered = h.knots.astype(float), h.values.astype(float) - 0.15 * (i - 1)
        left.plot(x, lowered, marker=".", label=f"$h_{i}$: {2 * i} units")
        step = h - functions[i]
        x, values = step.knots.astype(float), step.values.astype(float)
        right.plot(x, values, label=f"$h_{i} - h_{i + 1}$")
    left.set(xlabel="x", title="Interpolants of $x^2$")
    right.set(xlabel="x", title="What the next layer adds")
    left.legend()
    right.set_ylim(top=0.08)
    right.legend(loc="upper center", ncols=2)
    return figure


if __name__ == "__main__":
    picture().savefig("42_interpolants.svg")
