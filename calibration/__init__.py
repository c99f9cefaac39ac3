"""Measures, once before play, what the referee must know of the lens, the table and the pieces. It
does not depend on the rules of any game.
"""
