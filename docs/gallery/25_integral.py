"""From an integral over thresholds to finite networks

A function of one variable is an integral of thresholds with density |g'|; what do
finite samples of it look like? Networks with 10, 100 and 1000 random steps (sampled)
approach the sine like one over the root of the width, as the bound promises in the
mean.

Tags: infinite width, sampling.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, INK, styled

from depthsep import Segment
from depthsep.infinite_width import univariate
from depthsep.targets import Expression


@styled
def picture() -> Figure:
    """Three sampled networks over the target."""
    target, on = Expression("sin(7*x)"), Segment(0, 1)
    representation = univariate(target, on)
    x = np.linspace(0, 1, 2001)
    figure, panels = plt.subplots(1, 3, sharey=True)
    for width, axes in zip((10, 100, 1000), panels, strict=True):
        network = representation.network(width, seed=1)
        axes.plot(x, network.floats(x[:, None])[:, 0], color=BLUE, label="network")
        axes.plot(x, target.floats(x), color=INK, ls="--", lw=1, label="target")
        axes.set(title=f"{width} thresholds", xlabel="x")
    panels[0].set_ylabel("value")
    panels[2].legend()
    return figure


if __name__ == "__main__":
    picture().savefig("25_integral.svg")
