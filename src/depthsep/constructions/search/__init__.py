"""A search moves the weights of a network of a given width in float64."""
