"""The scoreboard: a small Flask dashboard over a running session or a record."""

from web_ui.pages import create_app

__all__ = ["create_app"]
