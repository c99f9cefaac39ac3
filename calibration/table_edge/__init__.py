"""Finds where the table ends, and says which parts of its edge cannot be refereed."""
