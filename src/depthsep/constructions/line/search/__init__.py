"""Search for narrow networks in float64; the examiner decides what is found."""
