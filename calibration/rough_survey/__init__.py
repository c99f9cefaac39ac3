"""Finds the camera's pose, the course and the tiles from squares in a picture, accurate to a few
millimetres.
"""
