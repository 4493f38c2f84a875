"""The transform of a wave on an interval

What does a Fourier transform see of sin(10 pi x) on [0, L]? Two peaks at frequencies 5
and -5, the sharper the longer the interval. Convolved with a Gaussian (right) a tent
loses its high frequencies; then its Barron norm is finite, and enclosed.

Tags: transforms.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import styled

from depthsep.exact import PiecewiseAffine, rational
from depthsep.infinite_width import LineTransform, Smoothed
from depthsep.laws import Segment
from depthsep.targets import target_from_text


@styled
def picture() -> Figure:
    """Sines of three lengths; a tent and how a Gaussian blurs it."""
    figure, (left, right) = plt.subplots(1, 2)
    waves, x = np.linspace(-8, 8, 801), np.linspace(-1, 1, 401)[:, None]
    for length in (1, 2, 4):
        sine = target_from_text("expr:sin(10*pi*x)")
        found = LineTransform.of(sine, Segment(0, length), "1/100")
        left.plot(waves, np.abs(found.floats(waves)), label=f"L = {length}")
    corners = PiecewiseAffine.through([-0.5, 0, 0.5], [0, 1, 0])
    tent = LineTransform(corners, rational(0))
    for sigma in ("1/20", "1/8", "1/4"):
        smooth = Smoothed(tent, sigma)
        norm = float(smooth.moment(1))
        right.plot(x, smooth.floats(x), label=f"sigma = {sigma}: {norm:.2f}")
    left.set(xlabel="frequency", title="|transform| of sin(10 pi x) on [0, L]")
    right.set(xlabel="x", title="A tent, blurred", ylim=(-0.05, 1.5))
    left.legend(loc="upper center")
    right.legend(title="Barron norm", loc="upper right")
    return figure


if __name__ == "__main__":
    picture().savefig("45_transform.svg")
