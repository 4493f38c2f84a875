"""How well a target can be approximated at best: by pieces, chords or polynomials."""
