"""The signed measure behind Barron's theorem

Which thresholds 1[wx >= b] make up a Gaussian on [-1, 1]? Their density q(w, b) fades
with the frequency w like the Gaussian's transform and changes its sign with the offset
b, which reaches |w| at most (white V). The formula is exact, the values are floating
point.

Tags: infinite width, sampling.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import styled

from depthsep.infinite_width import Gaussian, threshold_density


@styled
def picture() -> Figure:
    """The density over w and b, for the Gaussian with sigma = 1/4."""
    gaussian = Gaussian(1, "1/4")
    w, b = np.meshgrid(np.linspace(-2, 2, 401), np.linspace(0, 2, 201))
    density = threshold_density(gaussian, w.reshape(-1, 1), b.ravel()).reshape(w.shape)
    figure, axes = plt.subplots()
    most = abs(density).max()
    shown = np.where(b > abs(w), np.nan, density)
    colours = axes.pcolormesh(
        w, b, shown, cmap="PuOr", vmin=-most, vmax=most, rasterized=True
    )
    figure.colorbar(colours, ax=axes, label="q(w, b)")
    axes.set(xlabel="frequency w", ylabel="offset b")
    axes.set_title("a Gaussian of deviation 1/4 as an integral of thresholds")
    axes.grid(visible=False)
    return figure


if __name__ == "__main__":
    picture().savefig("27_measure.svg")
