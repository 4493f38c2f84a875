"""Networks on boxes: as sums of ridges, or by branch and bound."""
