"""Lipschitz functions on a box: bumps over cubes, hats over simplices, cosines."""
