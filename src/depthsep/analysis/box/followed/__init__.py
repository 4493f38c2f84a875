"""Networks followed by affine forms over parts of a box, against a local model."""
