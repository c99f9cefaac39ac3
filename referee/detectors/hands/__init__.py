"""Finds what hands did: which coins they flicked, moved, put down and took off the table."""
