"""Reads the table and the set of a run, and checks that its inputs fit together, before the first
frame is read. Each problem is reported in one line.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from calibration.store.piece_store import PieceSet, read_pieces
from calibration.store.store import read_table
from calibration.table.castle_order import with_castle_at
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.entry import Player, Ruling, Setup
from referee.domain.errors import InputError
from referee.domain.geometry import contains
from referee.domain.layout import SIDES_OF_TABLE, template_course
from referee.domain.pieces import PieceSizes
from referee.library.archive import RECORD
from referee.record.reading import recover_record
from referee.session.watch_options import WatchOptions
from referee.vision.sources.frame import SourceProperties

#: The endings of files that can hold the overlay's kind of video.
OVERLAY_ENDINGS: Final = (".mp4", ".m4v", ".mov", ".mkv")


class UnansweredError(Exception):
    """Raised if people must say something before play, and nobody can be asked. The message tells
    them what to say.
    """


def check_table(options: WatchOptions, table: SurveyedTable) -> None:
    """Check that the table was surveyed for the match's game and holds its whole course. Raises
    InputError with the file and the field.
    """
    game = options.match.game
    if table.game != game:
        raise InputError(
            f"{options.table}: game: this table was surveyed for {table.game}, but the match is of"
            f" {game}"
        )
    wanted, there = template_course(game, table.sizes.tile_mm).tiles, table.course.tiles
    strange = [name for name in there if name not in wanted]
    missing = [name for name in wanted if name not in there]
    if strange:
        raise InputError(
            f"{options.table}: tiles.{strange[0]}: is not a tile of the course of {game}"
            f" ({', '.join(missing or wanted)})"
        )
    if missing:
        raise InputError(
            f"{options.table}: tiles.{missing[0]}: is missing"
            + (f", and so are {', '.join(missing[1:])}" if missing[1:] else "")
        )


def check_names(options: WatchOptions, table: SurveyedTable) -> None:
    """Check that every place that people gave for a coin is on the table. Nothing is checked if the
    table's edge is not known, or if it is only assumed which castle is Moons'. Raises InputError,
    which names the option.
    """
    if table.castle_assumed is not None:
        return
    for coin, (x_mm, y_mm) in options.names_mm.items():
        if table.edge and not contains(table.edge_mm, (x_mm, y_mm)):
            raise InputError(f"--name {coin}={x_mm:g},{y_mm:g}: this place is not on the table")


def check_overlay(options: WatchOptions) -> None:
    """Check that the overlay is a video file of a known kind, that its folder exists and can be
    written, and that it is not the source itself. Raises InputError.
    """
    overlay = options.overlay
    if overlay is None:
        return
    if overlay.suffix.lower() not in OVERLAY_ENDINGS:
        raise InputError(
            f"--overlay {overlay}: is not a kind of video that can be written"
            f" ({', '.join(OVERLAY_ENDINGS)})"
        )
    if overlay.is_dir():
        raise InputError(f"--overlay {overlay}: a folder, not a file")
    if overlay.exists() and Path(options.source).exists() and overlay.samefile(options.source):
        raise InputError(
            f"--overlay {overlay}: is the video that is watched, and would be overwritten"
        )
    above = next((folder for folder in overlay.absolute().parents if folder.exists()), None)
    if above is not None and not above.is_dir():
        raise InputError(f"--overlay {overlay}: {above} is a file, not a folder")


def check_size(options: WatchOptions, table: SurveyedTable, seen: SourceProperties) -> None:
    """Check that the survey was made from pictures of this size. Another size means another camera,
    and raises InputError.
    """
    camera = table.view.camera
    if (seen.width, seen.height) != (camera.width, camera.height):
        sizes = (
            f"surveyed at {camera.width}x{camera.height} but {options.source} is"
            f" {seen.width}x{seen.height}"
        )
        raise InputError(
            f"{options.table}: camera: {sizes}; survey the table again from this source"
        )


def check_resumed(options: WatchOptions) -> None:
    """Check that a record to be continued can be read, and that its setup is that of this match, as
    it was at the beginning or as people have corrected it. Raises InputError.
    """
    record = options.out / RECORD
    if not options.resume or not record.exists():
        return
    entries = recover_record(record).entries
    setups = [e for e in entries if isinstance(e, Setup)] + [
        e.replacement for e in entries if isinstance(e, Ruling) and isinstance(e.replacement, Setup)
    ]
    match = options.match
    if not any(
        setup.game == match.game and _who(setup.players) == _who(match.players) for setup in setups
    ):
        began = f"{setups[0].game} by {_who(setups[0].players)}"
        raise InputError(
            f"{record}: line 1: players: the record is of {began}, but the match file is of"
            f" {match.game} by {_who(match.players)}"
        )
    if not any(dict(setup.options) == dict(match.options) for setup in setups):
        raise InputError(
            f"{record}: line 1: options: {dict(setups[0].options)} in the record, but"
            f" {dict(match.options)} in the match file"
        )


def _who(players: tuple[Player, ...]) -> str:
    return ", ".join(f"{p.name} ({p.coin})" for p in players)


def surveyed(options: WatchOptions) -> tuple[SurveyedTable, PieceSet | None]:
    """Return the table and the set. The coin size given for the table is used; if there is none,
    the size learnt with the set. Raises UnansweredError if nobody has said which castle is Moons',
    and there is no page on which to ask.
    """
    table = _with_castles(options, read_table(options.table))
    if options.pieces is None:
        return table, None
    pieces = read_pieces(options.pieces)
    usual, given = PieceSizes(), table.sizes
    width = given.coin_mm if given.coin_mm != usual.coin_mm else pieces.sizes.coin_mm
    thickness = (
        given.coin_thickness_mm
        if given.coin_thickness_mm != usual.coin_thickness_mm
        else pieces.sizes.coin_thickness_mm
    )
    return replace(table, sizes=replace(given, coin_mm=width, coin_thickness_mm=thickness)), pieces


def which_castle(options: WatchOptions) -> UnansweredError:
    """Return the error for the case that nobody said which castle is Moons'."""
    return UnansweredError(
        f"{options.table}: the survey could not tell which castle is Moons'; say at which side of"
        f" the table it is, as the camera sees it: --moons-side {'|'.join(SIDES_OF_TABLE)}"
    )


def _with_castles(options: WatchOptions, table: SurveyedTable) -> SurveyedTable:
    """Return the table with Moons' castle on the side that people gave, if the survey only assumed
    a side. The table stays unchanged if nobody gave a side yet but the page can ask. Raises
    InputError if people gave a side although the survey found it, and UnansweredError if nobody
    gave one and nobody can be asked.
    """
    if table.castle_assumed is None:
        if options.moons_side is not None:
            raise InputError(
                f"--moons-side: {options.table} does not ask for it (leave it out, or survey the"
                " table again with it)"
            )
        return table
    if options.moons_side is None and options.ui:
        return table
    if options.moons_side is None:
        raise which_castle(options)
    return with_castle_at(table, options.moons_side)
