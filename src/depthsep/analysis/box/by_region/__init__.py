"""Errors of small networks on boxes, over the simplices of their activation regions."""
