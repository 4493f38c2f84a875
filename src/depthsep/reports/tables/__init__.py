"""Tables for terminals, LaTeX and pages."""
