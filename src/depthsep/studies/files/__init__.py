"""Study files: what a study asks for."""
