"""Which coin is which: by faces, by answers, by how the coins moved."""
