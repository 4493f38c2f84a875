"""Tangent kernels of finite and infinite networks."""
