"""When all is still again: where coins lie that were lost from sight, and how the tiles lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from calibration.camera import TableView
from referee.episode import Rest
from referee.geometry import Point, distance
from referee.layout import Course
from referee.pieces import PieceSizes
from referee.tracking.follow import Followed, State
from referee.vision.coin_search import Floor, find_coins
from referee.vision.eye import Eye
from referee.vision.picture import Picture, Tint
from referee.vision.rim_fit import RimFit, fit_rim
from referee.vision.tile_measuring import measure_tile
from referee.vision.tile_search import search_tile

NEW_COIN_AROUND_MM = 60.0  # around a changed place a new coin is looked for
HARDLY_MM = 1.5  # less is what a tile is found again by at first
SAME_PLACE_MM = 1.0  # a coin found so near to where it lay is not known to have been away
TILE_MOVED_MM, TILE_MOVED_DEG = 0.7, 1.0  # less is how well a tile is measured, and its line stays where it was


def loose_coins(
    picture: Picture, eye: Eye, floor: Floor, places: Sequence[Point], known_mm: Sequence[Point], tint: Tint | None
) -> tuple[list[RimFit], Tint | None]:
    """Coins that lie around places where the scene has changed and none is known to lie, and the mixture they were measured in.

    `tint` is None while no coin has been seen on this table: the first one then teaches it.
    """
    sizes = eye.table.sizes
    found_fits: list[RimFit] = []
    for at_mm in places:
        found, learnt = find_coins(picture, floor.part(at_mm, NEW_COIN_AROUND_MM), sizes)
        tint = learnt if tint is None else tint
        for coin in found:
            taken = [*known_mm, *(fit.at_mm for fit in found_fits)]
            if tint is None or any(distance(coin.at_mm, at) <= 0.7 * sizes.coin_mm for at in taken) or not eye.changed_at(coin.at_mm):
                continue
            fit = fit_rim(picture, eye.table.view, coin.at_mm, sizes, tint)
            if fit is not None:
                found_fits.append(fit)
    return found_fits, tint


def astray(coins: Sequence[Followed], missing: Sequence[Followed], covered: frozenset[str], fit: Callable[[Point], RimFit | None]) -> list[Followed]:
    """Measure the coins that moved where they lie now; those that are not where they were last seen, though no hand covers it, are returned."""
    gone = []
    for coin in coins:
        if coin in missing or not coin.sightings or coin.rest is None:
            continue
        measured = fit(coin.rest.at_mm)
        if measured is not None:
            coin.rest = rest_of(measured)
        elif coin.coin not in covered:
            gone.append(coin)
    return gone


def settle(coin: Followed, rest: Rest) -> None:
    """A missing coin was found lying still. If it lies where it lay and was seen elsewhere only beside a hand, that was the hand."""
    coin.state, coin.rest = State.REST, rest
    if coin.before is not None and distance(coin.before.at_mm, rest.at_mm) < SAME_PLACE_MM and all(s.frame in coin.hand_frames for s in coin.sightings):
        coin.rest = coin.before
        coin.sightings.clear()


def match_missing(missing: Sequence[Followed], loose: Sequence[RimFit], coin_mm: float) -> list[tuple[Followed, RimFit]]:
    """Missing coins and the places they must be lying at now: where they were last seen moving, or by elimination.

    Where more than one could be meant nobody is matched: the faces will tell.
    """
    pairs: list[tuple[Followed, RimFit]] = []
    free = list(loose)
    for coin in [c for c in missing if c.sightings and c.state is not State.OFF_TABLE]:
        near = [fit for fit in free if distance(fit.at_mm, coin.sightings[-1].at_mm) < coin_mm]
        if len(near) == 1:
            pairs.append((coin, near[0]))
            free.remove(near[0])
    left = [c for c in missing if c.state is not State.OFF_TABLE and all(c is not p for p, _ in pairs)]
    if len(left) == 1 and len(free) == 1:
        pairs.append((left[0], free[0]))
    return pairs


def rest_of(fit: RimFit) -> Rest:
    """A measured rim as a place where a coin lies."""
    return Rest(fit.at_mm, fit.sigma_mm)


def measure_tiles(picture: Picture, eye: Eye, course: Course, view: TableView, sizes: PieceSizes, *, still: bool) -> tuple[Course, frozenset[str]]:
    """The course with every tile measured anew around which the scene has changed, and the names of those that could not be measured.

    Where all is not `still`, those that have hardly moved are left for when it is.
    """
    lost = set()
    for name, tile in course.tiles.items():
        if not eye.tile_touched(tile):
            continue
        near = search_tile(picture.luma, eye.plate.picture.luma, view, tile, sizes, hands_about=not still)
        if not still and near is not None and distance(near.centre_mm, tile.centre_mm) < HARDLY_MM and near.rotation_deg == tile.rotation_deg:
            continue
        measured = None if near is None else measure_tile(picture.luma, view, near, sizes, found=True)
        if measured is None:
            lost.add(name)
        elif distance(measured[0].centre_mm, tile.centre_mm) > TILE_MOVED_MM or abs(measured[0].rotation_deg - tile.rotation_deg) > TILE_MOVED_DEG:
            course = course.with_tile(name, measured[0])
            eye.settle_tile(picture, tile, measured[0])
    return course, frozenset(lost)
