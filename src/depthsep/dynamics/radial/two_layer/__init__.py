"""Two-layer networks trained for comparison."""
