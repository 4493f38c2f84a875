"""Gradient descent learns a cone

What happens when a mean-field network of three layers and infinite width learns relu(1
- |x|) in R^4? Left: its macroscopic variable alpha tends to the value that theory gives
(enclosed). Right: the network as a function of |x|. The flow is solved in floating
point.

Tags: training, infinite width.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, COLOURS, RED, styled

from depthsep.dynamics import RadialTask, infinite_width, limit_alpha


@styled
def picture() -> Figure:
    """alpha against time, and the profile of the network at four times."""
    task = RadialTask(dim=4, width=128, pairs=64, time=100.0, records=50)
    limit = infinite_width(task)
    flow, radii = limit.flow, np.linspace(0, 1.6, 321)
    figure, (left, right) = plt.subplots(1, 2)
    left.plot(limit.times, flow.alpha, color=BLUE, label="along the flow")
    end = float(limit_alpha(task.dim, task.alpha, task.slope).mid())
    left.axhline(end, color=RED, ls="--", label="where it must end")
    left.set(xlabel="time", ylabel="alpha", ylim=(None, 1.02 * end))
    left.legend()
    for k, colour in zip((0, 3, 8, 50), COLOURS, strict=False):
        before = np.outer(flow.alpha[k] * flow.slopes[k], radii)
        after = np.maximum(before + flow.offsets[k][:, None], 0)
        values = (flow.scales[k][:, None] * after).mean(axis=0)
        right.plot(radii, values, color=colour, label=f"time {limit.times[k]:g}")
    right.plot(radii, task.profile.floats(radii), "k:", label="target")
    right.set(xlabel="|x|", ylabel="network")
    right.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("32_mean_field.svg")
