"""Turns pixels into sightings. No other part of the referee uses OpenCV on pictures."""
