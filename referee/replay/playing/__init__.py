"""Plays the entries that count through the rules of the game, in every way that is in doubt."""
