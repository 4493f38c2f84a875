"""A radial wave, and a network of depth 3 that follows it

How do two hidden layers follow a function of |x|? The first adds up squares, the second
is the profile. Dots are values of a certified network at random points of R^3
(sampled); its L2 error under the law phi^2 (density below) is enclosed.

Tags: radial, many inputs.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import GREEN, GREY, RED, styled

from depthsep import Problem, build
from depthsep.exact import rational
from depthsep.laws import SquaredTransform
from depthsep.targets import Radial


@styled
def picture() -> Figure:
    """Target and network against |x|, above the density of |x|."""
    law = SquaredTransform(3)
    problem = Problem(Radial("triangle:4", 3), law, norm="l2", accuracy="1/10")
    built = build(problem, depth=3)
    points = law.sample(800, seed=0)
    lengths = np.linalg.norm(points, axis=1)
    radii = np.linspace(0, 1.8, 1441)
    ray = radii[:, None] * np.array([1.0, 0, 0])
    figure, (top, bottom) = plt.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    goal, values = problem.target.floats(ray), built.network.floats(points)[:, 0]
    top.plot(radii, goal, color=GREY, lw=4, alpha=0.4, label="target")
    top.plot(lengths, values, ".", color=RED, ms=4, label="network")
    top.set(xlim=(0, 1.8), ylabel="value")
    a, b = built.network.widths
    top.set_title(f"widths {a} and {b}, L2 error at most {float(built.error):.3f}")
    top.legend(loc="upper left")
    density = [float(law.density(rational(r)).mid()) for r in radii[1:]]
    bottom.fill_between(radii[1:], density, color=GREEN, alpha=0.4, lw=0)
    bottom.set(xlabel="|x|", ylabel="density", ylim=(0, None))
    return figure


if __name__ == "__main__":
    picture().savefig("21_radial_network.svg")
