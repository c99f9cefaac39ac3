"""Decides which tile is which, and how a laid course differs from its game's template."""
