"""Reads a record under its rulings: which entries count, how they read, and what became of each."""
