"""Parity: where the two sides are still far apart

How wide must a network be that multiplies d signs? Left: parity as a zigzag of the sum,
which folds compute exactly. Right: the certified widths and the proven ones (exact) at
depth 2, where the gap is wide open, and at depth 4, where few units suffice.

Tags: width, many inputs.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import BLUE, INK, RED, plain_ticks, styled

from depthsep import Problem, build, separate


@styled
def picture() -> Figure:
    """Parity of eight signs by their sum; widths at depths 2 and 4."""
    figure, (left, right) = plt.subplots(1, 2, width_ratios=(3, 4))
    network = build(Problem("parity:8", accuracy="1/10"), depth=3).network
    signs = np.ones((9, 8)) - 2 * np.tri(9, 8, -1)  # 0, 1, ..., 8 minus signs
    t = np.linspace(-1, 1, 801)
    left.plot(8 * t, network.floats(np.repeat(t[:, None], 8, axis=1))[:, 0])
    left.plot(signs.sum(axis=1), signs.prod(axis=1), "o", color=INK)
    left.set(xlabel="sum of eight signs", ylabel="network (dots: parity)")
    left.set_title(f"a network of width {network.width}")
    dims = (4, 8, 16, 32, 64)
    for depth, line in ((2, "-"), (4, "--")):
        problems = [Problem(f"parity:{d}", accuracy="1/10") for d in dims]
        rows = [separate(p, depths=[depth])[depth] for p in problems]
        lower, upper = ([getattr(r, s).width for r in rows] for s in ("lower", "upper"))
        label = f"certified, depth {depth}"
        right.plot(dims, upper, f"o{line}", color=BLUE, label=label)
        right.plot(dims, lower, f"^{line}", color=RED, label=f"proven, depth {depth}")
    right.set(xscale="log", yscale="log", xlabel="number d of signs", ylabel="width")
    right.set(title="the width it takes")
    plain_ticks(right.xaxis, dims)
    plain_ticks(right.yaxis, (1, 2, *dims))
    right.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("15_parity.svg")
