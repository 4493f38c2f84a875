"""A network times phi, transformed, lives in tubes

What does the proof of Eldan and Shamir see of a network with one hidden layer? In the
plane, each unit times phi has a transform that lives within R of the line along its
weights (left: three units; the lines are the edges of their tubes). A wave of |x| has
its transform on a ring instead (right), and most of that ring lies in no tube. The
squared distance of the two functions under phi^2 is that of their transforms. Sampled:
both are Fourier sums on a grid, cut off at |x| = 20, and the titles say what they leave
outside the tubes.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from scipy.special import j1
from style import styled

from depthsep.special import unit_ball_radius

HALF, CELLS = 20.0, 1024
ANGLES = (0.3, 1.4, 2.5)


def transform(values: np.ndarray) -> np.ndarray:
    """The Fourier integral of samples on the grid, frequencies in order."""
    step = 2 * HALF / CELLS
    return np.abs(np.fft.fftshift(np.fft.fft2(values))) * step**2


@styled
def picture() -> Figure:
    """Transforms of three hard tanh units and of a radial wave, times phi."""
    radius = float(unit_ball_radius(2).mid())
    x = (np.arange(CELLS) + 0.5) * 2 * HALF / CELLS - HALF
    a, b = np.meshgrid(x, x, indexing="ij")
    r = np.hypot(a, b)
    phi = radius * j1(2 * np.pi * radius * r) / r
    ways = [(np.cos(t), np.sin(t)) for t in ANGLES]
    units = sum(np.clip(9 * (c * a + s * b) + 0.5, -1, 1) for c, s in ways)
    wave = np.cos(2 * np.pi * 4 * radius * r)
    xi = np.fft.fftshift(np.fft.fftfreq(CELLS, 2 * HALF / CELLS))
    u, v = np.meshgrid(xi, xi, indexing="ij")
    near = [np.abs(c * v - s * u) <= 1.05 * radius for c, s in ways]
    outside = ~np.logical_or.reduce(near)
    figure, axes = plt.subplots(1, 2)
    for axis, f, name in zip(axes, (units, wave), ("three units", "a wave of |x|")):
        seen = transform(f * phi)
        share = (seen[outside] ** 2).sum() / (seen**2).sum()
        axis.pcolormesh(xi, xi, np.sqrt(seen.T), cmap="Blues", rasterized=True)
        for c, s in ways:
            for side in (-radius, radius):
                line = [(-s * side - 9 * c, -s * side + 9 * c)]
                line += [(c * side - 9 * s, c * side + 9 * s)]
                axis.plot(*line, color="#888888", lw=0.6)
        axis.set(xlim=(-4, 4), ylim=(-4, 4), aspect="equal")
        axis.set_title(f"{name}: {100 * share:.1f} % outside the tubes")
    return figure


if __name__ == "__main__":
    picture().savefig("47_network_transform.svg")
