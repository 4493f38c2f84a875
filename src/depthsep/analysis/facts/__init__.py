"""What is true of a network on a box: range, slopes, shape, zeros, distance."""
