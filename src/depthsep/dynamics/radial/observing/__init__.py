"""A network seen outside any run: its velocity, loss, spread and decomposition."""
