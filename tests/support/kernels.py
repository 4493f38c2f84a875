"""What tests of tangent kernels share: activations, points, the kernel in balls."""

import numpy as np

from depthsep.exact import rational
from depthsep.near_init import enclosed_kernel

ACTIVATIONS = (
    *("relu", "leaky-relu:1/10", "leaky-relu:-3", "identity", "abs"),
    *("erf", "sin", "cos", "exp", "threshold"),
)


def exact(kernel, x, z, *, tangent):
    """The same kernel in balls."""
    return np.array(
        [
            [
                float(
                    enclosed_kernel(
                        [rational(float(v)) for v in p],
                        [rational(float(v)) for v in q],
                        activation=kernel.activation,
                        depth=kernel.depth,
                        weight_variance=rational(kernel.weight_variance),
                        bias_variance=rational(kernel.bias_variance),
                        input_variance=rational(kernel.input_variance),
                        trained=kernel.trained,
                        tangent=tangent,
                    )
                )
                for q in z
            ]
            for p in x
        ]
    )


def near_and_far(rng, size=1.0):
    """Six points, and six others: antipodes, near copies, multiples, both at 1e-12."""
    x = size * rng.standard_normal((6, 3))
    z = x.copy()
    z[0], z[1], z[2] = -x[0], x[1] + 1e-9, -x[2] + 1e-7
    z[3], z[4], z[5] = 4 * x[3], -x[4] * (1 + 1e-12), x[5] + 1e-4
    return x, z
