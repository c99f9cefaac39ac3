"""Decides which coin is which, from faces, from people's answers and from how the coins moved."""
