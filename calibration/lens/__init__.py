"""Measures a camera and its lens distortion from pictures of a printed board, and how the camera
moves.
"""
