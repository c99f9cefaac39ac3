"""Prints tables and lines for people. Colours appear only on a terminal, and names in a record
cannot control the terminal.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table


def people() -> Console:
    """Return a console that prints to standard output for people."""
    return Console(highlight=False, emoji=False)


def visible(text: object) -> str:
    r"""Escape text for printing: control characters and style marks in it are shown and have no
    effect.

    >>> visible("Ann\x1b[31m"), visible("[red]")
    ('Ann\\x1b[31m', '\\[red]')
    """
    shown = "".join(
        letter if letter.isprintable() or letter in "\n\t" else repr(letter)[1:-1]
        for letter in str(text)
    )
    return escape(shown)


def say(out: Console, line: str) -> None:
    """Print one line with style marks. A terminal breaks it between words. In a file or a pipe it
    stays one line.
    """
    out.print(line, soft_wrap=not out.is_terminal)


def table_of(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> Table:
    """Return a table of plain cells."""
    table = Table(*map(visible, headings))
    for row in rows:
        table.add_row(*map(visible, row))
    return table
