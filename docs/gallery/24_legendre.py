"""Legendre polynomials flatten as the dimension grows

How do the zonal polynomials P_n of the sphere in R^d look? In three dimensions they are
Legendre's; in high dimension they all but vanish where most of the sphere lies (grey:
density of the height t). Values are enclosed, the numbers of harmonics exact.

Tags: radial, many inputs.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import RULE, styled

from depthsep.special import harmonic_dimension, legendre, sphere_density


@styled
def picture() -> Figure:
    """P_1 to P_5 in 3, 6 and 20 dimensions."""
    heights = np.linspace(-1, 1, 257)
    figure, panels = plt.subplots(1, 3, sharex=True, sharey=True)
    for dim, axes in zip((3, 6, 20), panels, strict=True):
        density = float(sphere_density(dim).mid()) * (1 - heights**2) ** ((dim - 3) / 2)
        axes.fill_between(heights, -1, density / density.max() - 1, color=RULE, lw=0)
        for degree in range(1, 6):
            values = [float(legendre(dim, degree, float(t)).mid()) for t in heights]
            count = harmonic_dimension(dim, degree)
            axes.plot(heights, values, label=f"$P_{degree}$: {count:,}")
        axes.set(title=f"d = {dim}", xlabel="height t", ylim=(-1, 2.6))
        axes.set_yticks([-1, -0.5, 0, 0.5, 1])
        axes.legend(title="harmonics", loc="upper left")
    panels[0].set_ylabel("$P_n(t)$")
    return figure


if __name__ == "__main__":
    picture().savefig("24_legendre.svg")
