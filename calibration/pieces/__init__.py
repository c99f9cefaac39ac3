"""Learns the sizes and the faces of a set of pieces from one picture."""
