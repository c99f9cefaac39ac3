"""Decides which tile is which, and describes how a laid course differs from its game's template."""
