"""Networks and targets on an interval: pieces, distances, best approximations."""
