"""Errors of finite width shrink with the symmetry, and compound without it

What does a width of 128 cost the first layer, as a function, over time? With the
symmetry the cost only falls. Where the target pulls particles away from the line they
start on, it grows exponentially until they have left. Bands: five starts.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import COLOURS, styled

from depthsep.dynamics import RadialTask, couple, near_a_line

WIDTH, SEEDS = 128, range(5)
SHARED = {"pairs": 1024, "time": 100.0, "records": 25}


def symmetric(seed: int) -> np.ndarray:
    """The cost at the records, where target and start have the symmetry."""
    return couple(RadialTask(4, WIDTH, seed=seed, **SHARED)).gap


def on_a_line(seed: int) -> np.ndarray:
    """The same for a target of one coordinate and a start along another."""
    start = near_a_line(1024, 4, 0.02, seed)
    task = RadialTask(4, 1024, subspace=1, weights=start, seed=seed, **SHARED)
    return couple(task, WIDTH).gap


@styled
def picture() -> Figure:
    """Bands over starts, against time."""
    figure, axes = plt.subplots()
    cases = (("with the symmetry", symmetric), ("close to a line", on_a_line))
    for (name, cost), colour in zip(cases, COLOURS, strict=False):
        found = np.array([cost(seed) for seed in SEEDS])
        times = np.linspace(0, SHARED["time"], found.shape[1])
        axes.fill_between(times, found.min(axis=0), found.max(axis=0), alpha=0.25,
                          color=colour)  # fmt: skip
        axes.plot(times, np.median(found, axis=0), color=colour, label=name)
    axes.set(yscale="log", xlabel="time", ylabel="E(F - F_bar)² / E F_bar²")
    axes.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("40_compounding.svg")
