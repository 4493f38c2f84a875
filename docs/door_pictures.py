"""The three small pictures of README and home page, readable on a phone.

    python docs/door_pictures.py FOLDER

writes door-depth.svg, door-curve.svg and door-network.svg (docs/images holds them).
"""

import sys
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection

sys.path.insert(0, str(Path(__file__).parent / "gallery"))
from style import BLUE, GREY, RED, plain_ticks, styled  # noqa: E402

from depthsep import Problem, Segment, build, inspect, pieces, separate  # noqa: E402
from depthsep.laws import Box  # noqa: E402

SIZE = (3.5, 2.6)  # inches: the width of a phone


@styled
def depth():
    """Width against depth for the square within a millionth."""
    table = separate(
        Problem("square", Segment(0, 1), accuracy="1e-6"), depths=range(2, 8)
    )
    depths, lower, upper = zip(
        *((d, table[d].lower.width, table[d].upper.width) for d in range(2, 8)),
        strict=True,
    )
    figure, axes = plt.subplots(figsize=SIZE)
    axes.fill_between(depths, lower, upper, color=GREY, alpha=0.15)
    axes.plot(depths, upper, "o-", color=BLUE, label="enough")
    axes.plot(depths, lower, "^-", color=RED, label="needed")
    axes.set_yscale("log", base=2)
    plain_ticks(axes.yaxis, [2, 8, 32, 128, 512])
    axes.set(xlabel="depth", ylabel="width", title="x² within a millionth")
    axes.legend()
    return figure


@styled
def curve():
    """A sigmoid and its nineteen pieces."""
    table = pieces("sigmoid(x)", (-8, 8), accuracy="1e-3")
    knots = np.array([-8, *(float(piece.stop) for piece in table.pieces)])
    figure, axes = plt.subplots(figsize=SIZE)
    x = np.linspace(-8, 8, 400)
    axes.plot(x, 1 / (1 + np.exp(-x)), color=GREY, lw=5, alpha=0.4, label="sigmoid")
    axes.plot(
        knots, 1 / (1 + np.exp(-knots)), "o-", color=BLUE, ms=3.5, label="19 pieces"
    )
    axes.set(xlabel="x", title="within a thousandth: 19, no fewer")
    axes.legend()
    return figure


@styled
def network():
    """The regions of a network of two inputs, and where it is steepest."""
    box = Box.cube(Segment(0, 1), 2)
    problem = Problem("expr:x1*x2", box, accuracy="2e-2")
    net = build(problem, depth=3).network
    cells = inspect(net, box, lines=1).box_regions.subdivision
    corners = cells.near_corners()
    values = net.floats(np.array([cell.mean(axis=0) for cell in corners]))[:, 0]
    figure, axes = plt.subplots(figsize=SIZE)
    axes.add_collection(
        PolyCollection(corners, array=values, cmap="cividis", ec="white", lw=0.5)
    )
    axes.set(xlabel="x1", ylabel="x2", title=f"{len(cells)} regions, all of them flat")
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.margins(0)
    axes.grid(visible=False)
    return figure


if __name__ == "__main__":
    for draw in (depth, curve, network):
        name = f"door-{draw.__name__}"
        with matplotlib.rc_context({"svg.hashsalt": name, "svg.fonttype": "path"}):
            draw().savefig(Path(sys.argv[1]) / f"{name}.svg", metadata={"Date": None})
