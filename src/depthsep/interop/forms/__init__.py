"""Affine forms over hidden units, from which networks of other libraries are made."""
