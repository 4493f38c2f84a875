"""What a paper takes over: figures as PDF and PGF, a table, references, a paragraph."""
