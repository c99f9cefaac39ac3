"""Learns how the walls of tiles and the table beside them look on each of the four sides.

What lies outside the rim of a tile (wall, contact shadow, cast shadow, lit table) looks the same
beside every tile, because the light is the same. Only its width grows with the height of a stack.
So the single tiles, whose places are known, show what to expect beside a tower.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.tiles.rim_model import (
    BLEACHED_FACE,
    LEARNT,
    LEAST_WALL_MM,
    OUTSIDE_PARTS,
    STRENGTH_SPREAD,
    WALL_PARTS,
    Common,
    Seen,
    explained,
    parts_of,
    profiles_seen,
    usual_means,
)
from calibration.tiles.rims import (
    NORMALS,
    Light,
    Profile,
    tile_profiles,
    tile_turn,
    top_height_mm,
    touches,
)
from referee.domain.geometry import MEDIAN_SIGMAS
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import SEEN_SIGMAS

Array = NDArray[np.float64]

# Chosen: how far beyond the foot of a single tile the table is learnt, in mm, and in what steps.
_BEYOND_MM: Final = np.arange(0.0, 7.01, 0.25)
#: Chosen: the fewest stretches of edges that show what is usual on a side. This many, on two sides
#: that meet, determine a square.
FEWEST_RIMS: Final = 4
# Chosen: in tile widths, to each side of the middle: this part shows only the face and its mark
_MIDDLE: Final = 0.3
# Chosen: as a share of a face's brightness: how much the walls of tiles differ, because some are
# cut from other wood or shaded by other tiles.
_WALLS_DIFFER: Final = 0.2


@dataclass(frozen=True)
class SideLight:
    """How the parts outside a rim usually look on each of the four sides, relative to a face's
    brightness, for tiles without a printed line.

    `mean` (4, parts, c) are their usual strengths, and `spread` (4, parts) the standard deviations
    of the strengths. `table` (4, n, c) is the light of the table at the distances `_BEYOND_MM`
    beyond the foot of a single tile.
    """

    mean: Array
    spread: Array
    table: Array

    @staticmethod
    def of(
        light: Light, view: TableView, singles: Sequence[Tile], sizes: PieceSizes, common: Common
    ) -> SideLight | None:
        """Learn from single tiles at their true places; None if too few of them are seen."""
        pairs = list(_edges(light, view, singles, sizes))
        if len(pairs) < FEWEST_RIMS:
            return None
        profiles, faces = [p for p, _ in pairs], [f for _, f in pairs]
        seen = profiles_seen(profiles, faces, sizes.tile_mm)
        usual, _ = usual_means(seen)
        usual[OUTSIDE_PARTS] = 0.0
        plain = usual.copy()
        plain[LEARNT] = 0.0
        own = SideLight(
            np.repeat(plain[None], len(NORMALS), axis=0),
            np.repeat(STRENGTH_SPREAD[None], len(NORMALS), axis=0),
            _table_light(profiles, faces, seen.side, common),
        )
        inked = replace(own, mean=np.repeat(usual[None], len(NORMALS), axis=0))
        return own._with_strengths(seen, inked.explaining(seen, common))

    def _with_strengths(self, seen: Seen, found: tuple[Array, Array]) -> SideLight:
        """Return a copy whose parts outside the rim have the strength and the spread that were
        measured on single tiles. `found` are the measured strengths (p, parts, c) and their
        variances (p, parts).
        """
        mean, spread = self.mean.copy(), self.spread.copy()
        strengths, unknown = found
        for side in range(len(NORMALS)):
            for part in (*OUTSIDE_PARTS, *WALL_PARTS):
                on = seen.side == side
                if part in WALL_PARTS:
                    on &= seen.wall_mm > LEAST_WALL_MM
                if np.count_nonzero(on) < FEWEST_RIMS:
                    continue
                mean[side, part] = np.median(strengths[on, part], axis=0)
                off = np.median(np.abs(strengths[on, part] - mean[side, part]))
                own = MEDIAN_SIGMAS * float(off), float(np.sqrt(np.median(unknown[on, part])))
                least = _WALLS_DIFFER if part in WALL_PARTS else 0.0
                spread[side, part] = min(np.hypot(np.hypot(*own), least), STRENGTH_SPREAD[part])
        return replace(self, mean=mean, spread=spread)

    def explaining(self, seen: Seen, common: Common) -> tuple[Array, Array]:
        """Return the strengths (p, parts, c) that explain profiles, and their variances."""
        mean, parts = self.mean[seen.side], parts_of(seen, common, self.spread[seen.side])
        fit = explained(seen, parts, mean, self.beside(seen, common))
        return mean + fit.beyond, np.diagonal(np.linalg.inv(fit.unknown), axis1=1, axis2=2)

    def costs(self, seen: Seen, common: Common) -> Array:
        """Return minus the log-likelihoods (p,) of profiles whose rims lie where `common` says."""
        mean, parts = self.mean[seen.side], parts_of(seen, common, self.spread[seen.side])
        fit = explained(seen, parts, mean, self.beside(seen, common))
        return np.asarray(fit.costs.sum(axis=1), dtype=np.float64)

    def beside(self, seen: Seen, common: Common) -> Array:
        """Return the usual light (p, n, c) of the table beyond the foot of a tile or a stack. The
        shadows of a stack of k tiles are k times as large as those of a single tile.
        """
        beyond_mm = (seen.at_mm - common.offset_mm - seen.wall_mm[:, None]) / seen.stack
        place = np.clip(beyond_mm / _BEYOND_MM[1], 0.0, len(_BEYOND_MM) - 1)
        low = np.minimum(place.astype(int), len(_BEYOND_MM) - 2)
        share = (place - low)[..., None]
        table, rows = self.table[seen.side], np.arange(len(seen.side))[:, None]
        return np.asarray(table[rows, low] * (1 - share) + table[rows, low + 1] * share)


def face_light(light: Light, view: TableView, tile: Tile, sizes: PieceSizes) -> Array | None:
    """Return the median light (c,) of the middle of a tile's top face; None if it is black or
    outside the picture.
    """
    at = np.linspace(-_MIDDLE, _MIDDLE, 25) * sizes.tile_mm
    x, y = (grid.ravel() for grid in np.meshgrid(at, at))
    flat = np.column_stack((x, y)) @ tile_turn(tile).T + tile.centre_mm
    height = np.full(len(flat), top_height_mm(tile, sizes))
    pixels = np.round(view.to_image(np.column_stack((flat, height)))).astype(int)
    rows, columns = light.shape[:2]
    if (pixels < 0).any() or (pixels >= (columns, rows)).any():
        return None
    face = np.median(light[pixels[:, 1], pixels[:, 0]], axis=0).astype(np.float64)
    return face if face.min() > 0 else None


def clipped(light: Light) -> Light:
    """Return the light, clipped at the level above which a face is bleached, because differences of
    brightness above it have no meaning.
    """
    return np.minimum(light, np.float32(BLEACHED_FACE))


def _edges(
    light: Light, view: TableView, singles: Sequence[Tile], sizes: PieceSizes
) -> Iterator[tuple[Profile, Array]]:
    """Yield each profile of a single tile beside which no other tile lies, with the light of the
    tile's face.
    """
    for tile in singles:
        face = face_light(light, view, tile, sizes)
        if face is None:
            continue
        for profile in tile_profiles(light, view, tile, sizes, float(_BEYOND_MM[-1]) / 2):
            if not touches(profile, singles, sizes.tile_mm):
                yield profile, face


def _table_light(
    profiles: Sequence[Profile], faces: Sequence[Array], side: NDArray[np.intp], common: Common
) -> Array:
    """Return the median light (4, n, c) of the table at `_BEYOND_MM` beyond the feet of tiles: for
    each side from the profiles on that side, or from all profiles if too few on that side show the
    table.
    """
    lit = np.full((len(profiles), len(faces[0]), len(_BEYOND_MM)), np.nan)
    for own, profile, face in zip(lit, profiles, faces, strict=True):
        at_mm = profile.wall_mm + _BEYOND_MM
        at_seen = at_mm + common.offset_mm
        blurred_mm = SEEN_SIGMAS * common.blur_px / profile.px_per_mm  # the width of a blurred edge
        shown = at_mm >= max(profile.wall_mm, 0.0) + blurred_mm
        shown &= at_seen <= profile.at_mm[-1]
        for row, channel in zip(own, (profile.light / face).T, strict=True):
            row[shown] = np.interp(at_seen[shown], profile.at_mm, channel)
    table = np.zeros((len(NORMALS), len(_BEYOND_MM), lit.shape[1]))
    for k in range(len(NORMALS)):
        mine, good = lit[side == k], _often(lit[side == k])
        if not good.any():
            mine, good = lit, _often(lit)
        for channel in range(lit.shape[1] if good.any() else 0):
            usual = np.nanmedian(mine[:, channel, good], axis=0)
            table[k, :, channel] = np.interp(_BEYOND_MM, _BEYOND_MM[good], usual)
    return table


def _often(lit: Array) -> NDArray[np.bool_]:
    """Return (n,) at which of n distances enough of the profiles `lit` (p, c, n) show the table."""
    return np.asarray(np.count_nonzero(~np.isnan(lit[:, 0]), axis=0) >= FEWEST_RIMS, dtype=np.bool_)
