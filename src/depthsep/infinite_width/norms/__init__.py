"""Barron norms: exact, bounded, and of functions blurred by a Gaussian."""
