"""A search for narrow networks on boxes."""
