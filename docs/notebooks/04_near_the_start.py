# %% [markdown]
# # Near the start
#
# How much does a very wide network have to change in order to learn a few points?
#
# Very little, and then training is almost a linear problem. In this notebook we look at
# the *tangent kernel*, which decides what such training does, and measure how far
# networks of finite width are from it.

# %%
# %matplotlib inline
import jax
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from depthsep import near_init
from depthsep.reports import distance_figure, training_figure

jax.config.update("jax_enable_x64", True)


def circle(angles):
    """Points of the unit circle, one a row."""
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


# %% [markdown]
# ## The kernel
#
# Two inputs are similar if a small step of training for one changes the output at the
# other. The tangent kernel $k(x, z)$ is the inner product of the gradients of the
# output at $x$ and at $z$, in the weights. For infinite width it is a number that does
# not depend on chance.
#
# Here are the kernels of networks of depth 2, 3 and 6 between one point of the circle
# and all others. Each is divided by its value at the point itself.

# %% alt="Kernels of three depths against the angle: all fall from 1"
angles = np.linspace(-np.pi, np.pi, 121)
figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
for depth in (2, 3, 6):
    kernel = near_init.TangentKernel(depth=depth, weight_variance=2)
    values = kernel(circle(np.zeros(1)), circle(angles))[0]
    axes.plot(angles, values / values.max(), label=f"depth {depth}")
axes.set(xlabel="angle between the inputs", ylabel="kernel, scaled")
_ = axes.legend()

# %% [markdown]
# ## Finite width
#
# A network of finite width has a kernel that does depend on its random start. How close
# is it to the limit? `kernel_errors` draws eight networks of each width. The mean
# square of the difference should fall like one over the width.

# %%
kernel = near_init.TangentKernel(depth=3, weight_variance=2)
places = circle(np.linspace(0, 3, 6))
errors = near_init.kernel_errors(kernel, places, (32, 128, 512))
frame = pd.DataFrame([[e.width, e.mean_squared_error] for e in errors])
frame.columns = ["width", "mean square"]
frame.assign(product=frame["width"] * frame["mean square"]).set_index("width")

# %% [markdown]
# The last column stays about the same. These numbers are *sampled*: they come from some
# random networks and prove nothing.
#
# ## Learn six points
#
# Now a network with one hidden layer learns six values on the circle by gradient
# descent. `compare` trains it and computes beside it what the linearised network does.
# The linearised network is the part that is linear in the change of the weights, so its
# training can be written down.

# %% alt="Networks of width 64 and 1024, their predictions, and the gap below its bound"
x = np.array([-2.5, -1.4, -0.2, 0.9, 1.7, 2.8])
y = np.array([0.5, -0.5, 0.8, 0.1, -0.6, 0.4])
steps = [1, 2, 5, 10, 20, 50, 100]
runs = [
    near_init.compare(circle(x), y, circle(angles), width, steps=steps)
    for width in (1024, 64)
]
training_figure(runs, angles, (x, y))

# %% [markdown]
# How far have the weights moved? All together they move about as far at every width.
# But each row, that is, the weights of one unit, moves less and less.

# %% alt="Distance from the start against steps, for all weights and for one row"
distance_figure(runs)

# %% [markdown]
# At the end of training, in numbers. *gap* is the largest difference between the
# network and its linearisation that was seen. *worst* is the largest that any weights
# at that distance could have. *bound* is proved before anything is drawn, and holds
# with probability 99 percent.

# %%
ends = {run.width: [run.gap[-1], run.worst[-1], run.bound[-1]] for run in runs}
frame = pd.DataFrame(ends, index=["gap", "worst", "bound"])
frame.rename_axis("width", axis="columns").round(3)

# %% [markdown]
# ## Linearise a network of your own
#
# The same works for deeper networks, and for any function in JAX. `linearise` gives the
# linear part, and `minimum_norm` the smallest change of the weights with which this
# part goes through the data. Put into the network itself, how far does that change miss
# the data?

# %%
misses = {}
for width in (16, 256):
    network, start = near_init.finite_network(kernel, dim=2, width=width, seed=0)
    linear = near_init.linearise(network, start)
    found = near_init.minimum_norm(network, start, circle(x), y)
    misses[width] = [
        float(abs(function(found.parameters, circle(x)) - y).max())
        for function in (network, linear)
    ]
frame = pd.DataFrame(misses, index=["network", "linear part"])
frame.rename_axis("width", axis="columns")

# %% [markdown]
# The linear part goes through the six points up to rounding. The network misses them,
# and the wide one by less.
#
# ## Try it
#
# * Make two of the six angles nearly equal, with different values. What happens to the
#   distances, and why?
# * Use depth 6 for the kernel of the first picture and a bias, `bias_variance=0.1`.
#   What changes?
# * Make the values `y` ten times as large. Is a network of width 1024 still close to
#   its linear part?
#
# The [tutorial](../tutorials/near_init.md) explains the bound, and [the
# reference](../near_init.md) lists all of it. Next: [infinite
# width](05_infinite_width.py).
