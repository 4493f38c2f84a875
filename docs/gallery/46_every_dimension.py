"""Two layers against three, proved for every dimension

How fast does the gap between two and three layers grow? For a wave of |x| under Eldan
and Shamir's law, one hidden layer needs a width that is exponential in d, whatever its
units; two hidden ReLU layers get by with a polynomial. The lines are formulas in d and
E that are proved for every d, so that nothing ends where the picture does.

Tags: radial, width, many inputs.
"""

from matplotlib.figure import Figure
from style import styled

from depthsep.every_dimension import bounds_for
from depthsep.exact import rational
from depthsep.reports import growth_figure


@styled
def picture() -> Figure:
    """Widths at depths 2 and 3 against d, within 1/2 in L2; shaded: the gap."""
    return growth_figure(
        bounds_for("radial:cos(2*pi*3*R*r)"), [lambda d: rational("1/2")]
    )


if __name__ == "__main__":
    picture().savefig("46_every_dimension.svg")
