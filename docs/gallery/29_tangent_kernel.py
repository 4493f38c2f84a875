"""Tangent kernels of finite networks tend to their limit

What does a network's kernel look like before training? For pairs of points on a circle,
at three widths (three random networks each), beside the closed form for infinite width:
the spread about halves when the width is four times as large. Floating point.

Tags: near the start.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, INK, styled

from depthsep.near_init import TangentKernel, finite_network


@styled
def picture() -> Figure:
    """The kernel of the point at angle 0 and the one at angle t, depth 3."""
    kernel = TangentKernel("relu", depth=3, weight_variance=2)
    angles = np.linspace(0, np.pi, 61)
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    limit = kernel(points[:1], points)[0]
    figure, panels = plt.subplots(1, 3, sharey=True)
    for width, axes in zip((32, 128, 512), panels, strict=True):
        for seed in range(3):
            network, layers = finite_network(kernel, dim=2, width=width, seed=seed)
            finite = np.sum(network.kernel(layers, points), axis=0)[0]
            label = "finite" if seed == 0 else None
            axes.plot(angles, finite, color=BLUE, lw=1, label=label)
        axes.plot(angles, limit, "--", color=INK, label="infinite")
        axes.set(title=f"width {width}", xlabel="angle")
        axes.set_xticks([0, np.pi / 2, np.pi], ["0", "π/2", "π"])
    panels[0].set_ylabel("tangent kernel")
    panels[2].legend()
    return figure


if __name__ == "__main__":
    picture().savefig("29_tangent_kernel.svg")
