"""Measures once, before play, what the referee needs: lens, table and pieces. It knows nothing of
games.
"""
