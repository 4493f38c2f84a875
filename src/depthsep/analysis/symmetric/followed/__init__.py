"""Any ReLU network followed over pairs of points of a circle or a sphere in R^3."""
