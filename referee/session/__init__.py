"""Runs one match from camera to record. No other part of the referee knows every stage."""
