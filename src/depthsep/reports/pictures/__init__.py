"""A network beside its target: one picture for each setting."""
