"""Sightings to paths: which coin is which through a flick, and the smooth path each one took."""
