"""Tiles as rulers: found in a picture, measured by their rims, adjusted together."""
