"""Turns sightings into paths: finds which coin is which during a flick, and the smooth path of each
coin.
"""
