"""Files of networks and certificates."""
