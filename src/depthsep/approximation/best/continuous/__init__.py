"""The least error of continuous functions with N affine pieces, enclosed."""
