"""The scoreboard: a small Flask dashboard for a running match or a record."""
