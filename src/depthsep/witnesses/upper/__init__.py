"""Evidence that a network is near."""
