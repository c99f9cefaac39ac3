"""Exact motion of discs and tiles under dry friction."""
