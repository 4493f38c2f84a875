"""Activations, and what is made of them."""
