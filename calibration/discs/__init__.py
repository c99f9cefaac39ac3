"""Finds discs of any size on a table without tiles, and how the camera looks at them."""
