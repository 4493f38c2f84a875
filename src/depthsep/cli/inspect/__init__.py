"""`depthsep inspect`, and how it shows what it found."""
