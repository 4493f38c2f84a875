"""Jobs that train networks: radial, linear, on a target, beside tangent kernels."""
