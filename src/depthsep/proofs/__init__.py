"""Proofs by computation that only tests run."""
