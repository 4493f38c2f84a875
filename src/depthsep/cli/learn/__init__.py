"""`depthsep learn`: training."""
