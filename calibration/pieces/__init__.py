"""Learns a set's sizes and faces from one picture."""
