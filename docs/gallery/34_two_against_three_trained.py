"""Two layers against three, as trained

Do two layers learn a cone in R^d as well as three? With as many parameters they end
with larger errors, both after as much computation and where their training ends. Dots
are medians over three runs of a stored study (sampled); what training does not reach
proves nothing.

Tags: training, many inputs.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from style import BLUE, ORANGE, RED, STUDIES, plain_ticks, styled

from depthsep.studies import Store, points_of, read_study, store_of

CURVES = {
    "half_mse": ("three layers", BLUE, "o-"),
    "two_layer_half_mse_same_flops": ("two layers, as much computation", RED, "s-"),
    "two_layer_half_mse": ("two layers, where training ends", ORANGE, "^-"),
}


@styled
def picture() -> Figure:
    """Half mean squared errors against the dimension."""
    study = read_study(STUDIES / "two-against-three.toml")
    with Store(store_of(study)) as store:
        rows = list(store.of(study.trials()).values())
    points = points_of(rows, ["dim"])
    dims = [point.parameters["dim"] for point in points]
    figure, axes = plt.subplots()
    for metric, (name, colour, line) in CURVES.items():
        spreads = [point.metrics[metric] for point in points]
        medians = [spread.median for spread in spreads]
        least = [s.median - s.least for s in spreads]
        most = [s.most - s.median for s in spreads]
        axes.errorbar(dims, medians, [least, most], fmt=line, color=colour, label=name)
    axes.set(xscale="log", yscale="log", xlabel="dimension d")
    axes.set_ylabel("half mean square")
    plain_ticks(axes.xaxis, dims)
    axes.legend()
    return figure


if __name__ == "__main__":
    picture().savefig("34_two_against_three_trained.svg")
