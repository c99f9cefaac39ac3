"""Computes smooth paths: searches for the hypothesis that explains a flick's sightings best."""
