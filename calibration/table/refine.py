"""Refines a rough view: it aligns faces, measures rims, searches for lost tiles, and adjusts
everything together.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.table.edge_finding import seen_sides
from calibration.tiles.bundle import Adjusted, adjust
from calibration.tiles.lost_tiles import EdgeStrength, edge_strength, search_tile
from calibration.tiles.rim_model import OUTWARD_MM, Learnt, blur_of_lines, learn_rim_model
from calibration.tiles.rims import Light, Profile, Rim, RimModel, rim_costs, rim_near, tile_profiles
from calibration.tiles.scale_estimate import at_true_size
from calibration.tiles.template_match import Patch, align, common_face, find_alike, rims_by_template
from referee.domain.errors import InputError
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Tuned on our own clips, except where a comment gives another source for a number.

#: How far from its expected place a lost tile is searched for, in tile widths.
LOST_REACH_TILES: Final = 0.8
# How far rims may be off in each pass, and how much more at the table's ends.
_PASSES_MM: Final = ((3.0, 1.8), (1.5, 0.8), (0.8, 0.4))
_CLOSE_MM: Final = (0.45, 0.35, 0.35)
_GUESSED_MM: Final = 0.4
_FIELD_MM: Final = 4.5
_FAR_OFF: Final = 0.01  # of the scale
_FEWEST: Final = 4
_UNLIKE_MM: Final = 0.6
_ALIKE: Final = 0.5


#: A function that is told, in words, what is being done.
Doing = Callable[[str], None]


def report_nothing(stage: str) -> None:
    """Report a stage to nobody."""


def refine(
    lights: Sequence[Light],
    view: TableView,
    rough: Mapping[str, Tile],
    template: Course,
    sizes: PieceSizes,
    picture: Picture,
    *,
    free_focal: bool = False,
    doing: Doing = report_nothing,
) -> Adjusted:
    """Compute an accurate view and the tiles' places from a rough view, rough tiles by name, and
    the pictures (even light) of one camera.

    The best picture comes first. It is also passed as BGR `picture`, for the table's edge.

    Two steps alternate. The tiles' faces are aligned with one another, and the rims' common offsets
    over the table are estimated and subtracted. Then lost tiles are searched for, and both steps
    are repeated within a closer range. The result leaves out tiles that were not seen anywhere.
    Raises InputError where fewer than four fit together.
    """
    tiles = dict(rough)
    learnt = Learnt(RimModel(), 0.0, (0.0, 0.0), (0.0, 0.0))
    for number, (reach, lean) in enumerate(_PASSES_MM, 1):
        doing(f"measuring tiles, {number} of {len(_PASSES_MM)}")
        alike = align(lights[0], view, tiles, sizes)
        tiles = tiles | alike
        blur = blur_of_lines(lights[0], view, alike.values(), sizes)
        learnt = learn_rim_model(
            _profiles(lights[0], view, alike or tiles, sizes, reach),
            sizes.tile_mm,
            reach,
            lean,
            blur,
        )
        adjusted = adjust(
            view,
            tiles,
            _rims(lights, view, tiles, sizes, learnt, 0.45, alike),
            sizes,
            free_focal=free_focal,
        )
        view, tiles = adjusted.view, _fitting(adjusted, alike)
    tiles = tiles | _lost(lights, view, tiles, template, sizes)
    doing("measuring tiles closely")
    model = learnt.model
    close = _closely(lights, view, tiles, model, sizes, picture, free_focal)
    doing("comparing all rims")
    adjusted = at_true_size(picture, close, sizes)
    if (
        abs(_grown(close, adjusted)) > _FAR_OFF
    ):  # what was measured rim by rim was not the rims, and distorted the view
        close = _closely(lights, adjusted.view, adjusted.tiles, model, sizes, picture, free_focal)
        adjusted = at_true_size(picture, close, sizes)
    view, tiles = adjusted.view, dict(adjusted.tiles)
    tiles = tiles | _lost(lights, view, tiles, template, sizes)
    return replace(adjusted, tiles=tiles | align(lights[0], view, tiles, sizes))


def _closely(
    lights: Sequence[Light],
    view: TableView,
    tiles: Mapping[str, Tile],
    model: RimModel,
    sizes: PieceSizes,
    picture: Picture,
    free_focal: bool,
) -> Adjusted:
    """Adjust all tiles together, within a closer range each time. Raises InputError where fewer
    than four tiles fit together.
    """
    learnt = Learnt(model, 0.0, (0.0, 0.0), (0.0, 0.0))
    for near in _CLOSE_MM:
        alike = align(lights[0], view, tiles, sizes)
        tiles = {**tiles, **alike}
        rims = _rims(lights, view, tiles, sizes, learnt, near, alike)
        for name, more in rims_by_template(lights[0], view, tiles, sizes).items():
            rims[name] = rims.get(name, []) + more
        sides = seen_sides(picture, lights[0], view, list(tiles.values()), sizes.tile_mm)
        adjusted = adjust(view, tiles, rims, sizes, free_focal=free_focal, sides=sides)
        view, tiles = adjusted.view, _fitting(adjusted, alike)
    if len(tiles) < _FEWEST:
        raise InputError(
            f"only {len(tiles)} tiles fit together as squares of {sizes.tile_mm:g} mm: the scale"
            " stays undetermined"
        )
    return replace(adjusted, tiles=tiles)


def _grown(before: Adjusted, after: Adjusted) -> float:
    """Return by how much the table has become larger, as a share."""
    return (
        float(
            np.linalg.norm(after.view.t_camera_table_mm)
            / np.linalg.norm(before.view.t_camera_table_mm)
        )
        - 1.0
    )


def _fitting(adjusted: Adjusted, alike: Mapping[str, Tile]) -> dict[str, Tile]:
    """Return the tiles without those that neither look like the others nor fit. A tile that looks
    like the others but does not fit keeps the place at which its face lies.
    """
    fitting = {n: t for n, t in adjusted.tiles.items() if adjusted.off_mm.get(n, 9.0) < _UNLIKE_MM}
    return {n: t for n, t in alike.items() if n not in fitting} | fitting


def _rims(
    lights: Sequence[Light],
    view: TableView,
    tiles: Mapping[str, Tile],
    sizes: PieceSizes,
    learnt: Learnt,
    near_mm: float,
    alike: Container[str],
) -> dict[str, list[Rim]]:
    """Find each tile's rims near where the learnt model predicts them. Use the first picture that
    shows three sides of the tile, or else the one that shows most of its rims.

    Where a tile looks like the others, an unseen rim is placed where theirs is, with a large error.
    """
    found: dict[str, list[Rim]] = {}
    for name, tile in tiles.items():
        best: list[Rim] = []
        for light in lights:
            profiles = tile_profiles(light, view, tile, sizes, _FIELD_MM)
            rims = [r for p in profiles if (r := _rim(p, learnt, near_mm)) is not None]
            if name in alike:
                seen = {(r.profile.side, r.profile.middle_mm) for r in rims}
                rims += [
                    Rim(p, learnt.at(p.middle_mm), _GUESSED_MM)
                    for p in profiles
                    if (p.side, p.middle_mm) not in seen
                ]
            best = max(best, rims, key=len)
            if len({r.profile.side for r in best}) >= 3:
                break
        sides = {r.profile.side for r in best}
        if sides & {0, 2} and sides & {1, 3}:
            found[name] = best
    return found


def _rim(profile: Profile, learnt: Learnt, near_mm: float) -> Rim | None:
    expected = learnt.at(profile.middle_mm)
    offsets, costs = rim_costs(profile, learnt.model, _FIELD_MM)
    return rim_near(profile, offsets, costs, expected, near_mm)


def _profiles(
    light: Light, view: TableView, tiles: Mapping[str, Tile], sizes: PieceSizes, reach_mm: float
) -> list[Profile]:
    """Return the light profiles across the edges of all tiles that are not in a stack. A stack's
    walls are too wide for its rim to be recognised.
    """
    return [
        p
        for t in tiles.values()
        if t.stack == 1
        for p in tile_profiles(light, view, t, sizes, reach_mm, OUTWARD_MM)
    ]


def _lost(
    lights: Sequence[Light],
    view: TableView,
    tiles: Mapping[str, Tile],
    template: Course,
    sizes: PieceSizes,
) -> dict[str, Tile]:
    names = [n for n in template.tiles if n not in tiles]
    if not names:
        return {}
    strength = edge_strength(lights[0], view, list(tiles.values()), sizes)
    face = common_face(lights[0], view, tiles, sizes)
    found = {}
    for name in names:
        near = replace(template.tiles[name], centre_mm=_expected(name, tiles, template))
        seen = _sought(lights, view, near, sizes, face, strength)
        if seen is not None:
            found[name] = seen
    return found


def _sought(
    lights: Sequence[Light],
    view: TableView,
    near: Tile,
    sizes: PieceSizes,
    face: Patch | None,
    strength: EdgeStrength,
) -> Tile | None:
    """Search for a lost tile: by its likeness to the others in any picture or, if that fails, by
    its edges, which also finds a half hidden tile.
    """
    reach = LOST_REACH_TILES * sizes.tile_mm
    if face is not None:
        likeness, tile = max(
            (find_alike(light, view, near, sizes, reach, face) for light in lights),
            key=lambda found: found[0],
        )
        if likeness > _ALIKE:
            return tile
    for light in lights:
        seen = search_tile(light, view, near, sizes, reach, strength)
        if seen is not None:
            return seen
    return None


def _expected(name: str, tiles: Mapping[str, Tile], template: Course) -> tuple[float, float]:
    """Return where a tile should be, according to the template stretched to the tiles found. Tiles
    near it count most.
    """
    here = np.array(template.tiles[name].centre_mm)
    names = list(tiles)
    p = np.array([template.tiles[n].centre_mm for n in names])
    q = np.array([tiles[n].centre_mm for n in names])
    weight = np.sqrt(1.0 / (1.0 + ((p - here) ** 2).sum(axis=1) / (4 * template.tile_mm) ** 2))[
        :, None
    ]
    terms = np.column_stack((p - here, np.ones(len(p))))
    solved, *_ = np.linalg.lstsq(terms * weight, q * weight, rcond=None)
    return (float(solved[2, 0]), float(solved[2, 1]))
