"""Three-layer mean-field networks on radial functions."""
