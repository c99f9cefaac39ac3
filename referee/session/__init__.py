"""Runs one match from camera to record. It is the only part of the referee that knows all
stages.
"""
