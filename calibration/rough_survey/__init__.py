"""Finds camera, course and tiles to within some millimetres, from squares in a picture."""
