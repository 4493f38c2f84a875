"""Depth alone does not make random networks bend more

Does a deep random network bend more often than a shallow one with as many units?
However 48 units are stacked, a line typically meets about half as many pieces or fewer,
though depth would allow far more. Each count is exact; networks and lines are sampled.

Tags: regions, pieces.
"""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from style import RED, styled

from depthsep import Network, Segment
from depthsep.analysis import most_pieces, random_chords
from depthsep.analysis.regions import along
from depthsep.laws import Box

SHAPES = ((48,), (24, 24), (16, 16, 16), (12, 12, 12, 12), (8, 8, 8, 8, 8, 8))


@styled
def picture() -> Figure:
    """Pieces on 60 lines, a network each, for every way to stack 48 units."""
    rng, counts = np.random.default_rng(3), []
    chords = random_chords(Box.cube(Segment(-1, 1), 2), 60, seed=0)
    for widths in SHAPES:
        shapes = [s for a, b in pairwise([2, *widths, 1]) for s in ((b, a), b)]
        draws = [map(rng.standard_normal, shapes) for _ in chords]
        nets = [Network.from_arrays(*arrays) for arrays in draws]
        lines = [along(net, *ends) for net, ends in zip(nets, chords, strict=True)]
        counts.append([line.pieces for line in lines])
    figure, axes = plt.subplots()
    axes.boxplot(counts, widths=0.5, medianprops={"color": RED, "linewidth": 2})
    most = [f"{len(w)} x {w[0]}\nat most {most_pieces(w):,}" for w in SHAPES]
    axes.set_xticks(range(1, len(SHAPES) + 1), most)
    axes.set(ylabel="pieces on a line", ylim=(0, None))
    axes.set_xlabel("hidden layers x units, and the most pieces there can be")
    axes.grid(axis="x", visible=False)
    return figure


if __name__ == "__main__":
    picture().savefig("19_random_lines.svg")
