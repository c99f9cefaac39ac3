"""Finds discs of any size on a table without tiles, and estimates the camera's view of them."""
