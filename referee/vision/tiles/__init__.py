"""Tiles that moved: searched for and measured anew."""
