"""Finds the places of tiles that the first search missed, or found beside their places: by their
faces, their outlines and their colours.
"""
