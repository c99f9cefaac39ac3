"""Turns frames into episodes: follows one table through time."""
