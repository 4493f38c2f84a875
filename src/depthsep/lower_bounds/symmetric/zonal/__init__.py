"""Functions of <x, x'> by their parts of each degree."""
