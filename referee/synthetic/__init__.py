"""Simulates a table without a webcam: exact physics, and pictures of it through a real camera
model.
"""
