"""The survey of a table: from a still picture (or several) to the camera's pose, the course as it lies, and the table's edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from calibration.bundle import Adjusted, adjust
from calibration.camera import Camera, TableView
from calibration.course_fit import CourseFit, course_warnings, fit_course
from calibration.lost_tiles import edge_strength, search_tile
from calibration.plane import SquaresOnPlane, find_planes, guess_camera
from calibration.rims import Light, Rim, RimModel, learn_rim_model, linear_light, measure_rims, tile_profiles
from calibration.table import SurveyedTable
from calibration.tiles import find_quads
from referee.errors import InputError
from referee.layout import Course, Tile, template_course
from referee.pieces import PieceSizes

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

_LEAST_SCORE = 0.45  # of the template's tiles, weighed by how near they lie to their places
_LOST_REACH_TILES = 0.8
_TOP_DOWN_SHARE = 0.01


@dataclass(frozen=True)
class Orientation:
    """How the players look at the course: where the left endpost is in the picture, and whether wicket 3 is on the side away from the camera."""

    left_endpost: str = "left"
    wicket_3_far: bool = False


def survey_table(
    pictures: Sequence[Picture] | Picture, camera: Camera | None, game: str, sizes: PieceSizes, orientation: Orientation | None = None
) -> SurveyedTable:
    """Surveys a table from still pictures (h, w, 3) BGR of one fixed camera; what the first does not show is sought in the others.

    Without a camera its focal length is found from the tiles. Raises InputError where course or scale stay undetermined.
    """
    stills = [pictures] if isinstance(pictures, np.ndarray) else list(pictures)
    orientation = orientation or Orientation()
    rough, free = _rough_view(stills, camera, game, sizes, orientation)
    tiles, view = rough.tiles, rough.view
    lights = [linear_light(still) for still in stills]
    tiles, view, adjusted, _ = _refine(lights, view, tiles, rough, sizes, free)
    tiles, words = _whole_course(tiles, rough.template, sizes)
    course = Course(MappingProxyType({n: tiles[n] for n in rough.template.tiles}), sizes.tile_mm)
    warnings = [*rough.warnings, *words, *course_warnings(course)]
    return SurveyedTable(game, view, course, sizes, (), adjusted.residual_mm, rough.mirrored, orientation.left_endpost, tuple(warnings))


@dataclass(frozen=True)
class _Rough:
    """A first idea of everything, to a few millimetres, in the table frame."""

    view: TableView
    tiles: dict[str, Tile]
    template: Course
    mirrored: bool
    warnings: tuple[str, ...]


def _rough_view(stills: Sequence[Picture], camera: Camera | None, game: str, sizes: PieceSizes, orientation: Orientation) -> tuple[_Rough, bool]:
    quads = find_quads(stills[0])
    for still in stills[1:3]:
        quads = quads + [q for q in find_quads(still) if all(np.hypot(*(q.mean(axis=0) - o.mean(axis=0))) > 8 for o in quads)]
    height, width = stills[0].shape[:2]
    if camera is not None and (camera.width, camera.height) != (width, height):
        raise InputError(f"camera is for pictures of {camera.width}x{camera.height}, this one has {width}x{height}")
    used = camera if camera is not None else guess_camera(quads, width, height)
    template = template_course(game, sizes.tile_mm)
    best: tuple[CourseFit, SquaresOnPlane, Array, Array] | None = None
    for plane in find_planes(quads, used, sizes.tile_mm):
        centres, turns = _squares_at(plane.view, [quads[k] for k in plane.members])
        fit = fit_course(template, centres)
        if fit is not None and (best is None or fit.score > best[0].score):
            best = (fit, plane, centres, turns)
    if best is None or best[0].score < _LEAST_SCORE * len(template.tiles):
        raise InputError(_no_course(game, len(quads), best[0] if best else None, template))
    return _named(best, game, sizes, orientation), camera is None


def _no_course(game: str, squares: int, fit: CourseFit | None, template: Course) -> str:
    if fit is None:
        return f"no tiles found: {squares} squares in the picture, too few of one size on one plane to be a course of {game}"
    missing = sorted({n.rsplit("-", 1)[0] if n.startswith("wicket") else n for n in template.tiles if n not in fit.squares})
    return f"no course of {game}: the best arrangement places {len(fit.squares)} of {len(template.tiles)} tiles, off or missing at {', '.join(missing)}"


def _squares_at(view: TableView, quads: Sequence[Array]) -> tuple[Array, Array]:
    """Centres (n, 2) mm and rotations (n,) rad of squares on the view's plane."""
    corners = np.array([view.to_table(q) for q in quads])
    points = corners[:, :, 0] + 1j * corners[:, :, 1]
    circle = np.fft.fft(points, axis=1)[:, 3]
    return corners.mean(axis=1), np.angle(circle) - np.pi / 4


def _named(best: tuple[CourseFit, SquaresOnPlane, Array, Array], game: str, sizes: PieceSizes, orientation: Orientation) -> _Rough:
    """The table frame by the players' orientation, and the squares as tiles by name in it."""
    fit, plane, centres, turns = best
    template = template_course(game, sizes.tile_mm)
    flipped = orientation.left_endpost == "right"
    length = template.tiles["left-endpost"].centre_mm[0] + template.tiles["right-endpost"].centre_mm[0]
    turn = fit.turn_rad + (np.pi if flipped else 0.0)
    left = template.tiles["right-endpost" if flipped else "left-endpost"].centre_mm
    axis = np.array([np.cos(turn), np.sin(turn)])
    origin = fit.place(np.array([left]))[0] - 0.5 * sizes.tile_mm * axis
    view = _moved(plane.view, turn, origin, sizes.tile_thickness_mm)
    mirrored = _near_is_up(view, length / 2) != orientation.wicket_3_far
    labelled = template_course(game, sizes.tile_mm, mirrored=mirrored)
    tiles = {}
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    for name, tile in labelled.tiles.items():
        x, y = tile.centre_mm
        there = (length - x, -y) if flipped else (x, y)
        twin = min(template.tiles, key=lambda n: np.hypot(template.tiles[n].centre_mm[0] - there[0], template.tiles[n].centre_mm[1] - there[1]))
        if twin in fit.squares:
            k = fit.squares[twin]
            centre = rotation @ (centres[k] - origin)
            degrees = float((np.degrees(turns[k] - turn) + 45.0) % 90.0 - 45.0)
            tiles[name] = Tile((float(centre[0]), float(centre[1])), degrees, tile.stack)
    return _Rough(view, tiles, labelled, mirrored, ())


def _moved(view: TableView, turn_rad: float, origin_mm: Array, face_height_mm: float) -> TableView:
    """The view in a frame turned and shifted on its plane, its z = 0 lowered from the tiles' faces to the table."""
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    shift = np.array([origin_mm[0], origin_mm[1], -face_height_mm])
    rotation = view.R_camera_table
    return TableView(view.camera, rotation @ turn, view.t_camera_table_mm + rotation @ shift)


def _near_is_up(view: TableView, middle_mm: float) -> bool:
    """Whether the side y > 0 of the course is the one nearer to the camera; for a camera right above, the lower one in the picture."""
    sides = np.array([[middle_mm, -100.0, 0.0], [middle_mm, 100.0, 0.0]])
    gaps = np.linalg.norm(sides - view.position_mm, axis=1)
    if abs(gaps[1] - gaps[0]) > _TOP_DOWN_SHARE * gaps.mean():
        return bool(gaps[1] < gaps[0])
    pixels = view.to_image(sides)
    return bool(pixels[1, 1] > pixels[0, 1])


def _rims(lights: Sequence[Light], view: TableView, tiles: Mapping[str, Tile], sizes: PieceSizes, model: RimModel, reach_mm: float) -> dict[str, list[Rim]]:
    found = {}
    for name, tile in tiles.items():
        rims = measure_rims(tile_profiles(lights[0], view, tile, sizes, reach_mm), model, reach_mm)
        for light in lights[1:]:
            if len({r.profile.side for r in rims}) >= 3:
                break
            more = measure_rims(tile_profiles(light, view, tile, sizes, reach_mm), model, reach_mm)
            rims = max(rims, more, key=len)
        found[name] = rims
    return found


def _refine(
    lights: Sequence[Light], view: TableView, tiles: dict[str, Tile], rough: _Rough, sizes: PieceSizes, free: bool
) -> tuple[dict[str, Tile], TableView, Adjusted, RimModel]:
    """Rims, adjustment, rims again: first wide and without an inked line, then close; lost tiles are sought as soon as the view is good."""
    model = _rim_model(lights[0], view, tiles, sizes, 2.5)
    adjusted: Adjusted | None = None
    for step, reach in enumerate((3.0, 2.0, 1.2, 1.2)):
        adjusted = adjust(view, tiles, _rims(lights, view, tiles, sizes, model, reach), sizes, free_focal=free)
        view, tiles = adjusted.view, dict(adjusted.tiles)
        if step == 0:
            tiles |= _lost(lights, view, tiles, rough.template, sizes)
        if step == 1:
            model = _rim_model(lights[0], view, tiles, sizes, 1.2)
    assert adjusted is not None
    return tiles, view, adjusted, model


def _rim_model(light: Light, view: TableView, tiles: Mapping[str, Tile], sizes: PieceSizes, reach_mm: float) -> RimModel:
    profiles = [p for t in tiles.values() if t.stack == 1 for p in tile_profiles(light, view, t, sizes, reach_mm)]
    return learn_rim_model(profiles, sizes, reach_mm)


def _lost(lights: Sequence[Light], view: TableView, tiles: Mapping[str, Tile], template: Course, sizes: PieceSizes) -> dict[str, Tile]:
    names = [n for n in template.tiles if n not in tiles]
    if not names:
        return {}
    strength = edge_strength(lights[0], view, list(tiles.values()), sizes)
    found = {}
    for name in names:
        near = replace(template.tiles[name], centre_mm=_expected(name, tiles, template))
        for light in lights:
            seen = search_tile(light, view, near, sizes, _LOST_REACH_TILES * sizes.tile_mm, strength)
            if seen is not None:
                found[name] = seen
                break
    return found


def _expected(name: str, tiles: Mapping[str, Tile], template: Course) -> tuple[float, float]:
    """Where a tile should be, by the template stretched to the tiles found, most by those near to it."""
    here = np.array(template.tiles[name].centre_mm)
    names = list(tiles)
    p = np.array([template.tiles[n].centre_mm for n in names])
    q = np.array([tiles[n].centre_mm for n in names])
    weight = np.sqrt(1.0 / (1.0 + ((p - here) ** 2).sum(axis=1) / (4 * template.tile_mm) ** 2))[:, None]
    terms = np.column_stack((p - here, np.ones(len(p))))
    solved, *_ = np.linalg.lstsq(terms * weight, q * weight, rcond=None)
    return (float(solved[2, 0]), float(solved[2, 1]))


def _partner(name: str) -> str | None:
    for end, other in (("-left", "-right"), ("-right", "-left")):
        if name.startswith("wicket") and name.endswith(end):
            return name.removesuffix(end) + other
    return None


def _whole_course(tiles: dict[str, Tile], template: Course, sizes: PieceSizes) -> tuple[dict[str, Tile], list[str]]:
    """The tiles with those nobody saw taken from their partners, and a word on each. Raises InputError where a partner is missing too."""
    gaps = [
        np.subtract(tiles[n].centre_mm, tiles[p].centre_mm)
        for n in template.tiles
        if n.endswith("-left") and (p := _partner(n)) and n in tiles and p in tiles
    ]
    across = np.median(gaps, axis=0) if gaps else np.array([0.0, 3.0 * sizes.tile_mm])
    words, whole = [], dict(tiles)
    for name in template.tiles:
        if name in tiles:
            continue
        partner = _partner(name)
        if partner is None or partner not in tiles:
            what = name if partner is None else name.rsplit("-", 1)[0]
            raise InputError(f"the course does not fit: {what} is missing (nothing seen within {_LOST_REACH_TILES:.1f} tile widths of its place)")
        step = across if name.endswith("-left") else -across
        beside = tiles[partner]
        whole[name] = Tile((float(beside.centre_mm[0] + step[0]), float(beside.centre_mm[1] + step[1])), beside.rotation_deg, 1)
        words.append(f"{name} was not seen: taken from {partner}, as far away as the other wickets' tiles; calls at {name.rsplit('-', 1)[0]} are less sure")
    return whole, words
