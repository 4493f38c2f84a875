"""A network times phi, transformed, lives in tubes

What does the proof of Eldan and Shamir see of a network with one hidden layer? Times phi,
in the plane, each of its three units has a transform that lives within R of the line
along its weights (left). A wave of |x| has its transform on a ring (right), and much of
it lies in no tube. Sampled: Fourier sums on a grid, cut off at |x| = 20.

Tags: transforms, radial, two inputs.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import styled

from depthsep.exact import rational
from depthsep.special import unit_ball_radius, unit_ball_transform


@styled
def picture() -> Figure:
    """Transforms of three hard tanh units and of a radial wave, times phi."""
    radius, x = float(unit_ball_radius(2).mid()), (np.arange(1024) - 511.5) / 25.6
    a, b = np.meshgrid(x, x, indexing="ij")
    near = [float(unit_ball_transform(2, rational(k) / 50).mid()) for k in range(1450)]
    phi = np.interp(np.hypot(a, b), np.arange(1450) / 50, near)
    ways = [(np.cos(t), np.sin(t)) for t in (0.3, 1.4, 2.5)]
    units = sum(np.clip(9 * (c * a + s * b) + 0.5, -1, 1) for c, s in ways)
    waves = np.cos(2 * np.pi * 3 * radius * np.hypot(a, b))
    xi = np.fft.fftshift(np.fft.fftfreq(1024, 1 / 25.6))
    u, v = np.meshgrid(xi, xi, indexing="ij")
    outside = np.all([abs(c * v - s * u) > 1.05 * radius for c, s in ways], axis=0)
    figure, panels = plt.subplots(1, 2)
    for axes, f, name in zip(panels, (units, waves), ("three units", "a wave of |x|")):
        seen = abs(np.fft.fftshift(np.fft.fft2(f * phi)))
        share = (seen[outside] ** 2).sum() / (seen**2).sum()
        axes.pcolormesh(xi, xi, np.sqrt(seen.T), cmap="Blues", rasterized=True)
        for c, s in ways:
            for side in (-radius, radius):
                axes.axline((-s * side, c * side), slope=s / c, color="#888", lw=0.6)
        axes.set(xlim=(-4, 4), ylim=(-4, 4), aspect="equal")
        axes.set_title(f"{name}: {share:.0%} outside the tubes")
    return figure


if __name__ == "__main__":
    picture().savefig("47_network_transform.svg")
