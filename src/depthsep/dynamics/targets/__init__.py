"""Training networks of any depth on any target."""
