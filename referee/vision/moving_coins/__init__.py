"""Finds coins in motion, and measures their centres while they slide."""
