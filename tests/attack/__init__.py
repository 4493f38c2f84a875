"""A hostile referee: random questions to the library, answers judged by own code."""
