"""Choosing well beats choosing at random

How close does the mean of k features come to the mean of a thousand? Random choices
miss by variance / k in the mean (dashed, exact for this law); Maurey's lemma says that
some choice does no worse, and the greedy one (computed in floating point) does far
better.

Tags: sampling.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, GREEN, RED, plain_ticks, styled

from depthsep.infinite_width import FiniteLaw, Gaussian, barron_thresholds

COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


@styled
def picture() -> Figure:
    """Squared errors of random and of greedy choices, against k."""
    rng = np.random.default_rng(0)
    drawn = barron_thresholds(Gaussian(2, "1/2")).draw(1000, rng)
    points = rng.uniform(-0.7, 0.7, (400, 2))
    on = points @ drawn.directions.T >= drawn.offsets
    law = FiniteLaw((on * drawn.weights).T / 20, np.full(1000, 1 / 1000))
    figure, axes = plt.subplots()
    for seed in range(8):
        errors = [law.squared_error(law.sample(k, seed)) for k in COUNTS]
        axes.plot(COUNTS, errors, "o", color=BLUE, alpha=0.5, mew=0)
    axes.plot([], [], "o", color=BLUE, label="eight random choices")
    expected = law.variance / np.array(COUNTS)
    axes.plot(COUNTS, expected, "--", color=RED, label="variance / k")
    greedy = law.greedy(max(COUNTS))
    errors = [law.squared_error(greedy[:k]) for k in COUNTS]
    axes.plot(COUNTS, errors, "s-", color=GREEN, label="greedy choice")
    axes.set(xscale="log", yscale="log", xlabel="features k", ylabel="squared error")
    plain_ticks(axes.xaxis, COUNTS)
    axes.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("38_greedy.svg")
