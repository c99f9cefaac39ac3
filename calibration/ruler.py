"""By how much all tiles of a picture look too large or too small, from all their rims at once.

A tile is some fifty pixels wide: its rim, the line inked beside it and the shadow at its foot run into one another, and one profile alone cannot tell a
rim further out from a line further in. But all tiles of a set are printed alike. So each profile is explained as the usual face, line, margin, wall, table
and shadow, each with its usual strength and spread (a normal prior, integrated out: a Bayesian linear model), and what is common to all profiles (how far
out the rims lie, the blur, place and width of the line) is what makes them all together likeliest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from calibration.bundle import Adjusted
from calibration.camera import TableView
from calibration.rims import Light, Profile, tile_profiles
from referee.geometry import scale
from referee.layout import Tile
from referee.pieces import PieceSizes

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: Rims are rounded and worn, and brightness spreads from the bright face: what looks like the rim lies this much inside it (mean over tables of known
#: size, drawn and path-traced), and by how much that differs from picture to picture.
EASED_MM = 0.085
EASED_SIGMA_MM = 0.03

_INSIDE_MM, _OUTSIDE_MM = 6.0, 4.0
_FACE_MM = (-6.1, -4.5)  # where the face is nothing but face: the measure of all brightness
_REACH_MM = 0.8
_BLEACHED = 1.2  # of even light: brighter faces have lost how bright they are
_FEWEST = 24  # profiles
_LEAST_SHARE = 0.5  # of colours and profiles, not bleached
_WALL_SEEN_MM = 0.3
_SHADOW_MM = 2.0
_MOST_MM = 0.8  # a rim further off than this was not the one looked for
_NOISE = 0.012  # of a face's brightness: grain, compression
_TAIL = 4.0
_PARTS = ("face", "shading", "ink", "margin", "table", "ramp", "shadow", "wall", "wall shading")
_MEAN = np.array([1.0, 0.0, -0.35, -0.1, 0.6, 0.0, -0.2, 0.4, 0.0])  # of a face's brightness; of ink and margin only to begin with
_SPREAD = np.array([0.04, 0.10, 0.12, 0.10, 1.0, 0.75, 0.5, 1.0, 0.15])
_INK, _MARGIN = _PARTS.index("ink"), _PARTS.index("margin")
_ROUNDS = 8
_MEASURINGS = 6  # profiles are sampled about the expected rim: each measuring from nearer by tells it better
_SETTLED_MM = 0.004
_STEPS = {"blur_px": 0.05, "inset_mm": 0.08, "width_mm": 0.15, "offset_mm": 0.08}
_LIMITS = {"blur_px": (0.4, 1.8), "inset_mm": (0.8, 3.2), "width_mm": (0.3, 1.6), "offset_mm": (-2.0, 2.0)}


@dataclass(frozen=True)
class Common:
    """What all rims of a picture share: how far outwards of a square of the known size they look, the blur, and the inked line's inset and width."""

    offset_mm: float = 0.0
    blur_px: float = 0.85
    inset_mm: float = 1.8
    width_mm: float = 0.8


@dataclass(frozen=True)
class Ruler:
    """How much larger than a square of the known size all tiles look, at each side and with its standard error, and what else was learnt with it."""

    larger_mm: float
    sigma_mm: float
    common: Common


@dataclass(frozen=True)
class _Seen:
    """Profiles side by side: `at_mm` (p, n), `light` (p, n, c) in shares of each one's face, `kept` (p, n), `used` (p, c), wall and scale (p,)."""

    at_mm: Array
    light: Array
    kept: Flags
    used: Flags
    wall_mm: Array
    px_per_mm: Array


def measure_ruler(light: Light, view: TableView, tiles: Iterable[Tile], sizes: PieceSizes) -> Ruler | None:
    """By how much all single tiles look larger than they are, through a view that has each of them to some tenths of a millimetre.

    None where too few rims are seen, most faces are bleached, or no common rim is near where it should be. Stacks tell nothing: theirs are never flush.
    """
    profiles = [p for tile in tiles if tile.stack == 1 for p in tile_profiles(light, view, tile, sizes, _REACH_MM)]
    seen = _side_by_side(profiles)
    if seen is None:
        return None
    common, mean = _learn(seen)
    if abs(common.offset_mm) > _MOST_MM:
        return None
    formal = _error(lambda mm: _cost(seen, replace(common, offset_mm=mm), mean), common.offset_mm)
    return Ruler(common.offset_mm + EASED_MM, float(np.hypot(formal, EASED_SIGMA_MM)), common)


def at_true_size(light: Light, adjusted: Adjusted, sizes: PieceSizes) -> Adjusted:
    """The view and the tiles brought nearer together or further apart until all tiles of a picture, taken together, are as large as they should be."""
    for _ in range(_MEASURINGS):
        ruler = measure_ruler(light, adjusted.view, adjusted.tiles.values(), sizes)
        if ruler is None:
            return adjusted
        adjusted = _scaled(adjusted, sizes.tile_mm / (sizes.tile_mm + 2 * ruler.larger_mm), 2 * ruler.sigma_mm / sizes.tile_mm)
        if abs(ruler.larger_mm) < _SETTLED_MM:
            break
    return adjusted


def _scaled(adjusted: Adjusted, factor: float, sigma: float) -> Adjusted:
    tiles = {name: replace(tile, centre_mm=scale(tile.centre_mm, factor)) for name, tile in adjusted.tiles.items()}
    view = replace(adjusted.view, t_camera_table_mm=adjusted.view.t_camera_table_mm * factor)
    return replace(adjusted, view=view, tiles=tiles, scale_sigma=sigma)


def _side_by_side(profiles: Iterable[Profile]) -> _Seen | None:
    """Profiles whose face is not bleached in every colour; None where they are too few."""
    chosen = [(p, _face(p)) for p in profiles]
    shown = sum(int((face <= _BLEACHED).sum()) for _, face in chosen)
    every = sum(len(face) for _, face in chosen)
    chosen = [(p, face) for p, face in chosen if face.min() <= _BLEACHED and face.min() > 0]
    if len(chosen) < _FEWEST or shown < _LEAST_SHARE * every:
        return None
    longest = max(len(p.at_mm) for p, _ in chosen)
    at = np.array([np.pad(p.at_mm, (0, longest - len(p.at_mm)), constant_values=np.inf) for p, _ in chosen])
    light = np.array([np.pad(p.light / face, ((0, longest - len(p.at_mm)), (0, 0))) for p, face in chosen])
    wall = np.array([p.wall_mm for p, _ in chosen])
    kept = (at >= -_INSIDE_MM) & (at <= np.maximum(wall, 0.0)[:, None] + _OUTSIDE_MM)
    used = np.array([face <= _BLEACHED for _, face in chosen])
    return _Seen(np.where(kept, at, 0.0), light * kept[:, :, None], kept, used, wall, np.array([p.px_per_mm for p, _ in chosen]))


def _face(profile: Profile) -> Array:
    inner = (profile.at_mm > _FACE_MM[0]) & (profile.at_mm < _FACE_MM[1])
    return np.asarray(profile.light[inner].mean(axis=0), dtype=np.float64)


def _shapes(seen: _Seen, common: Common) -> Array:
    """The model's parts (p, n, parts) in the order of `_PARTS`."""
    z = seen.at_mm - common.offset_mm
    blur = (common.blur_px / seen.px_per_mm)[:, None]
    wall = np.maximum(seen.wall_mm, 0.0)[:, None]
    rim, foot = ndtr(z / blur), (z - wall) / blur
    table = ndtr(foot)
    ramp = 0.1 * blur * (foot * table + np.exp(-foot * foot / 2) / np.sqrt(2 * np.pi))
    ratio = blur / _SHADOW_MM
    shadow = np.exp(np.clip(ratio * ratio / 2 - (z - wall) / _SHADOW_MM, -50.0, 50.0)) * ndtr(foot - ratio)
    within = z + common.inset_mm
    margin = ndtr(within / blur) - rim
    ink = ndtr((within + common.width_mm / 2) / blur) - ndtr((within - common.width_mm / 2) / blur)
    side = (rim - table) * (seen.wall_mm > _WALL_SEEN_MM)[:, None]
    shading = 0.1 * (z + _OUTSIDE_MM) * (1.0 - rim)
    parts = [1.0 - rim, shading, ink, margin, table, ramp, shadow, side, (z - wall / 2) * side]
    return np.asarray(np.stack(parts, axis=-1) * seen.kept[:, :, None], dtype=np.float64)


def _explained(seen: _Seen, common: Common, mean: Array) -> tuple[Array, Array]:
    """Each profile's and colour's cost (p, c), minus the logarithm of its likelihood, and the parts' likeliest strengths (p, parts, c).

    `mean` (parts, c) is what they usually are. What no part explains counts like Student's distribution: one odd profile does not outvote the others.
    """
    shapes = _shapes(seen, common)
    turned = np.swapaxes(shapes, 1, 2) / _NOISE**2
    normal = turned @ shapes + np.diag(1.0 / _SPREAD**2)
    left = seen.light - (shapes @ mean) * seen.kept[:, :, None]
    pull = turned @ left
    found = np.linalg.solve(normal, pull)
    misfit = (left**2).sum(axis=1) / _NOISE**2 - (pull * found).sum(axis=1)
    freedom = seen.kept.sum(axis=1)[:, None] + _TAIL
    size = np.linalg.slogdet(normal)[1][:, None]
    return 0.5 * size + 0.5 * freedom * np.log1p(np.maximum(misfit, 0.0) / freedom), found + mean


def _cost(seen: _Seen, common: Common, mean: Array) -> float:
    costs, _ = _explained(seen, common, mean)
    return float(costs[seen.used].sum())


def _usual(seen: _Seen, common: Common, mean: Array) -> Array:
    """The means (parts, c) with ink and margin as strong as they are in this picture."""
    strengths = _explained(seen, common, mean)[1]
    learnt = mean.copy()
    for colour in range(mean.shape[1]):
        used = seen.used[:, colour]
        if used.sum() >= _FEWEST:
            learnt[[_INK, _MARGIN], colour] = np.median(strengths[used][:, [_INK, _MARGIN], colour], axis=0)
    return learnt


def _learn(seen: _Seen) -> tuple[Common, Array]:
    """The likeliest common values and the usual strengths, by turns, one value at a time."""
    common, mean = Common(), np.repeat(_MEAN[:, None], seen.light.shape[2], axis=1)
    for _ in range(_ROUNDS):
        for _ in range(2):
            mean = _usual(seen, common, mean)
        for name in _STEPS:
            common = _bettered(seen, common, mean, name)
    return common, mean


def _bettered(seen: _Seen, common: Common, mean: Array, name: str) -> Common:
    """The common values with one of them moved towards the likeliest."""

    def cost(value: float) -> float:
        return _cost(seen, replace(common, **{name: value}), mean)

    better = _stepped(cost, getattr(common, name), _STEPS[name])
    return replace(common, **{name: float(np.clip(better, *_LIMITS[name]))})


def _stepped(cost: Callable[[float], float], value: float, step: float) -> float:
    """The lowest point of the parabola through three costs, no further off than two steps."""
    before, here, after = (cost(value + d) for d in (-step, 0.0, step))
    bend = before - 2 * here + after
    move = 0.5 * (before - after) / bend * step if bend > 0 else (step if after < before else -step)
    return value + float(np.clip(move, -2 * step, 2 * step))


def _error(cost: Callable[[float], float], value: float, step: float = 0.05) -> float:
    """The standard error by how sharply the cost bends."""
    bend = cost(value - step) - 2 * cost(value) + cost(value + step)
    return step / float(np.sqrt(max(bend, 1e-3)))
