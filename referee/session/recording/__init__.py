"""Keeps a match on disk: its record, and the paths and the clip of every flick."""
