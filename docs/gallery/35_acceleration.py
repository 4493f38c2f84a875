"""Depth can speed up linear regression

A product of matrices computes no more than one matrix; can it learn faster? On an l_4
regression gradient descent on two and on three layers overtakes one layer, each method
at the best of nine rates (sampled).

Tags: training.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import styled

from depthsep.dynamics import AccelerationPlan, accelerate, regression


@styled
def picture() -> Figure:
    """Loss above the least against steps."""
    plan = AccelerationPlan(steps=800, rates=9, optimisers=("momentum",))
    found = accelerate(regression("synthetic"), plan)
    figure, axes = plt.subplots()
    for method in found.methods:
        line = "-" if "layer" in method.method else "--"
        excess = np.maximum(method.losses / found.best_loss - 1, 1e-9)
        axes.plot(found.steps[1:], excess[1:], line, label=method.method)
    axes.set(xscale="log", yscale="log", xlabel="steps", ylabel="loss / least loss - 1")
    axes.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("35_acceleration.svg")
