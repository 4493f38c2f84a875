"""Why a fast wave on spheres defeats one hidden layer

Where is the mass of sin(pi d^3 <x, x'>), degree by degree? Bars show the squared
coefficients for d = 4 (enclosed), the line how many spherical harmonics there are of
that degree (exact): a unit of one hidden layer serves one of each degree, and most of
the mass lies where there are more than ten thousand.

Tags: radial, many inputs.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, RED, styled

from depthsep.lower_bounds import zonal_expansion
from depthsep.special import harmonic_dimension
from depthsep.targets import InnerProduct


@styled
def picture() -> Figure:
    """Squared zonal coefficients of the wave in R^4, and N(4, n)."""
    dim = 4
    expansion = zonal_expansion(InnerProduct("sin(pi*d**3*t)", dim))
    alpha = np.array([float(ball.mid()) for ball in expansion.coefficients])
    degrees = np.arange(1, len(alpha), 2)  # an odd function has odd degrees only
    figure, axes = plt.subplots()
    axes.bar(degrees, alpha[degrees] ** 2, width=2, color=BLUE)
    axes.set(xlabel="degree n", ylabel="squared coefficient", xlim=(0, 240))
    axes.yaxis.label.set_color(BLUE)
    other = axes.twinx()
    sizes = [harmonic_dimension(dim, int(n)) for n in degrees]
    other.plot(degrees, sizes, color=RED, lw=2)
    other.set_ylim(0, 1.05 * harmonic_dimension(dim, 240))
    other.set_ylabel("harmonics of degree n", color=RED)
    other.grid(visible=False)
    other.spines.right.set_visible(True)
    axes.set_title("sin(64 pi <x, x'>) on two spheres in R$^4$")
    return figure


if __name__ == "__main__":
    picture().savefig("23_zonal_masses.svg")
