"""Formulas on a box, part by part."""
