"""A radial profile and its transform

Where does the Fourier transform of a radial function live? In R^d it is radial too: the
Hankel transform of the profile. The more often signs change from shell to shell, the
farther out lies its mass (right, by radius), where tubes around few lines see little.

Tags: radial, transforms.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import styled


def hankel(edges: np.ndarray, kappa: float) -> float:
    """The transform at |w| = kappa of signs (-1)^k on the shells between edges."""
    z = 2 * np.pi * edges * kappa  # of a ball: (r / kappa)^(3/2) J_(3/2)(2 pi r kappa)
    balls = (np.sin(z) - z * np.cos(z)) / (2 * np.pi**2 * kappa**3)
    return float(np.sum((-1.0) ** np.arange(len(edges) - 1) * np.diff(balls)))


@styled
def picture() -> Figure:
    """Signs on one, four and eight shells, and where their transforms lie."""
    figure, (left, right) = plt.subplots(1, 2)
    waves = np.linspace(0.01, 6, 400)
    for shells in (1, 4, 8):
        edges = np.linspace(0, 1, shells + 1)
        signs = [(-1) ** k for k in range(shells)]
        left.stairs(signs, edges, baseline=None, label=f"shells: {shells}", lw=1.5)
        found = np.array([hankel(edges, k) for k in waves])
        right.plot(waves, 4 * np.pi * waves**2 * found**2)
    left.set(xlabel="|x|", title="Profiles on the ball", ylim=(-1.3, 2.1))
    right.set(xlabel="|w|", title="Mass of their transforms in $R^3$")
    left.legend(loc="upper right")
    return figure


if __name__ == "__main__":
    picture().savefig("43_hankel.svg")
