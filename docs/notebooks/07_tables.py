# %% [markdown]
# # A table that is proved
#
# How many straight pieces does a curve need, and how do you know?
#
# You have a curve and want a few pieces that follow it: for a lookup table, a
# microcontroller, a planning model.

# %%
# %matplotlib inline
from tempfile import TemporaryDirectory

import numpy as np

from depthsep import pieces, triangles
from depthsep.export import export_table
from depthsep.reports import table_figure

# %% [markdown]
# ## The fewest pieces
#
# `pieces` finds a table with short numbers, encloses the error of each piece, and proves
# that no table within this error has fewer.

# %%
table = pieces("sigmoid(x)", (-8, 8), accuracy="1e-2")
print(table)

# %% alt="Seven straight pieces on the sigmoid, and their error between the ends that are allowed."
table_figure(table)

# %% [markdown]
# The number of pieces grows with the root of the accuracy: four times as many for a
# sixteenth of the error.

# %%
for accuracy in ("1e-2", "1e-3", "1e-4"):
    table = pieces("sigmoid(x)", (-8, 8), accuracy=accuracy)
    print(accuracy, len(table.pieces), "pieces; needed:", table.needed)

# %% [markdown]
# ## Other tables
#
# Pieces that need not meet, tables that are never below the curve, knots on a grid,
# cells whose address is read off the bits: each has its own least number.

# %%
for options in ({}, {"jumps": True}, {"side": "above"}, {"knots_on": "1/4"},
                {"uniform": True}, {"power_of_two": "cells"}):  # fmt: skip
    table = pieces("sigmoid(x)", (-8, 8), accuracy="1e-2", **options)
    print(f"{table.needed:3} needed, {len(table.pieces):3} found: {options}")

# %% [markdown]
# ## Your own data
#
# Points with noise: knots are found, and how many pieces every such table needs is
# proved. Rows may stand in a file (`points:curve.csv`) or in the text.

# %% alt="Points with noise along three straight pieces, and how far each is off."
rng = np.random.default_rng(0)
x = np.linspace(0, 10, 60)
y = np.interp(x, [0, 3, 6, 10], [0, 2, -1, 3]) + 0.05 * rng.normal(size=60)
rows = ";".join(f"{a:.3f},{b:.3f}" for a, b in zip(x, y, strict=True))
table = pieces(f"points:{rows}", accuracy="0.1", norm="l2")
print(table.summary)
table_figure(table)

# %% [markdown]
# ## Two inputs
#
# Triangles on a grid, and how many triangles every triangulation needs.

# %%
table = triangles("x1*x2", accuracy="0.02")
print(table.summary)

# %% [markdown]
# ## Code that leaves
#
# One bound covers the table, the rounding of its numbers, and the rounding of every
# operation, for every input of the number format.

# %%
table = pieces("sigmoid(x)", (-8, 8), accuracy="1e-2", fixed=(16, 12))
with TemporaryDirectory() as folder:
    code = export_table(table, f"{folder}/sigmoid.c", arithmetic="fixed:16.12")
print(float(code.error.p) / float(code.error.q), "for every one of the 65,536 inputs")

# %% [markdown]
# ## Try it
#
# * How many pieces does your own activation function need at 1e-3?
# * Put an outlier into the points. What does `norm="l1"` change?
# * Which of `{"knots_on": "1/4"}` and `{"uniform": True}` would you choose for a table
#   that is searched often, and why?
