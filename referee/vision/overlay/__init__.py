"""Writes a video with everything that was seen drawn over it."""
