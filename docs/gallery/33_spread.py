"""Particles spread, but training gathers them

How far from radial is the first layer of a mean-field network? Its spread N falls like
1/width, at the start (up to chance) as the formula says (enclosed), and training makes
it smaller. Dots are medians over five runs of a stored study (sampled).

Tags: training, infinite width.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from style import COLOURS, STUDIES, plain_ticks, styled

from depthsep.dynamics import expected_spread
from depthsep.studies import Store, points_of, read_study, store_of


@styled
def picture() -> Figure:
    """N against the width in 4, 8 and 16 dimensions, before and after."""
    study = read_study(STUDIES / "finite-width.toml")
    with Store(store_of(study)) as store:
        rows = list(store.of(study.trials()).values())
    points = points_of(rows, ["dim", "width"])
    figure, axes = plt.subplots()
    for dim, colour in zip((4, 8, 16), COLOURS, strict=False):
        chosen = [p for p in points if p.parameters["dim"] == dim]
        widths = [p.parameters["width"] for p in chosen]
        expected = [float(expected_spread(dim, m).mid()) for m in widths]
        axes.plot(widths, expected, color=colour, lw=1)
        for name, mark in (("n_initial", "o"), ("n_final", "v")):
            medians = [p.metrics[name].median for p in chosen]
            axes.plot(widths, medians, mark, color=colour)
        axes.plot([], [], "s", color=colour, label=f"d = {dim}")
    axes.plot([], [], "k-", lw=1, label="expected at the start")
    axes.plot([], [], "ko", label="at the start")
    axes.plot([], [], "kv", label="after training")
    axes.set(xscale="log", yscale="log", xlabel="width", ylabel="spread N")
    plain_ticks(axes.xaxis, widths)
    axes.legend(ncols=2)
    return figure


if __name__ == "__main__":
    picture().savefig("33_spread.svg")
