"""What is learned, from which start, on which directions."""
