"""What a given network is: sizes, regions, dead units, distances."""
