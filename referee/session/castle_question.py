"""Asks on the page which castle is Moons', if the survey could not tell."""

from __future__ import annotations

from typing import Final

from calibration.table.castle_order import PLACES, with_castle_at
from calibration.table.surveyed_table import SurveyedTable
from referee.desk.page_topics.opening_questions import CastleAsked, CastleTopic, InPicture
from referee.domain.errors import InputError
from referee.domain.geometry import distance
from referee.domain.layout import SIDES_OF_TABLE
from referee.session.input_checks import check_size, which_castle
from referee.session.live_view import LiveView
from referee.session.watch_options import WatchOptions
from referee.vision.overlay.video_overlay import Marks, jpeg_of
from referee.vision.sources.frame import Picture
from referee.vision.sources.video import Source

#: The tower of Moons' castle. Its upper tile is the ace of moons.
_TOWER: Final = "tower-moons"


def ask_castle(
    options: WatchOptions, table: SurveyedTable, show: LiveView, source: Source
) -> SurveyedTable:
    """Ask which castle is Moons', on a picture of the `source`, and return the table with the
    castle there. Raises UnansweredError if nobody can be asked any more.
    """
    check_size(options, table, source.properties)
    picture = _first_sound(source)
    height, width = picture.shape[:2]
    show.castle(
        CastleTopic(castles=castles_of(table), picture_px=(width, height)),
        jpeg_of(picture, Marks()),
    )
    show.doing("naming", "Which castle is Moons'? Please say on this page.")
    side = show.feed.wait_for_answer("castle", None)
    if side is None:  # nobody reads the page any more
        raise which_castle(options)
    answered = with_castle_at(table, side)
    show.lies(answered)
    return answered


def castles_of(table: SurveyedTable) -> list[CastleAsked]:
    """Return the castles, clockwise from the one near the camera, of a table whose survey only
    assumed which castle is Moons'.
    """
    return [
        CastleAsked(
            side=side, words=PLACES[side], in_picture=_tower_in(with_castle_at(table, side))
        )
        for side in SIDES_OF_TABLE
    ]


def _tower_in(table: SurveyedTable) -> InPicture:
    """Return where the tower of Moons' castle is in the picture, and half its diagonal there."""
    tile, sizes = table.course.tiles[_TOWER], table.sizes
    (x, y), top_mm = tile.centre_mm, tile.stack * sizes.tile_thickness_mm
    at_px = table.view.pixel_of(x, y, top_mm)
    corner_px = table.view.pixel_of(x + sizes.tile_mm * 0.5**0.5, y, top_mm)
    return InPicture(at_px=at_px, radius_px=distance(at_px, corner_px))


def _first_sound(source: Source) -> Picture:
    """Return the first picture that is not damaged. Raises InputError if there is none."""
    for frame in source:
        if frame.sound:
            return frame.bgr()
    raise InputError(f"{source.properties.name}: not one picture in it can be read")
