"""Prints plain values as JSON, for other programs."""

from __future__ import annotations

import click
import msgspec


def as_text(value: object) -> str:
    """Format plain values as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def print_json(value: object) -> None:
    """Print plain values as JSON, in UTF-8 on every terminal."""
    click.echo(as_text(value).encode())
