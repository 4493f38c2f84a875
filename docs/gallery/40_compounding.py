"""Errors of finite width shrink, or compound

What does a width of 128 cost the first layer over time? With the symmetry ever less;
where the target pulls particles off a line, exponentially more at first (three starts).

Tags: training, infinite width.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import COLOURS, styled

from depthsep.dynamics import RadialTask, couple, near_a_line

WIDTH, SEEDS = 128, range(3)
SHARED = {"pairs": 512, "time": 100.0, "records": 25}


def symmetric(seed: int) -> np.ndarray:
    """The cost at the records, where target and start have the symmetry."""
    return couple(RadialTask(4, WIDTH, seed=seed, **SHARED)).gap


def line(seed: int) -> np.ndarray:
    """The same for a target of one coordinate and a start along another."""
    start = {"subspace": 1, "weights": near_a_line(512, 4, 0.02, seed)}
    task = RadialTask(4, 512, seed=seed, **start, **SHARED)
    return couple(task, WIDTH).gap


@styled
def picture() -> Figure:
    """Bands over starts, against time."""
    figure, axes = plt.subplots()
    for cost, colour in zip((symmetric, line), COLOURS, strict=False):
        found = np.array([cost(seed) for seed in SEEDS])
        times = np.linspace(0, SHARED["time"], found.shape[1])
        axes.fill_between(times, found.min(0), found.max(0), alpha=0.25, color=colour)
        axes.plot(times, np.median(found, axis=0), color=colour, label=cost.__name__)
    axes.set(yscale="log", xlabel="time", ylabel="E(F - F_bar)² / E F_bar²")
    axes.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("40_compounding.svg")
