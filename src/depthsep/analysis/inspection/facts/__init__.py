"""What is said of a network, one kind a file: a new one is a file and a line in use."""
