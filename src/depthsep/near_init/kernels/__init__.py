"""Tangent kernels of finite and infinite networks."""

from typing import TYPE_CHECKING

from depthsep._lazy import lazily

if TYPE_CHECKING:  # needs JAX
    from depthsep.near_init.kernels.pairs._jax_pairs import jax_matrix as jax_matrix

__getattr__, __dir__, __all__ = lazily(__name__, globals())
