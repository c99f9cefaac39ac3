"""Turns sightings into paths: decides which coin each sighting shows, and fits a smooth path to
each coin's sightings.
"""
