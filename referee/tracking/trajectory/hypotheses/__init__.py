"""Hypotheses about what happened in a flick, and how well they fit the sightings."""
