"""Convex domains cut into cells: faces, vertices and their exact arithmetic."""
