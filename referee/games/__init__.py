"""Incidents and declarations to calls: one module a game. No pixels, no numpy, no clock."""
