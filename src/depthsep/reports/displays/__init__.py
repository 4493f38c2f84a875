"""Records as notebooks show them, and as plots; loaded when one is shown."""
