"""Replays a record through the rules of its game, with all rulings applied."""
