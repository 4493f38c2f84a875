"""How close the two sides are

How much is open between what is built and what is proved? For several targets, the
certified width over the proven one at each depth: 1 would mean that no narrower network
exists. All widths are exact or enclosed.

Tags: width, records.
"""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from style import GREY, styled

from depthsep import Problem, separate

FAMILIES = {
    "sawtooth:8": ("1e-3", "o-"),
    "square": ("1e-6", "s-"),
    "expr:exp(x)": ("1e-3", "^-"),
    "expr:sqrt(x)": ("1e-3", "v-"),
    "expr:sin(20*x)": ("1e-2", "D-"),
    "max:5": ("1e-2", "P-"),
}


@styled
def picture() -> Figure:
    """Ratios at depths 2 to 5."""
    figure, axes = plt.subplots()
    for target, (accuracy, line) in FAMILIES.items():
        table = separate(Problem(target, accuracy=accuracy), depths=range(2, 6))
        found = [(r.depth, r.ratio) for r in table if r.ratio is not None]
        depths = [depth for depth, _ in found]
        ratios = [float(ratio.p) / float(ratio.q) for _, ratio in found]
        name = f"{target.removeprefix('expr:')} at {accuracy}"
        axes.plot(depths, ratios, line, label=name)
    axes.axhline(1, color=GREY, lw=1)
    axes.set(xlabel="depth", ylabel="certified width / proven width")
    axes.set(xticks=range(2, 6), ylim=(0.9, 3.2))
    axes.legend(ncols=2, loc="upper left")
    return figure


if __name__ == "__main__":
    picture().savefig("37_tightness.svg")
