# %% [markdown]
# # Folding
#
# What can a layer do to a line that more units beside each other cannot?
#
# It can fold it. A fold lays several parts of an interval on top of each other, and
# whatever comes later happens to all of them at once. In this notebook we fold in
# three, count pieces, and see what that means for two ways to measure an error.

# %%
# %matplotlib inline
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from depthsep import Network, Problem, Segment, bound, inspect, separate
from depthsep.networks import compose
from depthsep.separation import statement_named

# %% [markdown]
# ## Fold in three
#
# Three units make a zigzag of three pieces: up, down and up again, each from 0 to 1 or
# back. Weights can be given as text, so that they are fractions and not decimals near
# them.

# %% alt="A zigzag: up to 1, down to 0, and up to 1 again"
zigzag = Network.from_arrays([[1], [1], [1]], [0, "-1/3", "-2/3"], [[3, -6, 6]], [0])
zigzag.plot();

# %% [markdown]
# One zigzag after the other: every piece of the first runs through all pieces of the
# second.

# %% alt="Zigzags of 3, 9 and 27 pieces, made by 1, 2 and 3 folds"
folds = [zigzag]
for _ in range(5):
    folds.append(compose(zigzag, folds[-1]))
x = np.linspace(0, 1, 730)
figure, panels = plt.subplots(1, 3, figsize=(8, 2), layout="constrained", sharey=True)
for network, axes in zip(folds[:3], panels, strict=True):
    axes.plot(x, network.floats(x[:, None])[:, 0])
    axes.set_title(f"depth {network.depth}, width {network.width}")

# %% [markdown]
# `inspect` counts the pieces, in fractions. Beside the count stands the most that any
# network of these widths can have: $(m_1 + 1)(m_2 + 1) \cdots$ for hidden layers of
# $m_1, m_2, \ldots$ units.

# %%
rows = []
for network in folds:
    seen = inspect(network, on=Segment(0, 1))
    most = int(np.prod([m + 1 for m in network.widths]))
    rows.append([network.depth, seen.size.units, seen.pieces, most])
pd.DataFrame(rows, columns=["depth", "units", "pieces", "at most"]).set_index("depth")

# %% [markdown]
# The theorem behind "at most" can be read. Turned around, it says how wide a network
# must be: for 729 pieces with six hidden layers, at least one of them needs 2 units.
# Ours have 3, one of which serves only to go on rising from 0.

# %%
statement_named("theorem-a")

# %%
print(bound("theorem-a", pieces=729, layers=6).shown)

# %% [markdown]
# ## A random network does not fold
#
# Is it easy to have many pieces? Draw the weights of networks of the same widths at
# random.

# %%
rng = np.random.default_rng(1)


def drawn(depth):
    """A random network of width 3, with biases so that it bends inside [0, 1]."""
    sizes = [1] + [3] * (depth - 1) + [1]
    arrays = []
    for fan, units in pairwise(sizes):
        arrays += [
            rng.normal(0, (2 / fan) ** 0.5, (units, fan)),
            rng.normal(size=units),
        ]
    return Network.from_arrays(*arrays)


counts = {}
for depth in (2, 4, 7):
    counts[depth] = [inspect(drawn(depth), on=Segment(0, 1)).pieces for _ in range(50)]
summary = pd.DataFrame(counts).rename_axis("depth", axis="columns")
summary.agg(["min", "median", "max"])

# %% [markdown]
# Depth makes many pieces possible. It does not make them likely.
#
# ## Two ways to be close
#
# Does a network need all the pieces of a sawtooth in order to come close to it? Not if
# a mean distance counts: it may follow some teeth and cut through others. The norm `l1`
# is the mean distance, and `l2` is the root of the mean square. The sawtooth below has
# 64 pieces.

# %%
tables = {}
for norm in ("l1", "l2"):
    problem = Problem("sawtooth:6", norm=norm, accuracy="1/20")
    tables[norm] = separate(problem, depths=range(2, 7))
tables["l1"]

# %% [markdown]
# With pandas the two tables can be put side by side.

# %%
frames = [
    table.to_pandas().set_index("depth")[["proven_width", "certified_width", "error"]]
    for table in tables.values()
]
pd.concat(frames, axis="columns", keys=list(tables))

# %% [markdown]
# In `l2` large distances count for more, so at depth 2 eleven more units are needed.
# From depth 3 on the two norms ask for the same widths: the pieces are cheap there.
#
# A constant, 1/2, needs no units. Its distance from the sawtooth is 1/4 in `l1`, and
# the root of 1/12, about 0.289, in `l2`. How many units are needed for less than that?

# %% alt="Proven width at depth 2 against accuracy, for l1 and l2: both fall"
figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
accuracies = [k / 100 for k in range(2, 29, 2)]
for norm in ("l1", "l2"):
    widths = []
    for accuracy in accuracies:
        row = separate(Problem("sawtooth:6", norm=norm, accuracy=accuracy), depths=[2])[
            2
        ]
        widths.append(row.lower.width)
    axes.plot(accuracies, widths, "o-", label=norm)
axes.set(xlabel="accuracy", ylabel="proven width at depth 2")
_ = axes.legend()

# %% [markdown]
# ## Try it
#
# * Fold in two with two units, and in four with four. Which way gives the most pieces
#   for 12 units in all?
# * Reverse the question: how many units does one hidden layer need for 729 pieces?
# * Draw 1000 random networks of depth 7. Does one of them have 100 pieces?
# * At which accuracy does each of the last two curves reach 0, and why there?
#
# The [tutorial on sawtooths](../tutorials/sawtooth.md) derives the bound. Next:
# [networks near their start](04_near_the_start.py).
