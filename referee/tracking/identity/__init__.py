"""Decides which coin is which over time: tracker, predictions, tentative tracks."""
