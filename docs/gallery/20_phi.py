"""The law of Eldan and Shamir

Where does the mass of phi^2 lie, phi being the Fourier transform of the ball of volume
1 in R^d? In its natural length t = 2 pi R |x| the radius begins, in high dimension, at
about d/2, and its tail is so heavy that |x| has no mean. All values are enclosed.

Tags: radial, many inputs.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import styled

from depthsep.exact import rational
from depthsep.laws import SquaredTransform
from depthsep.special import unit_ball_transform


@styled
def picture() -> Figure:
    """phi against |x|, and the density of t / d, in three dimensions."""
    figure, (left, right) = plt.subplots(1, 2, width_ratios=(2, 3))
    radii = np.linspace(0, 3, 385)
    for dim in (2, 5, 20):
        phi = [unit_ball_transform(dim, rational(r), 40) for r in radii]
        left.plot(radii, [float(ball.mid()) for ball in phi])
        law = SquaredTransform(dim, edge=rational(dim))  # in units of which t = d
        density = [law.density(rational(r)) for r in radii[1:]]
        right.plot(
            radii[1:], [float(ball.mid()) for ball in density], label=f"d = {dim}"
        )
    left.set(xlabel="|x|", ylabel="phi", title="The transform")
    right.set(
        xlabel="t / d", ylabel="density of t / d", title="The radius under phi$^2$"
    )
    right.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("20_phi.svg")
