"""Uses tiles of known size to measure the table: finds them in a picture, measures their rims, and
adjusts them together.
"""
