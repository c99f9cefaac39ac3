"""Finds the places of the tiles that do not look like the others: the aces on the towers, and tiles
whose faces are not seen.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.tiles.bundle import Adjusted
from calibration.tiles.lost_tiles import EdgeStrength, edge_strength, outlines, search_tile
from calibration.tiles.outline_fit import Outlined, OutlineSearches, foot_away_mm, laid_by_outline
from calibration.tiles.rim_model import Common
from calibration.tiles.rims import Light, even_light
from calibration.tiles.side_light import clipped
from calibration.tiles.wall_error import with_wall_error
from referee.domain.geometry import distance
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

Picture = NDArray[np.uint8]

# A tower counts as seen if its rims explain the picture better than a face without rims by this log
# likelihood ratio. Measured: 98 to 154 for 43 traced towers, 9 for a tower under a hand, and 21 to
# 91 at three places without a tower.
_SEEN_GAIN: Final = 95.0
# Chosen: the edge of an ace is as strong as that of a tile's back, or half as strong if the back
# has an inked rim.
_EDGE_SHARES: Final = (1.0, 0.5)
#: The error of a tile's centre along one axis, as a share of the root mean square error of its
#: edges. Measured: 0.5 to 1.0 on eight tables.
CENTRE_SHARE: Final = 0.75
#: Chosen: the error, mm, of a tile that does not look like the others, because it may show another
#: face.
UNLIKE_MM: Final = 1.2


def with_towers(
    stills: Sequence[Picture],
    adjusted: Adjusted,
    rough: Mapping[str, Tile],
    expected: Mapping[str, Tile],
    reach_mm: float,
    sizes: PieceSizes,
    common: Common,
) -> Adjusted:
    """Return the tiles with the towers added, each at the place where its outline is seen. The
    towers are the tiles that show their faces.

    `rough` are the towers that the first search found as squares. `expected` are all towers at the
    places that follow from the other tiles, accurate to `reach_mm`. `common` is what all rims
    share. A tower whose outline is not seen well is put where it was found as a square or where
    that outline is, whichever is closer to the expected place. Its edges may then be those of its
    top or of its foot, so its error is half of the width that its walls appear to have.
    """
    adjusted = with_wall_error(adjusted, stills[0], sizes)
    search = _OutlineSearch.beside(stills, adjusted, [*expected], reach_mm, sizes, common)
    tiles = {name: tile for name, tile in adjusted.tiles.items() if name not in expected}
    off_mm = dict(adjusted.off_mm)
    for name, near in expected.items():
        first = rough.get(name) or search.found(near)
        outlined = search.outlined(near, first)
        if outlined is not None and outlined.gain > _SEEN_GAIN:
            tiles[name] = outlined.tile
            sigma_mm = float(np.hypot(outlined.sigma_mm, _stretched_mm(adjusted, sizes)))
        elif first is not None:
            # the tower is seen well at neither place: take the one closer to the expected place
            places = [first] if outlined is None else [first, outlined.tile]
            tiles[name] = min(places, key=lambda tile: distance(tile.centre_mm, near.centre_mm))
            sigma_mm = unlike_sigma_mm(adjusted.view, first, sizes)
        else:
            continue
        off_mm[name] = _off_mm(sigma_mm)
    return replace(adjusted, tiles=tiles, off_mm=off_mm)


def with_outlined(
    stills: Sequence[Picture],
    adjusted: Adjusted,
    expected: Mapping[str, Tile],
    reach_mm: float,
    sizes: PieceSizes,
    common: Common,
) -> Adjusted:
    """Return the tiles, some of them moved to where their outlines are plainly seen: those whose
    faces do not look like the others', so that only their edges were found. `expected` are these
    tiles at the places that follow from the other tiles, accurate to `reach_mm`. `common` is what
    all rims share.
    """
    search = _OutlineSearch.beside(stills, adjusted, [*expected], reach_mm, sizes, common)
    tiles, off_mm = dict(adjusted.tiles), dict(adjusted.off_mm)
    for name, near in expected.items():
        outlined = search.outlined(near, tiles[name])
        if outlined is None or outlined.gain <= _SEEN_GAIN or not search.is_free(outlined.tile):
            continue
        tiles[name] = outlined.tile
        off_mm[name] = _off_mm(math.hypot(outlined.sigma_mm, _stretched_mm(adjusted, sizes)))
    return replace(adjusted, tiles=tiles, off_mm=off_mm)


def unlike_sigma_mm(view: TableView, tile: Tile, sizes: PieceSizes) -> float:
    """Return the error, mm, of a tile that looks like no other and whose outline is not plainly
    seen. What was taken for its edges may be those of its top or of its foot.
    """
    return float(np.hypot(UNLIKE_MM, foot_away_mm(view, tile, sizes) / 2))


def _off_mm(sigma_mm: float) -> float:
    """Return the error of a tile's edges for which its centre has the given error."""
    return sigma_mm * float(np.sqrt(2)) / CENTRE_SHARE


@dataclass(frozen=True)
class _OutlineSearch:
    """The search for tiles by their outlines alone, at places that do not overlap the `singles`
    found already. The expected places of the tiles sought are accurate to `reach_mm`.
    """

    stills: Sequence[Picture]
    lights: Sequence[Light]
    singles: Sequence[Tile]
    strength: EdgeStrength
    searches: OutlineSearches
    reach_mm: float

    @classmethod
    def beside(
        cls,
        stills: Sequence[Picture],
        adjusted: Adjusted,
        sought: Collection[str],
        reach_mm: float,
        sizes: PieceSizes,
        common: Common,
    ) -> _OutlineSearch:
        """Return the search for the tiles `sought`; all other tiles are the `singles`."""
        view, lights = adjusted.view, [clipped(even_light(still)) for still in stills]
        singles = [tile for name, tile in adjusted.tiles.items() if name not in sought]
        return cls(
            stills,
            lights,
            singles,
            edge_strength(lights[0], view, singles, sizes),
            OutlineSearches(view, sizes, common, singles),
            reach_mm,
        )

    def outlined(self, near: Tile, first: Tile | None) -> Outlined | None:
        """Return the tile at the place where its outline is most likely. The search begins at the
        place where the tile was found first, at the expected one, and wherever an outline is seen.
        """
        starts = [near, *self._looks(near)]
        if first is not None:
            starts.insert(0, first)
        return laid_by_outline(self.stills, self.searches, starts, _SEEN_GAIN)

    def found(self, near: Tile) -> Tile | None:
        """Return the tile at the place where its edges are found, in the first picture that shows
        them; None if no picture does.
        """
        view, sizes = self.searches.view, self.searches.sizes
        tried = (
            search_tile(light, view, near, sizes, self.reach_mm, self.strength)
            for light in self.lights
        )
        return next((tile for tile in tried if tile is not None and self.is_free(tile)), None)

    def _looks(self, near: Tile) -> list[Tile]:
        """Return the places at which a tile's outline is seen best. Places that overlap another
        tile are left out.
        """
        view, sizes = self.searches.view, self.searches.sizes
        return [
            tile
            for share in _EDGE_SHARES
            for tile in outlines(
                self.lights[0],
                view,
                near,
                sizes,
                self.reach_mm,
                EdgeStrength(share * self.strength.per_mm),
            )
            if self.is_free(tile)
        ]

    def is_free(self, tile: Tile) -> bool:
        """Return whether a tile overlaps none of the others."""
        tile_mm = self.searches.sizes.tile_mm
        return all(distance(tile.centre_mm, o.centre_mm) > tile_mm for o in self.singles)


def _stretched_mm(adjusted: Adjusted, sizes: PieceSizes) -> float:
    """Return how far from its true place, mm, a view that stretches or shears the table may show
    the rim of a tile.
    """
    stretch_mm2 = np.trace(np.array(adjusted.field.covariance_mm2)[:2, :2])
    return float(np.sqrt(stretch_mm2) / adjusted.field.reach_mm * sizes.tile_mm / 2)
