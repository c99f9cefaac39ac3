"""Finds coins in a picture, and measures their centres to a fraction of a pixel."""
