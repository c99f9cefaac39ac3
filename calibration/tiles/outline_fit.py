"""Measures the place and turn of a tile by its outline alone: of a tower, whose top shows another
face than the other tiles, or of a tile whose print is not seen. Such a tile cannot be matched with
the other tiles' faces. Below, all such tiles are called towers.

Between the rim of the top and the table are the tower's walls, and the edge at the foot of a wall
is often stronger than the rim. How walls and shadows of single tiles look on the same side shows
which edge is the rim, and which is the foot. So the likelihood of every place is computed that is
at most the apparent width of a wall away. Each rim either shows where it is likely to be, or is
hidden and shows nothing. The stated error is the root mean square distance of the places, weighted
by their likelihoods, from the most likely one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import COMPRESSION_LEVELS
from calibration.lens.camera import TableView
from calibration.tiles.lost_tiles import SEARCHED_MM
from calibration.tiles.rim_model import (
    EVIDENCE_SHARE,
    LEAST_WALL_MM,
    POWER,
    Common,
    Seen,
    plain_costs,
    profiles_seen,
)
from calibration.tiles.rims import STEP_MM, Light, Profile, even_light, tile_profiles, top_height_mm
from calibration.tiles.side_light import FEWEST_RIMS, SideLight, clipped, face_light
from referee.domain.geometry import distance
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import SEEN_SIGMAS

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Chosen: nothing was measured for these, except where a comment says so.

# Places `STEP_MM` apart are weighed first, and then places this far apart, up to `_CLOSE_MM` from
# the most likely one.
_FINE_MM: Final = 0.1
_CLOSE_MM: Final = 1.2
# the width of the squares over which the difference of two pictures is averaged, so that noise does
# not count
_ALIKE_PX: Final = 8
# By definition: the rims seen determine shift and turn if they fix even the least certain direction
# by at least this.
_LEAST_SEEN: Final = 0.3
_HIDDEN: Final = 0.1  # the share of rims that something covers or touches
# How far the tile below may stick out, mm: up to two standard deviations.
_FEET: Final = np.arange(-2.0, 2.01, 0.5)
# Chosen: the number of places that are weighed with the lower tile sticking out: the likeliest of
# those weighed with it exactly under the upper one.
_MOST_WEIGHED: Final = 6


@dataclass(frozen=True)
class Outlined:
    """A tower at the place where its outline is most likely, the standard error of its centre along
    one axis, mm, and the gain: by how much its rims explain the picture better than a face without
    rims.
    """

    tile: Tile
    sigma_mm: float
    gain: float


@dataclass(frozen=True)
class OutlineSearches:
    """The searches for towers in pictures of one camera. The `singles` are the tiles that lie
    alone, and `common` is what their rims share. What the singles show is learnt once from each
    picture.
    """

    view: TableView
    sizes: PieceSizes
    common: Common
    singles: Sequence[Tile]
    _known: dict[int, tuple[Picture, _Search | None]] = field(default_factory=dict)

    def within(self, picture: Picture) -> _Search | None:
        """Return the search in a picture (h, w, 3) BGR; None if too few single tiles are seen."""
        if id(picture) not in self._known:  # the picture is kept, so nothing else gets its id
            self._known[id(picture)] = (picture, self._learnt(picture))
        return self._known[id(picture)][1]

    def _learnt(self, picture: Picture) -> _Search | None:
        light = clipped(even_light(picture, POWER))
        beside = SideLight.of(light, self.view, self.singles, self.sizes, self.common)
        if beside is None:
            return None
        return _Search(light, self.view, self.sizes, self.common, beside)


def laid_by_outline(
    pictures: Sequence[Picture],
    searches: OutlineSearches,
    starts: Iterable[Tile],
    enough: float = math.inf,
) -> Outlined | None:
    """Move and turn a tower from any of the `starts` to the place where its outline is most likely.
    The search reaches two mm farther than the tower's walls appear wide. `pictures` are (h, w, 3)
    BGR; of pictures that show the same around the starts, only the first counts.

    A hand may cover the tower in one picture, and a coin may push it before the next. So the first
    picture with a gain of at least `enough` decides where the tower lies. The picture with the
    largest gain is used instead if its place is more accurate and agrees with the first within the
    error, or if no gain is `enough`. None if too few edges are seen.
    """
    starts, found = list(starts), list[tuple[_Search, list[_Start]]]()
    for picture in unlike_pictures(pictures, searches.view, starts, searches.sizes):
        search = searches.within(picture)
        if search is not None:
            found.append((search, search.weighed_from(starts, np.zeros(1))))
    seen = [(search, places) for search, places in found if places]
    most = max(seen, key=lambda each: each[1][0][1].gain, default=None)
    first = next((each for each in seen if each[1][0][1].gain > enough), most)
    one = None if first is None else first[0].best_of(first[1])
    other = one if most is None or most is first else most[0].best_of(most[1])
    if one is None or other is None:
        return one or other
    agree = distance(one.tile.centre_mm, other.tile.centre_mm) < SEEN_SIGMAS * one.sigma_mm
    return min(one, other, key=lambda o: o.sigma_mm) if agree else one


def unlike_pictures(
    pictures: Sequence[Picture], view: TableView, starts: Sequence[Tile], sizes: PieceSizes
) -> list[Picture]:
    """Return one picture, the first, of each group of pictures that show the same around the
    `starts`.
    """
    aside_mm = sizes.tile_mm
    around = [
        (x + east, y + north, 0.0)
        for tile in starts
        for x, y in [tile.centre_mm]
        for east in (-aside_mm, aside_mm)
        for north in (-aside_mm, aside_mm)
    ]
    if not around:
        return []
    px = view.to_image(np.array(around))
    low = np.maximum(np.floor(px.min(axis=0)).astype(int), 0)
    high = np.ceil(px.max(axis=0)).astype(int) + 1
    parts = [picture[low[1] : high[1], low[0] : high[0]].astype(np.float32) for picture in pictures]
    kept: list[int] = []
    for number, part in enumerate(parts):
        if part.size == 0 or all(_differ(part, parts[other]) for other in kept):
            kept.append(number)
    return [pictures[number] for number in kept]


def _differ(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    size = tuple(max(1, side // _ALIKE_PX) for side in one.shape[1::-1])
    off = cv2.resize(one - other, size, interpolation=cv2.INTER_AREA)
    return float(np.abs(off).max()) > COMPRESSION_LEVELS


def foot_away_mm(view: TableView, tile: Tile, sizes: PieceSizes) -> float:
    """Return how far the foot of a tower is seen from its top, mm in the plane of the top."""
    away_mm = float(np.hypot(*(view.position_mm[:2] - tile.centre_mm)))
    return away_mm * top_height_mm(tile, sizes) / float(view.position_mm[2])


@dataclass(frozen=True)
class _Weighed:
    """Moves of a tile that were tried, each with its probability.

    `moves` (m, 3) are in mm: along x, along y, and how far the middles of the tile's sides move
    when it turns. `likely` (m,) are their probabilities, which add up to 1. `best` (3,) is the most
    likely move. `gain` is the log-likelihood of edges after that move minus the log-likelihood of
    no edges.
    """

    moves: Array
    likely: Array
    best: Array
    gain: float


_Start = tuple[Tile, _Weighed]


@dataclass(frozen=True)
class _Search:
    """The search for towers in the light of one picture."""

    light: Light
    view: TableView
    sizes: PieceSizes
    common: Common
    beside: SideLight

    def best_of(self, found: Sequence[_Start]) -> Outlined | None:
        """Return the tower at its most likely place. The search for `found` assumed that the lower
        tile lies exactly under the upper one; this search lets the lower tile stick out.
        """
        likely = self.weighed_from([tile for tile, _ in found[:_MOST_WEIGHED]], _FEET)
        return self.refined(*likely[0]) if likely else None

    def weighed_from(self, starts: Sequence[Tile], feet: Array) -> list[_Start]:
        """Return the starts from which enough edges are seen, each with the weighed places around
        it, the likeliest start first.
        """
        weighed = [(tile, self.weighed_widely(tile, feet)) for tile in starts]
        found = [(tile, places) for tile, places in weighed if places is not None]
        return sorted(found, key=lambda each: each[1].gain, reverse=True)

    def weighed_widely(self, tile: Tile, feet: Array = _FEET) -> _Weighed | None:
        """Weigh all places of a tower around its expected place, as far away as its foot is seen,
        because it may have been found by an edge of its foot.
        """
        reach_mm = SEARCHED_MM + foot_away_mm(self.view, tile, self.sizes)
        return self._weighed(tile, reach_mm, STEP_MM, feet)

    def refined(self, tile: Tile, coarse: _Weighed) -> Outlined | None:
        """Return the tower at the most likely of the places in `coarse`, after a finer search
        around it.
        """
        near = _placed(tile, coarse.best, self.sizes)
        fine = self._weighed(near, _CLOSE_MM, _FINE_MM)
        if fine is None:
            return None
        off = coarse.moves[:, :2] - (coarse.best + fine.best)[:2]
        sigma_mm = float(np.sqrt(coarse.likely @ (off**2).mean(axis=1)))
        return Outlined(_placed(near, fine.best, self.sizes), sigma_mm, fine.gain)

    def _weighed(
        self, tile: Tile, reach_mm: float, step_mm: float, feet: Array = _FEET
    ) -> _Weighed | None:
        """Weigh the places of a tower up to `reach_mm` from a place."""
        face = face_light(self.light, self.view, tile, self.sizes)
        if face is None:
            return None
        profiles = tile_profiles(self.light, self.view, tile, self.sizes, reach_mm)
        terms = _terms(profiles, tile, self.sizes)
        if len(profiles) < FEWEST_RIMS or np.linalg.eigvalsh(terms.T @ terms)[0] < _LEAST_SEEN:
            return None
        faces = [face] * len(profiles)
        seen = profiles_seen(profiles, faces, self.sizes.tile_mm, reach_mm, tile.stack)
        turned_mm = min(reach_mm, SEARCHED_MM)
        offsets = np.arange(-reach_mm - turned_mm / 2, reach_mm + turned_mm / 2, step_mm)
        costs = self._costs(seen, offsets, feet)
        moves = _moves(reach_mm, turned_mm, step_mm)
        whole = np.zeros(len(moves))
        for term, rim in zip(terms, _or_hidden(costs), strict=True):
            whole += np.interp(moves @ term, offsets, rim)
        best = moves[int(whole.argmin())]
        there = sum(
            float(np.interp(best @ term, offsets, rim))
            for term, rim in zip(terms, costs, strict=True)
        )
        likely = np.exp(whole.min() - whole)
        gain = EVIDENCE_SHARE * float(plain_costs(seen).sum()) - there
        return _Weighed(moves, likely / likely.sum(), best, gain)

    def _costs(self, seen: Seen, offsets_mm: Array, feet_mm: Array) -> Array:
        """Return minus the log-likelihoods (p, n) that the rims are `offsets_mm` (n,) outwards of
        their places. The foot of the tile below may be at any of the offsets `feet_mm`.
        """
        near = seen.wall_mm > LEAST_WALL_MM
        whole = _with_feet(seen, near, feet_mm)
        unlikely = 2 * (feet_mm / _FEET[-1]) ** 2
        found = []
        for off_mm in offsets_mm.tolist():
            common = replace(self.common, offset_mm=self.common.offset_mm + off_mm)
            far, at_feet = np.split(self.beside.costs(whole, common), [np.count_nonzero(~near)])
            costs = np.empty((len(feet_mm), len(near)))
            costs[:, ~near], costs[:, near] = far, at_feet.reshape(len(feet_mm), -1)
            costs = EVIDENCE_SHARE * costs + unlikely[:, None]
            found.append(-np.logaddexp.reduce(-costs, axis=0))
        return np.stack(found, axis=1)


def _with_feet(seen: Seen, near: NDArray[np.bool_], feet_mm: Array) -> Seen:
    """Return the profiles without a visible wall (`near` is False), followed by the others with the
    ends of their walls moved farther out, by each of `feet_mm`.
    """
    least_mm = np.nextafter(LEAST_WALL_MM, np.inf)
    moved_mm = np.maximum(seen.wall_mm[near] + feet_mm[:, None], least_mm)
    chosen = [np.flatnonzero(~near), *[np.flatnonzero(near)] * len(feet_mm)]
    walls_mm = np.concatenate((seen.wall_mm[~near], moved_mm.ravel()))
    return replace(seen.rows(np.concatenate(chosen)), wall_mm=walls_mm)


def _or_hidden(costs: Array) -> Array:
    """Return, for each of p rims and n places, minus the logarithm of the place's probability (p,
    n), given that a share of the rims is hidden.
    """
    likely = np.exp(-costs - np.logaddexp.reduce(-costs, axis=1)[:, None])
    return np.asarray(-np.log((1 - _HIDDEN) * likely + _HIDDEN / costs.shape[1]))


def _moves(reach_mm: float, turned_mm: float, step_mm: float) -> Array:
    """Return all moves (m, 3) of up to `reach_mm`, combined with all turns of up to `turned_mm`."""
    steps = np.arange(-reach_mm, reach_mm + step_mm / 2, step_mm)
    turns = np.arange(-turned_mm, turned_mm + step_mm / 2, step_mm)
    moves = np.stack(np.meshgrid(steps, steps, turns, indexing="ij"), axis=-1).reshape(-1, 3)
    return np.asarray(moves[np.hypot(moves[:, 0], moves[:, 1]) <= reach_mm])


def _terms(profiles: Sequence[Profile], tile: Tile, sizes: PieceSizes) -> Array:
    """Return how far each rim moves outwards (p, 3) when the tile moves by 1 mm along x, by 1 mm
    along y, or turns so that the middles of its sides move by 1 mm.
    """
    normals = np.array([profile.normal for profile in profiles]).reshape(-1, 2)
    arms = np.array([profile.middle_mm for profile in profiles]).reshape(-1, 2) - tile.centre_mm
    turning = (normals[:, 1] * arms[:, 0] - normals[:, 0] * arms[:, 1]) / (sizes.tile_mm / 2)
    return np.column_stack((normals, turning))


def _placed(tile: Tile, moved_mm: Array, sizes: PieceSizes) -> Tile:
    x, y = tile.centre_mm
    return replace(
        tile,
        centre_mm=(x + float(moved_mm[0]), y + float(moved_mm[1])),
        rotation_deg=tile.rotation_deg + float(np.degrees(moved_mm[2] / (sizes.tile_mm / 2))),
    )
