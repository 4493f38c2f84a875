# %% [markdown]
# # An exercise for a class
#
# What does one more digit of accuracy cost, and how does the price depend on depth?
#
# Theory says: for a smooth curved function the number of straight pieces grows like one
# over the root of the accuracy, and depth multiplies pieces. In this exercise you
# collect numbers, turn them into a law, and test the law on a function of your own. It
# takes an hour. Questions for you are marked **Q**.

# %%
# %matplotlib inline
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from depthsep import Problem, separate
from depthsep.reports import study_figure
from depthsep.studies import Store, read_study, run_study, store_of, table_of

# %% [markdown]
# ## Choose an accuracy
#
# **Q1.** Before you run the next cell: how many straight pieces does it take to stay
# within 1/100 of $x^2$ on the interval from 0 to 1? Draw it. Which width at depth 2
# does that mean?

# %%
accuracy = "1/100"
separate(Problem("square", accuracy=accuracy), depths=range(2, 6))

# %% [markdown]
# **Q2.** Were you right? Which of the two columns can you check by hand?
#
# ## Vary both
#
# Accuracies are given as text, so that they are fractions. We make a table for each and
# stack them. First the proven widths, then the certified ones.

# %%
accuracies = ["1e-2", "1e-3", "1e-4", "1e-5", "1e-6"]
frames = []
for accuracy in accuracies:
    table = separate(Problem("square", accuracy=accuracy), depths=range(2, 6))
    frames.append(table.to_pandas().assign(accuracy=float(accuracy)))
found = pd.concat(frames)
proven = found.pivot(index="accuracy", columns="depth", values="proven_width")
proven.sort_index(ascending=False)

# %%
built = found.pivot(index="accuracy", columns="depth", values="certified_width")
built.sort_index(ascending=False)

# %% [markdown]
# **Q3.** Go down the column of depth 2. By which factor does each step to a ten times
# smaller accuracy multiply the width? And in the other columns?
#
# ## The law
#
# On logarithmic axes a power is a line, and its slope is the power. The dots are
# the networks that were built. The shaded part below them reaches down to what is
# proved, so the least possible width is in there.

# %% alt="Width against accuracy: a band for each depth, flatter for deeper networks"
figure, axes = plt.subplots(figsize=(6.5, 3.6), layout="constrained")
for depth, rows in found.groupby("depth"):
    x, low, high = rows["accuracy"], rows["proven_width"], rows["certified_width"]
    axes.plot(x, high, "o-", label=f"depth {depth}")
    axes.fill_between(x, low, high, alpha=0.2)
axes.set(xscale="log", yscale="log", xlabel="accuracy", ylabel="width")
_ = axes.legend()


# %%
def power(rows):
    """The slope of a line through the logarithms of the certified widths."""
    x, y = np.log(rows["accuracy"]), np.log(rows["certified_width"])
    return np.polyfit(x, y, 1)[0]


slopes = pd.Series({depth: power(rows) for depth, rows in found.groupby("depth")})
pd.DataFrame({"fitted": slopes, "theory": [-1 / 2, -1 / 4, -1 / 6, -1 / 8]})

# %% [markdown]
# **Q4.** Where does the column *theory* come from? Use two facts: the number of pieces
# grows like the power $-1/2$ of the accuracy, and $L$ hidden layers of $m$ units have
# at most $(m + 1)^L$ pieces.
#
# **Q5.** The fitted slopes are off at large depth. Give a reason that has to do with
# whole numbers.
#
# ## Which depth is cheapest?
#
# Width is not the only price. Count all units of the certified networks, at the
# accuracy $10^{-6}$.

# %%
table = separate(Problem("square", accuracy="1e-6"), depths=range(2, 12))
units = pd.Series({row.depth: row.upper.units for row in table}, name="units")
units.to_frame().rename_axis("depth").T

# %% [markdown]
# **Q6.** Why do the units stop falling, although depth goes on multiplying pieces?
#
# ## A study
#
# To compare several functions, write a *study*: a file that says what varies.
# `run_study` runs what is missing and keeps every result in a store beside the file.
# Run it a second time, and nothing is left to do.

# %%
text = """
title = "Width against depth for three functions"
job = "separate"

[fixed]
accuracy = "1/1000"

[grid]
target = ["square", "expr:exp(x)", "expr:sin(10*x)"]
depth = [2, 3, 4, 5]

[[figure]]
title = "Proven and certified width at accuracy 1/1000"
x = "depth"
y = ["proven_width", "certified_width"]
facet = "target"
log = "y"
"""

# %%
folder = TemporaryDirectory()
file = Path(folder.name) / "curves.toml"
file.write_text(text)
study = read_study(file)
state = run_study(study, workers=1)
print(state.done, "trials done,", state.failed, "failed")

# %%
with Store(store_of(study)) as store:
    rows = list(store.of(study.trials()).values())
trials = table_of(rows).to_pandas()
trials.pivot(index="target", columns="depth", values="proven_width")

# %% alt="Three panels, one a function: proven and certified width against depth"
study_figure(study.figures[0], rows)

# %%
folder.cleanup()

# %% [markdown]
# **Q7.** $\sin(10x)$ needs about six times the width of $e^x$ at depth 2. Explain the
# factor from the second derivatives of the two functions. (Hint: on a short interval of
# length $h$, the best straight piece is off by $h^2/16$ times the second derivative,
# whatever its sign.)
#
# **Q8.** Take a function of your own. Predict its row of depth 2, then put it into the
# study and run the study. Try one with a corner, such as `expr:abs(x-1/3)`, and one
# that is steep, such as `expr:sqrt(x+1/100)`.
#
# ## For the teacher
#
# * Q1: over a length $h$ the best straight piece is off by $h^2/8$. So $n$ pieces are
#   off by $1/(8n^2)$, and four are needed. One layer of $m$ units has at most $m$
#   bends, so three units are needed. The network that is built has a fourth, which
#   starts the slope at 0.
# * Q3: by about $\sqrt{10}$, as one over the root of the accuracy says. With depth the
#   factor becomes smaller.
# * Q4: $(m + 1)^L \ge c\,E^{-1/2}$, so $m$ grows like $E^{-1/(2L)}$, and depth is $L +
#   1$.
# * Q5: widths are whole numbers, and small ones such as 2, 3 and 4 lie on no line.
# * Q6: every layer needs a few units to pass on what was found so far. When each has
#   only that many, one more layer costs more than it saves.
# * Q7: where the second derivative is small, pieces can be long. The number of pieces
#   grows like the integral of the root of its absolute value: about 7.6 for $\sin(10x)$
#   and 1.3 for $e^x$.
# * The [tutorial on the square](../tutorials/square.md) has the proof behind depth 2,
#   and [a study](../tutorials/study.md) more about the file.
