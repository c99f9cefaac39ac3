"""Matches on disk: their folders, paths and clips."""
