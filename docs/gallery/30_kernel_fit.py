"""What infinitely wide networks make of eight points

Which function does training find between the data? For infinite width it is the
kernel's fit of least norm: at every depth it meets the points (up to rounding), and
deeper kernels bend more sharply at them. Values are floating point.

Tags: near the start.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import INK, styled

from depthsep.near_init import TangentKernel, fit


def circle(angles: np.ndarray) -> np.ndarray:
    """Points of the unit circle."""
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


@styled
def picture() -> Figure:
    """Fits by tangent kernels of depth 2, 4 and 16."""
    angles = np.array([-2.8, -1.9, -1.2, -0.3, 0.6, 1.3, 2.2, 2.9])
    values = np.sin(2 * angles) + np.cos(angles) / 2
    grid = np.linspace(-np.pi, np.pi, 721)
    figure, axes = plt.subplots()
    for depth in (2, 4, 16):
        kernel = TangentKernel("relu", depth, weight_variance=2, bias_variance=0.1)
        solved = fit(kernel(circle(angles)), values)
        fitted = solved.predict(kernel(circle(grid), circle(angles)))
        axes.plot(grid, fitted, label=f"kernel of depth {depth}")
    axes.plot(angles, values, "o", color=INK, label="data")
    axes.set(xlabel="angle on the circle", ylabel="value", ylim=(None, 2.2))
    axes.set_xticks([-np.pi, 0, np.pi], ["-π", "0", "π"])
    axes.legend(ncols=2)
    return figure


if __name__ == "__main__":
    picture().savefig("30_kernel_fit.svg")
