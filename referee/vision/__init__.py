"""Pixels to sightings: the only part of the referee that looks at pictures."""
