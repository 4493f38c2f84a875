"""Training misses what a construction finds

Does gradient descent find the networks that are known to exist? For the sawtooth with
32 pieces a network of width 2 and depth 6 has error 0; a short training of networks
eight times as wide misses many teeth. Both errors are measured exactly, but that
training found nothing better is sampled and proves nothing.

Tags: training, width.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, GREEN, GREY, styled

from depthsep import Problem, build
from depthsep.claims import TrainingPlan
from depthsep.dynamics import learn_target


@styled
def picture() -> Figure:
    """The trained network over the target, beside the constructed one."""
    problem = Problem("sawtooth:5", norm="l1", accuracy="1/1000")
    plan = TrainingPlan(widths=(16,), restarts=2, steps=600)
    learned = learn_target(problem, 6, plan)
    built = build(problem, depth=6)
    x = np.linspace(0, 1, 1601)
    figure, panels = plt.subplots(2, 1, sharex=True, sharey=True)
    rows = [
        ("constructed", built.network, built.error, BLUE),
        ("trained", learned.network, learned.error, GREEN),
    ]
    for axes, (name, network, error, colour) in zip(panels, rows, strict=True):
        axes.plot(x, problem.target.floats(x), color=GREY, lw=4, alpha=0.35)
        axes.plot(x, network.floats(x[:, None])[:, 0], color=colour)
        about = f"width {network.width}, mean error {float(error):.3g}"
        axes.set_title(f"{name}: depth {network.depth}, {about}")
    figure.supxlabel("x")
    figure.supylabel("value (grey: the sawtooth)")
    return figure


if __name__ == "__main__":
    picture().savefig("12_trained.svg")
