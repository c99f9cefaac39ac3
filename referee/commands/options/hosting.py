"""The options that say where the dashboard is served, for every command that has one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from referee.desk.serving.hosting import Hosting, checked_host, checked_name


def hosting_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--host`, `--port` and `--no-browser` to a command."""
    for option in (
        click.option(
            "--port",
            default=0,
            type=click.IntRange(0, 65535),
            help="The port of the dashboard. [default: any free port]",
        ),
        click.option(
            "--host",
            default="127.0.0.1",
            metavar="ADDRESS",
            help=(
                "Serve the dashboard at this address of your machine, so that phones and screens"
                " can open it; 0.0.0.0 stands for all its networks. [default: this machine only]"
            ),
        ),
        click.option(
            "--no-browser",
            is_flag=True,
            help="Print the dashboard's address, and do not open a browser.",
        ),
    ):
        command = option(command)
    return command


def host_name_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--name` to a command."""
    return click.option(
        "--name",
        "names",
        multiple=True,
        metavar="NAME",
        help=(
            "Another name of your machine, such as scoreboard.local, under which browsers may open"
            " the dashboard. You may give this several times."
        ),
    )(command)


def hosting_of(host: str, port: int, names: tuple[str, ...], *, no_browser: bool) -> Hosting:
    """Return where the dashboard is served. Raises InputError."""
    return Hosting(
        checked_host(host), port, tuple(checked_name(name) for name in names), not no_browser
    )
