"""Finds what could not be seen, or does not show what a coin did."""
