"""The scoreboard: a small Flask dashboard over a running session or a record."""
