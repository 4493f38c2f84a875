"""Running trials: pools, processes, retries."""
