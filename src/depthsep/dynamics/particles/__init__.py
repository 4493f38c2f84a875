"""Mean-field flows of particles."""
