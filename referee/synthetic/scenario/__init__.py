"""Decides what happens on a synthetic table: the scene, its timeline, and the truth about it."""
