"""Best approximation in the mean by pieces: what many of them cost at least."""
