"""Linear bounds of networks over boxes, in float64 with proved rounding."""
