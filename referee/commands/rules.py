"""`referee rules` prints a game's course, options and readings, in our own words."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from referee.commands.printing.json_output import print_json
from referee.commands.printing.terminal import people, say
from referee.games.wickets.board import template_board
from referee.games.words import BOARD_GAMES
from referee.reports.board_page import board_svg
from referee.reports.rule_book import GAMES, Rulebook, rulebook_of
from referee.reports.wording.values import in_words


@click.command()
@click.argument("game", metavar="GAME", type=click.Choice(GAMES))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
@click.option(
    "--board",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Instead, draw the board of Wickets into this SVG file, to print it and play on it.",
)
def rules(game: str, as_json: bool, board: Path | None) -> None:
    """Print the course of GAME, its options with their defaults, and its readings.

    A reading says how the game is refereed where its rules are unclear.
    """
    book = rulebook_of(game)
    if board is not None:
        _write_board(book, board)
        return
    if as_json:
        print_json(book.as_json())
        return
    print_rulebook(book, people())


def _write_board(book: Rulebook, out: Path) -> None:
    if book.game not in BOARD_GAMES:
        raise click.UsageError(
            f"--board: {book.game} is played on tiles, not on a printed board"
            f" ({', '.join(BOARD_GAMES)} are)"
        )
    if out.suffix.lower() != ".svg":
        raise click.UsageError(f"--board: {out} is not the name of an SVG file; try {out.stem}.svg")
    try:
        out.write_text(
            board_svg(template_board(book.game), book.title), encoding="utf-8", newline="\n"
        )
    except OSError as error:
        raise click.UsageError(f"{out}: cannot be written: {error.strerror}") from error
    click.echo(f"Written: {out}. Print it at 100 %.")


def print_rulebook(book: Rulebook, out: Console) -> None:
    """Print a rulebook, with colours only on a terminal."""
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
        options.add_row(
            name,
            escape(option.meaning),
            escape(option.allowed),
            escape("null" if option.default is None else _as_written(option.default)),
        )
    out.print(options)
    for title, listed in (("Readings", book.readings), ("Shared with other games", book.common)):
        readings = Table(
            "reading", "about", "how it is refereed", title=title, title_justify="left"
        )
        for one in listed:
            readings.add_row(one.name, escape(one.of), escape(one.reading))
        out.print(readings)


def _as_written(value: object) -> str:
    """Format a value as a setup has it."""
    return (
        str(value).lower()
        if isinstance(value, bool)
        else f"[{in_words(value)}]"
        if isinstance(value, tuple)
        else str(value)
    )
