"""Computes the exact motion of discs and tiles under dry friction."""
