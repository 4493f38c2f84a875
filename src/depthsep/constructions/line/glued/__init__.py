"""Convex and concave functions, refined cell by cell by the same folds."""
