"""Measures the lens, the table and the pieces, once before play. No part of this package depends on
the rules of a game.
"""
