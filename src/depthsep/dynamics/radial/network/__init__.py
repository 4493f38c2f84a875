"""The network of three layers, and what a step costs: products by tiles, velocities."""
