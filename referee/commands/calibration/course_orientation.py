"""Finds out which way round a course lies in the picture. The picture does not show it, because a
course is symmetric.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

import click

from calibration.course.orientation import SIDES, Orientation
from calibration.table.castle_order import with_castle_at
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.layout import SIDES_OF_TABLE, faces_up, facing_of

#: The line to print if nobody gave the orientation, and nobody can be asked.
ASSUMED: Final = (
    "The command assumes that the left endpost is at the left in the picture and wicket 3 on the"
    " camera's side. If that is wrong, give --left-endpost right or --mirror."
)


#: The line to print for a board that looks the same from all sides.
NORTH: Final = "North is the side away from the camera."


def orientation_of(
    game: str, left_endpost: str | None, mirror: bool | None, moons_side: str | None = None
) -> tuple[Orientation, str | None]:
    """Return how the course lies for the players. If no option says it, ask on a terminal; without
    a terminal, assume the usual orientation, and also return a line that says so. For castles, the
    survey reads the orientation from the picture.
    """
    if faces_up(game):
        return Orientation(facing_side=moons_side), None
    if facing_of(game) is not None:
        return Orientation(), NORTH
    unsaid = left_endpost is None and mirror is None
    if unsaid and sys.stdin.isatty() and sys.stderr.isatty():
        return _asked(), None
    return Orientation(left_endpost or "left", bool(mirror)), ASSUMED if unsaid else None


def castle_answered(table: SurveyedTable) -> SurveyedTable:
    """If the survey could not tell where Moons' castle is, ask on a terminal, and return the table
    with the castle at the answered side. Without a terminal, return the table as it is.
    """
    if table.castle_assumed is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return table
    click.echo("The aces on the towers do not show which castle is that of Moons.", err=True)
    sides = sorted(SIDES_OF_TABLE, key=lambda side: side != table.castle_assumed)
    side = _choice("At which side of the table is Moons' castle, as the camera sees it", sides)
    return with_castle_at(table, side)


def _asked() -> Orientation:
    click.echo("A course looks the same from both ends, so say which way you play it.", err=True)
    side = _choice("At which side of the picture is the left endpost", SIDES)
    if Orientation(side).upright:
        hand = _choice("On the way to the right endpost, wicket 3 is at your", ("right", "left"))
        return Orientation(side, hand == "left")
    where = _choice("Where does wicket 3 lie, as the camera sees it", ("near", "far"))
    return Orientation(side, where == "far")


def _choice(question: str, answers: Sequence[str]) -> str:
    """Ask until one of the answers is given. The first one is the default."""
    return str(click.prompt(question, type=click.Choice(answers), default=answers[0], err=True))
