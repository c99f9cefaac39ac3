"""Decides what happens on a synthetic table: the scene, its story, and the truth about it."""
