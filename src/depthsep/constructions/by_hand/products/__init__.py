"""Products by squares, and what is made of products: 1/x and quotients."""
