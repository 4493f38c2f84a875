# %% [markdown]
# # Infinite width
#
# What is a network with infinitely many units, and what can it tell about one with a
# hundred?
#
# It is an average over units: a function given by an integral. In the first half of
# this notebook we draw units from such an integral and watch the error fall. In the
# second half, training moves the units, and the average moves along a curve that can be
# computed.

# %%
# %matplotlib inline
import matplotlib.pyplot as plt
import numpy as np

from depthsep import bound
from depthsep.dynamics import RadialTask, learn_radial, limit_alpha
from depthsep.infinite_width import (
    Gaussian,
    barron_thresholds,
    error_against_width,
    slope,
)
from depthsep.reports import alpha_figure, profile_figure, width_figure

# %% [markdown]
# ## A function as an average
#
# Barron showed in 1993 that many functions are integrals of steps $1[\langle w, x
# \rangle \ge b]$, with a density that can be written down. To draw steps from it and
# take their mean is to sample a network. First with one input, where we can look at it:
# a Gaussian bump and networks of three widths.

# %% alt="A Gaussian bump and sampled networks of width 20, 200 and 2000"
bump = Gaussian(1, "1/4")
steps = barron_thresholds(bump, radius=1)
x = np.linspace(-1, 1, 500)[:, None]
figure, panels = plt.subplots(1, 3, figsize=(8, 2.4), layout="constrained", sharey=True)
for width, axes in zip((20, 200, 2000), panels, strict=True):
    axes.plot(x, steps.network(width, seed=1).floats(x), linewidth=1)
    axes.plot(x, bump.floats(x), "k:")
    axes.set_title(f"width {width}")

# %% [markdown]
# ## Twenty inputs
#
# On a grid of ten points a side, 20 inputs would need $10^{20}$ values. Sampling does
# not use a grid. Its error falls like one over the root of the width, in any dimension.
# What does depend on the dimension is the constant in front, which comes from the
# theorem:

# %%
print(bound("barron-constant", dim=20, sigma="1/2").shown)

# %%
gaussian = Gaussian(20, "1/2")
errors = error_against_width(
    barron_thresholds(gaussian, radius=1), gaussian.floats, (16, 64, 256, 1024)
)
print("slope:", round(slope(errors), 2))

# %% alt="Error against width: a line of slope one half, below the proved bound"
width_figure(errors)

# %% [markdown]
# The bound is a theorem about the mean over all draws. The marks are *sampled*, from
# eight draws each.
#
# ## Training moves the units
#
# In the *mean-field* scaling the first layer is again an average over its units, which
# are called particles. Training moves every particle a little. If there are infinitely
# many, the average itself follows a differential equation, with no chance in it.
#
# The target is $\max(1 - \lvert x \rvert, 0)$ in three dimensions, a cone. By symmetry
# the first layer computes a multiple $\alpha$ of the length $|x|$. We train 128
# particles for a short time.

# %%
task = RadialTask(dim=3, width=128, pairs=32, time=40, records=20)
run = learn_radial(task)
print("half the mean square of what is left:", f"{run.loss:.1e}")

# %% alt="Left: alpha at width 128 and at infinite width. Right: their difference"
alpha_figure(run)

# %% alt="The network against the length of x at four times; it becomes the cone"
profile_figure(run)

# %% [markdown]
# Where does $\alpha$ end? A quantity that training does not change decides it, and the
# answer is the root of a cubic equation. Here is the root, with an error bar for its
# last digits, beside what 128 particles have reached so far:

# %%
end = limit_alpha(task.dim, task.alpha, task.slope)
print("infinite width, infinite time:", end)
print("128 particles, time 40:       ", run.trajectory.alpha[-1])

# %% [markdown]
# Is the first layer of 128 particles really a multiple of $|x|$? Its relative variance
# over directions is the *spread*. It falls during training.

# %%
print("spread before:", run.spread_start)
print("spread after: ", run.spread_end)

# %% [markdown]
# ## Try it
#
# * Make the bump narrower: `Gaussian(1, "1/16")`. How does the picture change, and the
#   bound?
# * Train 32 and 512 particles. How does the difference to infinite width depend on
#   their number?
# * Train for `time=200`. Does $\alpha$ come closer to its limit?
#
# [Networks of infinite width](../infinite_width.md) and [learning](../learning.md) list
# what else there is. Next: [an exercise for a class](06_class_exercise.py).
