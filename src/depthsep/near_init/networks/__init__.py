"""Networks near their start: drawing, linearising, training."""
