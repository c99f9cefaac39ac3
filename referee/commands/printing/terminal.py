"""Text for people: tables and lines, colours only on a terminal, nothing in it that a record's
names could do to the screen.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table


def people() -> Console:
    """Standard output, as people read it."""
    return Console(highlight=False, emoji=False)


def visible(text: object) -> str:
    r"""Text as it is printed between marks of style: what steers a terminal is shown, not done.

    >>> visible("Ann\x1b[31m"), visible("[red]")
    ('Ann\\x1b[31m', '\\[red]')
    """
    shown = "".join(
        letter if letter.isprintable() or letter in "\n\t" else repr(letter)[1:-1]
        for letter in str(text)
    )
    return escape(shown)


def say(out: Console, line: str) -> None:
    """One line, with marks of style. A terminal breaks it between words; to a file or another
    program it stays whole.
    """
    out.print(line, soft_wrap=not out.is_terminal)


def table_of(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> Table:
    """A table of plain cells."""
    table = Table(*map(visible, headings))
    for row in rows:
        table.add_row(*map(visible, row))
    return table
