"""A video with what was seen drawn over it."""
