# %% [markdown]
# # Your own network
#
# You have the weights of a network: which function is it exactly, and how can you prove
# that to others?
#
# Here the weights come from NumPy. The network computes the larger of two numbers, from
# the identity $\max(a, b) = \max(a - b, 0) + \max(b, 0) - \max(-b, 0)$. We examine it,
# inspect it, damage it, and see the damage refused.

# %%
# %matplotlib inline
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import depthsep
from depthsep import Network, Problem, Segment, inspect, verify
from depthsep.analysis import examine
from depthsep.interop import write_onnx
from depthsep.laws import Box
from depthsep.networks import network_to_json

# %% [markdown]
# ## From weights to a network
#
# `from_arrays` takes the weights and biases of the layers in turn. Rows are units. All
# hidden units are ReLUs.

# %%
hidden = np.array([[1.0, -1.0], [0.0, 1.0], [0.0, -1.0]])
output = np.array([[1.0, 1.0, -1.0]])
network = Network.from_arrays(hidden, np.zeros(3), output, np.zeros(1))
network

# %% [markdown]
# ## Examine
#
# A problem says what the network should be: here the larger of two inputs between -1
# and 1, and nowhere further away than 1/1000.

# %%
square = Box.cube(Segment(-1, 1), 2)
problem = Problem("max:2", square, accuracy="1/1000")
problem

# %%
examine(network, problem)

# %% [markdown]
# The error is 0, exactly. The examiner looked at the whole square, not at sample
# points.
#
# ## Inspect
#
# Every unit is on or off, and where it switches, it cuts the square. On a region
# between the cuts the network is one plane. `inspect` looks at the units and
# counts the regions, and its plot is a map of them.

# %%
found = inspect(network, square)
found

# %% alt="The square cut by its diagonal and a horizontal line into four regions"
found.plot();
# %% [markdown]
# There are four *activation regions*, cut by $a = b$ and by $b = 0$. But there are only
# two *affine regions*: at $b = 0$ one unit switches on, another one off, and the
# network goes on as the same plane. The line in the map shows where the output is 1/2.
#
# ## Break it
#
# Somebody stores the weights with little care: each of them is now off by up to 1/100.

# %%
rng = np.random.default_rng(0)
rough = [w + rng.uniform(-0.01, 0.01, w.shape) for w in (hidden, output)]
broken = Network.from_arrays(rough[0], np.zeros(3), rough[1], np.zeros(1))
examine(broken, problem)

# %% [markdown]
# The error is not 0 any more, and it is not below 1/1000. `certificate_of` insists on
# the accuracy, so it refuses:

# %%
try:
    depthsep.certificate_of(broken, problem)
except depthsep.CertificationError as refusal:
    print(refusal)

# %% [markdown]
# What has changed? An inspection can measure the distance to another network, here to the
# good one. In the map the cuts have hardly moved, but now there are four planes.

# %%
found = inspect(broken, square, against=network)
found

# %% alt="The same four regions for the broken network, the diagonal slightly turned"
found.plot();
# %% [markdown]
# ## A certificate
#
# What the examiner found can be written into a file: the problem, the claim and the
# weights. `verify` reads the file and derives the claim again, from the weights and the
# problem alone.

# %%
folder = TemporaryDirectory()
place = Path(folder.name)
certificate = depthsep.certificate_of(network, problem, "my notebook: an identity")
depthsep.write_certificate(certificate, place / "max.json")
verify(place / "max.json")

# %% [markdown]
# Somebody puts the weights of the broken network into the certificate, in place of the
# good ones. The new file is well-formed, and its checksum is right. Still, it does not
# pass:

# %%
forged = replace(certificate, network=network_to_json(broken))
depthsep.write_certificate(forged, place / "forged.json")
verify(place / "forged.json")

# %% [markdown]
# ## From a file
#
# Other programs exchange networks as ONNX files. A file that you were given is read
# with `read_network`. No weight is rounded on the way.

# %%
write_onnx(network, place / "max.onnx")
again = depthsep.read_network(place / "max.onnx")
examine(again, problem)

# %%
folder.cleanup()

# %% [markdown]
# ## Try it
#
# * By how much may each weight be wrong for the accuracy 1/1000 to hold? Change `0.01`
#   and look.
# * Build the larger of *three* numbers. How many regions does its inspection show?
# * A weight of 0.1 is not 1/10 in a computer. Compare `np.array([[0.1]])` with
#   `[["1/10"]]` as weights: `from_arrays` takes both as they are.
#
# For networks from PyTorch, see the [tutorial](../tutorials/pytorch.md). Next: [depth
# with one input](03_folding.py).
