"""Sentences about problems, tables and numbers."""
