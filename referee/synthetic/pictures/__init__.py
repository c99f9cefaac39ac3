"""Draws pictures of a synthetic table through a real camera model."""
