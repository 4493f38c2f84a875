"""Formulas as text: read, proved to be defined, and evaluated; never run as code."""
