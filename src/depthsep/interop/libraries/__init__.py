"""PyTorch, equinox, JAX pytrees and scikit-learn."""
