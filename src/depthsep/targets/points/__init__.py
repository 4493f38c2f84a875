"""Points, or bands, at which alone errors count."""
