"""Prints what the commands show to people."""
