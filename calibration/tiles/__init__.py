"""Measures the table with its tiles, whose size is known: finds them in a picture, measures their
rims, and adjusts all of them together.
"""
