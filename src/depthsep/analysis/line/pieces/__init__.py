"""The function that a network of one input is, in pieces: enumerated or composed."""
