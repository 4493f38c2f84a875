# %% [markdown]
# # First steps
#
# How wide does a network have to be to follow $x^2$, at each depth?
#
# You choose a function and an accuracy. depthsep then answers from two sides: it builds
# a network for every depth, and it proves how wide every network of that depth must be.
# This notebook looks at the answer as a table, as a picture, and as a network that you
# can use.

# %%
# %matplotlib inline
import matplotlib.pyplot as plt
import numpy as np

from depthsep import Problem, Segment, build, separate

# %% [markdown]
# ## A problem
#
# A problem has four parts. The *target* is the function. The *law* says where the
# inputs come from. The *norm* says how the distance between two functions is measured:
# `linf` is the largest distance. The *accuracy* is the distance that is allowed.
#
# In a notebook, write a record as the last line of a cell to see it.

# %%
problem = Problem("square", norm="linf", accuracy="1e-3")
problem

# %% [markdown]
# ## The table
#
# Depth counts the layers of weighted sums, the output included. So depth 2 has one
# hidden layer. The width is the number of units in the widest hidden layer.

# %%
table = separate(problem, depths=range(2, 7))
table

# %% [markdown]
# Read the first row like this: every network with one hidden layer that stays within
# 1/1000 of $x^2$ has at least 11 units, and here is one with 12. The last two columns
# name the theorem behind each number. The word in brackets says how surely it is known:
# *exact* numbers come from whole numbers and fractions alone.
#
# The same as a picture. The plot is a pair of matplotlib axes, so you can change
# whatever you like; the picture is shown below the cell.

# %% alt="Certified and proven width against depth for the square: both fall"
axes = table.plot()
axes.set_ylabel("units in the widest layer");

# %% [markdown]
# ## One row
#
# A row holds a lower bound and an upper bound. Both are records too. The lower bound
# rests on a *statement*, that is, a theorem with its hypotheses, its formula and its
# source.

# %%
row = table[3]
print("at least", row.lower.width, "and at most", row.upper.width, "units a layer")
row.lower.statement

# %% [markdown]
# ## One network
#
# `build` makes the network of a row. An *examiner* that knows nothing about the
# construction measures its error once more.

# %%
built = build(problem, depth=3)
built.network

# %%
built.examination

# %% [markdown]
# How does a network of so few units follow a parabola? It is a broken line, above $x^2$
# in places and below it in others. The next picture shows the difference. It swings
# twelve times, each time by as much, and stays between the dashed lines, which are the
# accuracy.

# %% alt="The error of the network: arcs between two dashed lines"
x = np.linspace(0, 1, 2001)
error = built.network.floats(x[:, None])[:, 0] - x**2
figure, axes = plt.subplots(figsize=(7, 2.6), layout="constrained")
axes.plot(x, error)
for limit in (-1e-3, 1e-3):
    axes.axhline(limit, linestyle="--", color="grey")
_ = axes.set(xlabel="x", ylabel="network minus target")

# %% [markdown]
# The picture comes from 2001 points in floating point. The number that is proved is not
# taken from such points: it is the largest error on the whole interval, as a fraction.

# %%
print(built.error, "is about", float(built.error))

# %% [markdown]
# ## Other targets
#
# A target can be any formula in `x`, written after `expr:`. The law is an interval
# here.

# %% alt="Width against depth for a wave: certified and proven widths"
wave = Problem("expr:exp(-x)*sin(10*x)", Segment(0, 2), accuracy="1/100")
separate(wave, depths=range(2, 6)).plot();

# %% [markdown]
# ## Try it
#
# * Ask for ten times the accuracy. By which factor does the width at depth 2 grow, and
#   at depth 3?
# * Which depth needs the fewest units in all? Look at `table[d].upper.units`.
# * Take a target with a corner, such as `expr:abs(x-1/3)`. What does the table say, and
#   why?
#
# The [tutorial on the square](../tutorials/square.md) explains where the proven widths
# come from. Next: [certify a network of your own](02_your_network.py).
