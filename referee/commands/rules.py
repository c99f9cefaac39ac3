"""`referee rules`: a game's course, options and readings, in our own words."""

from __future__ import annotations

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from referee.commands.adjudicate import print_json
from referee.commands.printing import people, say
from referee.commands.words import in_words
from referee.rulebook import GAMES, Rulebook, rulebook_of


@click.command()
@click.argument("game", metavar="GAME", type=click.Choice(GAMES))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
def rules(game: str, as_json: bool) -> None:
    """Print the course of GAME, its options with meaning and default, and how it is refereed where its rules leave room."""
    book = rulebook_of(game)
    if as_json:
        print_json(book.as_json())
        return
    print_rulebook(book, people())


def print_rulebook(book: Rulebook, out: Console) -> None:
    """Print a rulebook; colours only on a terminal."""
    say(out, f"[bold]{escape(book.title)}[/] ({escape(book.game)}), for {escape(book.players)}.")
    say(out, "[bold]Course[/]")
    for number, step in enumerate(book.course, start=1):
        say(out, f"  {number}. {escape(step)}")
    say(out, f"[bold]Turn[/]\n  {escape(book.turn)}")
    options = Table(title="Options", title_justify="left")
    options.add_column("option", no_wrap=True)
    for heading in ("meaning", "values", "default"):
        options.add_column(heading)
    for name, option in book.options.items():
        options.add_row(name, escape(option.meaning), escape(option.allowed), escape("null" if option.default is None else _as_written(option.default)))
    out.print(options)
    readings = Table("reading", "about", "how it is refereed", title="Readings", title_justify="left")
    for one in book.readings:
        readings.add_row(one.name, escape(one.of), escape(one.reading))
    out.print(readings)


def _as_written(value: object) -> str:
    """A value as a setup has it."""
    return str(value).lower() if isinstance(value, bool) else f"[{in_words(value)}]" if isinstance(value, tuple) else str(value)
