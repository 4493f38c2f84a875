"""`depthsep study`: many runs from one file."""
