"""Refines a rough view: matches the tiles' faces with one another, adjusts everything together,
searches for lost tiles, and finds the table's scale from the tiles' rims.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.table.even_view import made_even
from calibration.table.settling import with_last_moves
from calibration.table.tower_places import with_outlined, with_towers
from calibration.table_edge.edge_finding import seen_sides
from calibration.tile_places.common_offset import shifted_alike
from calibration.tile_places.lost_tile_search import LOST_REACH_TILES, expected_place, lost_tiles
from calibration.tile_places.moved_tiles import (
    laid_most_alike,
    moved_where_alike,
    where_their_colours_are,
)
from calibration.tiles.bundle import Adjusted, Rim, adjust
from calibration.tiles.rim_model import Common
from calibration.tiles.rims import Light, top_height_mm
from calibration.tiles.scale_estimate import at_true_size, resized
from calibration.tiles.side_light import FEWEST_RIMS, clipped
from calibration.tiles.template_match import common_face, rims_by_template
from referee.domain.errors import InputError
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes

Picture = NDArray[np.uint8]

# Tuned on our own clips, except where a comment gives another source for a number.

_PASSES: Final = 4
# If the rules' distances and the tiles as found differ in size by more than this share, the rims
# are compared from both sizes. It is half the share by which a size may be off with the rims still
# within reach. Measured: on nine of ten tables on which the two sizes differ by 2 to 4.5 %, both
# lead to the same scale.
SAME_SIZE_SHARE: Final = 0.03


#: A function that gets a phrase for each stage, for example to show it to the user.
Doing = Callable[[str], None]


def report_nothing(stage: str) -> None:
    """Ignore a stage: the default for `doing`, if nobody wants to know the stages."""


def refine(
    lights: Sequence[Light],
    view: TableView,
    rough: Mapping[str, Tile],
    template: Course,
    sizes: PieceSizes,
    stills: Sequence[Picture],
    face_up: Collection[str] = (),
    *,
    found_larger: float = 1.0,
    free_focal: bool = False,
    doing: Doing = report_nothing,
) -> Adjusted:
    """Compute an accurate view and the tiles' places from a rough view, the rough tiles by name,
    and pictures of one camera.

    `lights` are the pictures as even light, the best one first. `stills` are the same pictures in
    BGR, for finding the table's edge. `face_up` names the tiles that show another face than the
    other tiles; they are measured by their outlines. `found_larger` is how many times as wide as
    the squares that were found the rough tiles are (`RoughView.larger`).

    Each pass compares the tiles' faces, which show how the tiles lie and how their size changes
    over the picture, and adjusts view and tiles to them. After all passes, the rims of all tiles
    together give the scale. Tiles that no picture shows are left out of the result. Raises
    InputError if fewer than four tiles fit together.
    """
    tiles, first, picture, whole = dict(rough), view, stills[0], lights[0]
    shown = frozenset(face_up)
    if shown:  # towers are found beside bleached tiles; single tiles are best measured uncut
        lights = best_measured(lights, view, _without(tiles, shown), sizes, free_focal=free_focal)
    before, last = dict[str, Tile](), dict[str, Tile]()
    for number in range(1, _PASSES + 1):
        doing(f"measuring tiles, {number} of {_PASSES}")
        tiles = where_their_colours_are(picture, whole, view, tiles, sizes, shown)
        rims, shifted = _enough_rims(lights, view, _without(tiles, shown), sizes)
        tiles |= shifted
        sides = (
            seen_sides(picture, whole, view, list(tiles.values()), sizes.tile_mm)
            if number > _PASSES // 2
            else ()
        )
        before = last
        adjusted = adjust(view, tiles, rims, sizes, free_focal=free_focal, sides=sides)
        last = dict(adjusted.tiles)
        unclear = _where_they_were_seen(_without(tiles, rims), view, adjusted.view, sizes)
        view, tiles = adjusted.view, {**adjusted.tiles, **unclear}
        tops = {name: tile for name, tile in tiles.items() if name in shown}
        tiles = _laid(lights, view, _without(tiles, shown), rims, sizes) | tops
        if number == _PASSES - 1:
            tiles |= lost_tiles(picture, lights, view, tiles, template, sizes, shown)
    tiles = _where_they_were_seen(rough, first, view, sizes) | tiles
    adjusted = replace(adjusted, tiles=tiles)
    adjusted = made_even(adjusted, template, sizes, free_focal=free_focal)
    doing("comparing all rims")
    adjusted, common = surest_size(picture, adjusted, found_larger, sizes)
    tiles = moved_where_alike(lights[0], adjusted.view, adjusted.tiles, sizes, shown)
    adjusted = with_last_moves(replace(adjusted, tiles=tiles), before, last)
    unlike = shown or {name for name in tiles if name not in adjusted.off_mm}
    if not unlike:
        return adjusted
    others = _without(tiles, unlike)
    sought = (name for name in template.tiles if name in unlike)
    expected = {name: expected_place(name, others, template) for name in sought}
    reach_mm = LOST_REACH_TILES * sizes.tile_mm
    if not shown:
        return with_outlined(stills, adjusted, expected, reach_mm, sizes, common)
    tops = {name: tile for name, tile in rough.items() if name in shown}
    seen = _where_they_were_seen(tops, first, adjusted.view, sizes)
    return with_towers(stills, adjusted, seen, expected, reach_mm, sizes, common)


def surest_size(
    picture: Picture, adjusted: Adjusted, found_larger: float, sizes: PieceSizes
) -> tuple[Adjusted, Common]:
    """Give the tiles their true size by their rims, and return them with what all rims share.

    The tiles of `adjusted` have the size at which the distances that the rules fix are right, but
    players may have laid other distances. If the tiles were found at a clearly different size,
    their rims may be out of reach from this one. The rims are then compared from the found size,
    too, and the result with the smaller error counts.
    """
    starts = [adjusted]
    if abs(math.log(found_larger)) > SAME_SIZE_SHARE:
        starts.append(resized(adjusted, found_larger, adjusted.scale_sigma))
    found = [at_true_size(picture, start, sizes) for start in starts]
    return min(found, key=lambda each: each[0].scale_sigma)


def _enough_rims(
    lights: Sequence[Light], view: TableView, tiles: Mapping[str, Tile], sizes: PieceSizes
) -> tuple[dict[str, list[Rim]], dict[str, Tile]]:
    """Return the edges of the tiles whose faces look alike. If there are too few, all tiles are
    shifted by the same amount, and the shifted tiles are returned, too. Raises InputError if still
    fewer than four look alike.
    """
    rims, shifted = rims_by_template(lights, view, tiles, sizes), dict[str, Tile]()
    if len(rims) < FEWEST_RIMS:
        shifted = shifted_alike(lights[0], view, tiles, sizes)
        rims = rims_by_template(lights, view, {**tiles, **shifted}, sizes)
    if len(rims) < FEWEST_RIMS:
        raise InputError(
            f"only {len(rims)} tiles look alike, too few to find the camera's view; is there"
            " glare, or is the picture too dark or out of focus?"
        )
    return rims, shifted


def best_measured(
    lights: Sequence[Light],
    view: TableView,
    tiles: Mapping[str, Tile],
    sizes: PieceSizes,
    *,
    free_focal: bool,
) -> Sequence[Light]:
    """Return the pictures either unchanged or with levels above that of a bleached face clipped,
    whichever makes the tiles' faces fit one view better. Some bleached parts still show print;
    others show only noise.
    """
    fits = []
    for own in (lights, [clipped(light) for light in lights]):
        rims = rims_by_template(own, view, tiles, sizes)
        if len(rims) >= FEWEST_RIMS:
            adjusted = adjust(view, tiles, rims, sizes, free_focal=free_focal)
            fits.append((adjusted.residual_mm, own))
    return min(fits, key=lambda fit: fit[0])[1] if fits else lights


def _without(tiles: Mapping[str, Tile], names: Collection[str]) -> dict[str, Tile]:
    return {name: tile for name, tile in tiles.items() if name not in names}


def _laid(
    lights: Sequence[Light],
    view: TableView,
    tiles: Mapping[str, Tile],
    clear: Collection[str],
    sizes: PieceSizes,
) -> dict[str, Tile]:
    """Return the tiles. A tile that is not `clear` is moved to where it looks most like the clear
    tiles in any of the pictures, since a hand may hide it in some. It is left out if it looks like
    them in no picture.
    """
    laid = {name: tiles[name] for name in tiles if name in clear}
    face = common_face(lights[0], view, laid, sizes)
    if face is None:
        return laid
    for name in _without(tiles, laid):
        others = _without(tiles, {name})
        found = [laid_most_alike(light, view, tiles[name], sizes, face, others) for light in lights]
        best = max((each for each in found if each is not None), key=itemgetter(1), default=None)
        if best is not None:
            laid[name] = best[0]
    return laid


def _where_they_were_seen(
    rough: Mapping[str, Tile], first: TableView, view: TableView, sizes: PieceSizes
) -> dict[str, Tile]:
    """Return the rough tiles, each moved to the place at which the better `view` shows what the
    `first` view showed at the tile's place.
    """
    seen = {}
    for name, tile in rough.items():
        height = top_height_mm(tile, sizes)
        pixel = first.to_image(np.array([[*tile.centre_mm, height]]))
        x, y = view.to_table(pixel, height)[0]
        seen[name] = replace(tile, centre_mm=(float(x), float(y)))
    return seen
