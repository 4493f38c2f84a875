"""A product of two numbers as a sum of ridges

How does one hidden layer multiply? As a sum of functions of x1 + x2 and of x1 - x2: a
convex and a concave parabola, both made of affine pieces. The ridges are read off the
network's weights exactly; on the right its error, in floating point.

Tags: two inputs.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import styled

from depthsep import Problem, build
from depthsep.analysis import ridge_sum


@styled
def picture() -> Figure:
    """The ridges of a certified network, and its error."""
    problem = Problem("product", accuracy="1e-2")
    built = build(problem, depth=2)
    figure, (left, right) = plt.subplots(1, 2)
    for ridge in ridge_sum(built.network, problem.law.box).ridges:
        on = ridge.on
        t = np.linspace(float(on.start), float(on.stop), 401)
        sign = "+" if ridge.direction[1] > 0 else "-"
        name = f"of t = x1 {sign} x2"
        left.plot(t, ridge.network.floats(t[:, None])[:, 0], label=name)
    left.set(xlabel="t", ylabel="value", title=f"ridges of {built.network.units} units")
    left.legend(loc="center")
    side = np.linspace(-1, 1, 301)
    points = np.stack(np.meshgrid(side, side), axis=-1)
    error = built.network.floats(points)[..., 0] - points.prod(axis=-1)
    colours = right.pcolormesh(side, side, error, cmap="cividis", rasterized=True)
    figure.colorbar(colours, ax=right, shrink=0.7)
    right.set(xlabel="x1", ylabel="x2", aspect="equal", title="network minus x1 x2")
    right.grid(visible=False)
    return figure


if __name__ == "__main__":
    picture().savefig("13_product_ridges.svg")
