"""The rate of sampling does not feel the dimension

How does the error of sampled networks fall with the width? For Gaussians in 2, 10 and
50 dimensions it follows the slope -1/2 of Barron's theorem. Dots are sampled, with two
standard errors; dashed lines are proved bounds of the root of the mean square.

Tags: infinite width, sampling, many inputs.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import COLOURS, plain_ticks, styled

from depthsep.infinite_width import Gaussian, barron_thresholds, error_against_width

WIDTHS = (16, 64, 256, 1024)


@styled
def picture() -> Figure:
    """Root mean square errors against the width, and what is proved."""
    figure, axes = plt.subplots()
    for dim, colour in zip((2, 10, 50), COLOURS, strict=False):
        gaussian = Gaussian(dim, "1/2")
        representation = barron_thresholds(gaussian, radius=1)
        found = error_against_width(representation, gaussian.floats, WIDTHS)
        squares = np.array([e.mean_squared_error for e in found])
        margin = 2 * np.array([e.standard_error for e in found])
        ends = np.sqrt(np.maximum([squares - margin, squares + margin], 0))
        errors = np.sqrt(squares)
        axes.errorbar(WIDTHS, errors, abs(ends - errors), fmt="o-", color=colour)
        bounds = np.sqrt([e.bound for e in found])
        axes.plot(WIDTHS, bounds, "--", color=colour, label=f"d = {dim}")
    axes.plot([], [], "ko-", label="measured")
    axes.plot([], [], "k--", label="proved bound")
    axes.set(xscale="log", yscale="log", xlabel="width")
    axes.set_ylabel("root mean square error")
    plain_ticks(axes.xaxis, WIDTHS)
    axes.legend(ncols=2)
    return figure


if __name__ == "__main__":
    picture().savefig("26_barron.svg")
