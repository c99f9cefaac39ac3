"""Decides which coin is which, by the faces of coins at rest."""
