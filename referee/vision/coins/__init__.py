"""Coins in pixels: found, recognized, and measured to a fraction of a pixel."""
