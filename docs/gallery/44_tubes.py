"""Tubes see little of a shell in high dimension

The transform of each ridge function times phi lives in a tube around a line (left, in
the plane: the reach of phi is the radius of the unit-volume ball). How much of a sphere
of radius K times that do m tubes cover? Less and less as the dimension grows (right).

Tags: radial, transforms.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, RULE, styled

from depthsep.exact import rational
from depthsep.special import tube_fraction, unit_ball_radius


@styled
def picture() -> Figure:
    """Five tubes in the plane, and the share of a sphere in one tube."""
    figure, (left, right) = plt.subplots(1, 2)
    radius = float(unit_ball_radius(2).mid())
    for angle in np.linspace(0, np.pi, 5, endpoint=False):
        way, across = np.array([np.cos(angle), np.sin(angle)]), radius
        side = np.array([-way[1], way[0]]) * across
        far = 4 * way
        corners = [far + side, far - side, -far - side, -far + side]
        left.fill(*np.array(corners).T, color=RULE, alpha=0.6, lw=0)
    left.add_patch(plt.Circle((0, 0), 2, fill=False, color=BLUE, lw=1.5))
    left.set(xlim=(-2.5, 2.5), ylim=(-2.5, 2.5), aspect="equal", title="Tubes of phi")
    dims = range(2, 41)
    for reach in (2, 4, 8):
        shares = [float(tube_fraction(d, rational(reach)).mid()) for d in dims]
        right.semilogy(dims, shares, label=f"K = {reach}")
    right.set(xlabel="dimension", title="Share of a sphere in one tube")
    right.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("44_tubes.svg")
