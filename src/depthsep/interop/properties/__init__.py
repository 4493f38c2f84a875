"""Properties of networks: read from VNN-LIB, and proofs that they hold."""
