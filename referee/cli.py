"""The command line. The module of each command is imported only when the command runs, so that
`adjudicate` does not wait for the vision libraries.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from typing import Any, Final, TextIO

import click

from referee.domain.errors import InputError

BROKEN_PIPE: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130


class LazyGroup(click.Group):
    """A group of commands that are imported on use: `{name: ("module:attribute", one line of
    help)}`.
    """

    def __init__(self, *args: Any, lazily: Mapping[str, tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lazily = lazily

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, as in the help."""
        return [*super().list_commands(ctx), *self._lazily]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with this name, imported now; None if there is none."""
        if cmd_name not in self._lazily:
            return super().get_command(ctx, cmd_name)
        module, attribute = self._lazily[cmd_name][0].split(":")
        command = getattr(importlib.import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{module}:{attribute} is not a command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their lines of help, without importing them."""
        rows = [(name, command.get_short_help_str()) for name, command in self.commands.items()]
        rows += [(name, line) for name, (_, line) in self._lazily.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


calibrate = LazyGroup(
    "calibrate",
    help="Measure the lens, the table and the set of pieces, once, before play.",
    short_help="Measure the lens, the table and the pieces, once.",
    lazily={
        "sheet": (
            "referee.commands.calibration.lens:calibrate_sheet",
            "Write a board to print, for measuring the lens.",
        ),
        "lens": (
            "referee.commands.calibration.lens:calibrate_lens",
            "Measure the lens from pictures of the printed board.",
        ),
        "table": (
            "referee.commands.calibration.table:calibrate_table",
            "Find the course and the table's edge in a picture.",
        ),
        "pieces": (
            "referee.commands.calibration.pieces:calibrate_pieces",
            "Learn a set's sizes and faces from a picture.",
        ),
    },
)

cli = LazyGroup(
    "referee",
    help=(
        "Referee piecepack games, from a camera over the table or from a record. Every call says"
        " how sure it is and cites its rule."
    ),
    commands={"calibrate": calibrate},
    lazily={
        "demo": (
            "referee.commands.demo:demo",
            "Referee a bundled clip, live on a page in your browser.",
        ),
        "watch": (
            "referee.commands.watch:watch",
            "Referee a match from a camera, a video file or a stream.",
        ),
        "paths": (
            "referee.commands.paths:paths",
            "Follow discs that are flicked on a plain table, without a game.",
        ),
        "adjudicate": (
            "referee.commands.adjudicate:adjudicate",
            "Print the calls and standings of a record.",
        ),
        "rule": (
            "referee.commands.rule:rule",
            "Rule on an entry of a record, and print what changes.",
        ),
        "what-if": ("referee.commands.what_if:what_if", "Print what changes under other options."),
        "rules": (
            "referee.commands.rules:rules",
            "Print the course, the options and the readings of a game.",
        ),
        "follow": (
            "referee.commands.follow:follow",
            "Show a record on the dashboard while it grows.",
        ),
        "check": ("referee.commands.check:check", "Print everything that is wrong with a record."),
        "export": ("referee.commands.export:export", "Write a match as PPN, CSV or JSON."),
    },
)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    It is 0 on success, 2 for input that cannot be used (with one line on standard error), 130 after
    an interruption, and 1 without a message when the reader of the output has gone.
    """
    _print_what_it_can(sys.stdout, sys.stderr)
    try:
        result = cli.main(
            args=None if arguments is None else list(arguments),
            prog_name="referee",
            standalone_mode=False,
        )
        sys.stdout.flush()
    except InputError as error:
        click.echo(str(error), err=True)
        return BAD_INPUT
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return error.exit_code
    except click.ClickException as error:
        click.echo(_usage_line(error), err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted; what was recorded so far is kept.", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        _give_up_stdout()
        return BROKEN_PIPE
    return result if isinstance(result, int) else 0


def _print_what_it_can(*streams: TextIO) -> None:
    """Make the streams print question marks for characters that a terminal's encoding does not
    have, so that a name never ends a command.
    """
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _usage_line(error: click.ClickException) -> str:
    """Return the error about a wrong command line in one line, with the command that explains
    it.
    """
    message = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    return (
        message
        if context is None
        else f"{context.command_path}: {message} (see {context.command_path} --help)"
    )


def _give_up_stdout() -> None:
    """Discard the rest of the output because its reader has gone. Otherwise Python complains when
    it ends.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run the `referee` command. SIGTERM ends it like Ctrl-C, because services, containers and
    background programs are ended with SIGTERM.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(100_000_000))  # read on import
    sys.exit(run())
