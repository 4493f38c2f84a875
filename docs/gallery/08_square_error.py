"""One more layer, four times closer to x^2

How does the error of the folded network for x^2 fall with depth? At width 3 or less,
each further hidden layer doubles the pieces, so the error falls by a factor of 4. The
least error that any network of N pieces can have, 1/(8N^2), is attained exactly.

Tags: pieces, layers.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import COLOURS, RED, styled

from depthsep import Segment, inspect
from depthsep.constructions import quadratic_network
from depthsep.lower_bounds import square_optimum
from depthsep.targets import Square


@styled
def picture() -> Figure:
    """Error curves of 1 to 4 hidden layers; sup errors of 1 to 10."""
    figure, (left, right) = plt.subplots(1, 2, width_ratios=(3, 2))
    x, on = np.linspace(0, 1, 2001), Segment(0, 1)
    form = Square().exact_form()
    errors, optima = [], []
    for layers in range(1, 11):
        network = quadratic_network(form, on, (2,) * layers)
        found = inspect(network, on=on, target=Square())
        errors.append(float(found.distance.upper))
        optima.append(float(square_optimum(found.pieces, "linf").lower))
        if layers <= 4:
            error = network.floats(x[:, None])[:, 0] - x**2
            left.plot(x, error, color=COLOURS[layers - 1], label=f"{layers}")
    left.set(xlabel="x", ylabel="network minus $x^2$", title="The error at each x")
    left.set_ylim(-0.052, 0.034)
    left.legend(title="hidden layers", ncols=4, loc="lower center", columnspacing=1)
    right.semilogy(range(1, 11), errors, "o", label="of the network")
    right.semilogy(range(1, 11), optima, "x", color=RED, label="least possible")
    right.set(xlabel="hidden layers", ylabel="largest error", title="The largest error")
    right.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("08_square_error.svg")
