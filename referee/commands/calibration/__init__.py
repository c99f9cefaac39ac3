"""The commands that measure once, before play: the lens, the table and the pieces."""
