"""Searches for tiles that moved, and measures them again."""
