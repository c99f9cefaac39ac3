"""Courses: the template of a game's course, in tile widths, and a course on a real table, in
millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

import yaml

from referee.domain.geometry import (
    Point,
    add,
    cross,
    distance,
    scale,
    square_corners,
    subtract,
    unit,
)
from referee.domain.incident import Direction

# Tuned on our own clips, except where a comment gives another source for a number.

#: The standard uncertainty of the place of a tile that the camera saw well.
TILE_SIGMA_MM: Final = 0.3
#: The standard uncertainty of a tile's rotation. It moves a two-inch tile's rim by `TILE_SIGMA_MM`.
TILE_SIGMA_DEG: Final = 0.7
#: By definition: the sides of the table, clockwise from above, as the camera sees it.
SIDES_OF_TABLE: Final = ("near", "left", "far", "right")
#: The two walls of Carroms between which each pocket opens, counter-clockwise seen from above.
POCKETS: Final = {
    "pocket-ne": ("wall-e", "wall-n"),
    "pocket-nw": ("wall-n", "wall-w"),
    "pocket-sw": ("wall-w", "wall-s"),
    "pocket-se": ("wall-s", "wall-e"),
}


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile on the table, or a stack of `stack` tiles: its centre, its rotation counter-clockwise
    in (-45, 45] degrees, the standard uncertainty of its place along each axis, and that of its
    rotation.
    """

    centre_mm: Point
    rotation_deg: float = 0.0
    stack: int = 1
    sigma_mm: float = TILE_SIGMA_MM
    rotation_sigma_deg: float = TILE_SIGMA_DEG

    def is_within(self, at_mm: Point, reach_mm: float) -> bool:
        """Return whether a place is nearer than `reach_mm` to the tile's centre, both along and
        across the tile's sides.
        """
        turn = math.radians(self.rotation_deg)
        east, north = subtract(at_mm, self.centre_mm)
        along, across = (
            math.cos(turn) * east + math.sin(turn) * north,
            math.cos(turn) * north - math.sin(turn) * east,
        )
        return max(abs(along), abs(across)) < reach_mm


def turned(before: Tile, after: Tile) -> float:
    """Return how far a tile turned counter-clockwise, in (-45, 45] degrees. A larger angle is not
    possible, because a square looks the same after a quarter turn.
    """
    return within_quarter_turn(after.rotation_deg - before.rotation_deg)


def within_quarter_turn(angle_deg: float) -> float:
    """Return the angle in (-45, 45] degrees that brings a square to the same position."""
    return 45.0 - (45.0 - angle_deg) % 90.0


#: The left and the right end of a line, for somebody who looks outward, each with the tile at that
#: end.
Ends = tuple[tuple[Point, Tile], tuple[Point, Tile]]


@dataclass(frozen=True, slots=True)
class Line:
    """A line between two ends, which the centre of a coin may cross.

    Seen by somebody who looks in the outward direction, `left_mm` is the left end. `ends_sigma_mm`
    are the standard uncertainties of the left and the right end: those of the tiles there.
    """

    left_mm: Point
    right_mm: Point
    ends_sigma_mm: tuple[float, float] = (TILE_SIGMA_MM, TILE_SIGMA_MM)

    def sigma_at(self, share: float) -> float:
        """Return the standard uncertainty of the line's place, across the line, at a share of the
        way from its right end to its left end. The errors of the two ends are independent.
        """
        left, right = self.ends_sigma_mm
        return math.hypot(share * left, (1.0 - share) * right)

    @property
    def outward(self) -> Point:
        """Return the unit vector across the line in the outward direction. For somebody who looks
        that way, `left_mm` is on the left.
        """
        along = unit(subtract(self.left_mm, self.right_mm))
        return (along[1], -along[0])


def shows_face(tile: str) -> bool:
    """Return whether a tile lies with its face up, as the ace on top of a tower does."""
    return tile.startswith("tower-")


def direction_across(line: str, *, outward: bool) -> Direction:
    """Return the record's word for the way in which a line was crossed.

    >>> direction_across("wicket-3", outward=False), direction_across("gate-suns", outward=True)
    ('homeward', 'out')
    """
    if line.startswith(("gate-", "door-")):
        return "out" if outward else "in"
    return "outward" if outward else "homeward"


def line_ends(tiles: Mapping[str, Tile], tile_mm: float) -> Iterator[tuple[str, Ends]]:
    """Yield each line's name and ends. A line is left out when a tile at one of its ends is not on
    the table.

    Outward is from the left to the right endpost, out of a castle, or into a pocket.
    """
    for name, left in tiles.items():
        right = tiles.get(name.removesuffix("-left") + "-right")
        if name.endswith("-left") and right is not None:
            yield name.removesuffix("-left"), _between(left, right, tile_mm)
    yield from _gates(tiles, tile_mm)
    yield from _mouths(tiles, tile_mm)


def _between(left: Tile, right: Tile, tile_mm: float) -> Ends:
    """Return where the line through two tiles' centres meets the tiles' inner edges."""
    half = scale(unit(subtract(right.centre_mm, left.centre_mm)), tile_mm / 2)
    return (add(left.centre_mm, half), left), (subtract(right.centre_mm, half), right)


def _gates(tiles: Mapping[str, Tile], tile_mm: float) -> Iterator[tuple[str, Ends]]:
    """Yield the castles' gates, each between the two gateposts nearest to its tower."""
    posts = [tile for name, tile in tiles.items() if name.startswith("gatepost-")]
    for name, tower in tiles.items():
        if name.startswith("tower-") and len(posts) >= 2:
            one, other = sorted(posts, key=lambda post: distance(post.centre_mm, tower.centre_mm))[
                :2
            ]
            middle = scale(add(one.centre_mm, other.centre_mm), 0.5)
            outward = subtract(middle, tower.centre_mm)
            turns_left = cross(outward, subtract(one.centre_mm, other.centre_mm)) > 0
            left, right = (one, other) if turns_left else (other, one)
            yield name.replace("tower-", "gate-"), _between(left, right, tile_mm)


def _mouths(tiles: Mapping[str, Tile], tile_mm: float) -> Iterator[tuple[str, Ends]]:
    """Yield the mouths of the pockets. A mouth goes from an inside corner of one wall's last tile
    to an inside corner of the next wall's last tile: where the two walls come nearest to each
    other.
    """
    walls: dict[str, list[Tile]] = {}
    for name in sorted(name for name in tiles if name.startswith("wall-")):
        walls.setdefault(name.rpartition("-")[0], []).append(tiles[name])
    corners = {
        wall: [
            (corner, tile)
            for tile in (laid[0], laid[-1])
            for corner in square_corners(tile.centre_mm, tile_mm, tile.rotation_deg)
        ]
        for wall, laid in walls.items()
    }
    for pocket, (first, second) in POCKETS.items():
        if first in corners and second in corners:
            right, left = min(
                ((one, other) for one in corners[first] for other in corners[second]),
                key=lambda ends: distance(ends[0][0], ends[1][0]),
            )
            yield pocket, (left, right)


@dataclass(frozen=True, slots=True)
class Course:
    """A course on a real table: its tiles by name (`wicket-1-left`, ..., `left-endpost`) in the
    table frame, and the size of a tile.
    """

    tiles: Mapping[str, Tile]
    tile_mm: float

    @property
    def lines(self) -> dict[str, Line]:
        """Return the lines that a coin's centre may cross, by name: those of wickets, gates and
        doors, and the mouths of pockets.

        A line is missing when a tile at one of its ends is not on the table.
        """
        return {
            name: Line(left_mm, right_mm, (left.sigma_mm, right.sigma_mm))
            for name, ((left_mm, left), (right_mm, right)) in line_ends(self.tiles, self.tile_mm)
        }

    @property
    def posts(self) -> dict[str, Tile]:
        """Return the endposts and the towers: the stacks of tiles that a coin may hit."""
        return self.endposts | {
            name: tile for name, tile in self.tiles.items() if name.startswith("tower-")
        }

    @property
    def endposts(self) -> dict[str, Tile]:
        """Return the endposts: the posts at the two ends of a course that has a left and a right
        end.
        """
        return {name: tile for name, tile in self.tiles.items() if name.endswith("-endpost")}

    @property
    def middle_mm(self) -> Point:
        """Return the mean of the tiles' centres."""
        centres = [tile.centre_mm for tile in self.tiles.values()]
        return (
            sum(c[0] for c in centres) / max(1, len(centres)),
            sum(c[1] for c in centres) / max(1, len(centres)),
        )

    def has_tile(self, at_mm: Point, reach_mm: float) -> bool:
        """Return whether the centre of any tile is nearer than `reach_mm` to a place, both along
        and across that tile's sides.
        """
        near = (t for t in self.tiles.values() if distance(at_mm, t.centre_mm) < 1.5 * reach_mm)
        return any(tile.is_within(at_mm, reach_mm) for tile in near)

    def tower_at(self, at_mm: Point) -> str | None:
        """Return the tower on which a coin at this place would lie; None if there is no tower. Only
        a hand puts a coin on a tower.
        """
        half_mm = self.tile_mm / 2
        return next(
            (
                name
                for name, tile in self.tiles.items()
                if shows_face(name) and tile.is_within(at_mm, half_mm)
            ),
            None,
        )

    def with_tile(self, name: str, tile: Tile) -> Course:
        """Return the course with the tile `name` in another place."""
        return replace(self, tiles=MappingProxyType({**self.tiles, name: tile}))

    def as_layout(self) -> dict[str, Any]:
        """Return the course as the record's `layout` holds it: the plain values `{"tiles": {name:
        {centre_mm, rotation_deg, stack}}}`.
        """
        return {
            "tiles": {
                name: {
                    "centre_mm": [round(c, 3) for c in t.centre_mm],
                    "rotation_deg": round(t.rotation_deg, 3),
                    "stack": t.stack,
                }
                for name, t in self.tiles.items()
            }
        }


def course_from_layout(layout: Mapping[str, Any], tile_mm: float) -> Course:
    """Return the course that a record's `layout` describes. Raises KeyError, TypeError or
    ValueError if a field is missing or wrong.
    """
    tiles = {
        str(name): Tile(
            (float(t["centre_mm"][0]), float(t["centre_mm"][1])),
            float(t["rotation_deg"]),
            int(t.get("stack", 1)),
        )
        for name, t in layout["tiles"].items()
    }
    return Course(MappingProxyType(tiles), tile_mm)


@cache
def _template(game: str) -> dict[str, Any]:
    text = (
        resources.files("referee").joinpath("layouts", f"{game}.yaml").read_text(encoding="utf-8")
    )
    template: dict[str, Any] = yaml.safe_load(text)
    return template


def template_course(game: str, tile_mm: float, *, mirrored: bool = False) -> Course:
    """Return a game's reference course for tiles of a given size.

    `mirrored` reflects it across its long axis, so that wicket 3 lies at y > 0. There, too, a
    wicket's left tile is on the left for somebody who looks outward. Raises FileNotFoundError for a
    game without a layout.
    """
    template = _template(game)
    sign = -1.0 if mirrored else 1.0

    def place(xy: list[float]) -> Point:
        return (xy[0] * tile_mm, sign * xy[1] * tile_mm)

    tiles = {
        name: Tile(place(post["centre"]), 0.0, int(post["stack"]))
        for name, post in template.get("posts", {}).items()
    }
    for name, wicket in template.get("wickets", {}).items():
        first, second = sorted((place(wicket["right"]), place(wicket["left"])), key=lambda p: p[1])
        tiles[f"{name}-right"], tiles[f"{name}-left"] = Tile(first), Tile(second)
    for name, centres in template.get("walls", {}).items():
        tiles |= {
            f"{name}-{number}": Tile(place(centre))
            for number, centre in enumerate(centres, start=1)
        }
    return Course(MappingProxyType(tiles), tile_mm)


def faces_up(game: str) -> dict[str, str]:
    """Return the suit of each tile of a course that lies with its face up, by the tile's name. Such
    a tile is the ace of its suit. All other tiles lie with their backs up.
    """
    return {
        name: str(post["ace"])
        for name, post in _template(game).get("posts", {}).items()
        if "ace" in post
    }


def facing_of(game: str) -> tuple[str, str] | None:
    """Return how to lay a course that looks the same after a quarter turn: the beginning of some
    tiles' names, and the side of the table at which these tiles lie, as the camera sees it (`near`,
    `far`, `left` or `right`). None for a course that has a left and a right end.
    """
    facing = _template(game).get("facing")
    return None if facing is None else (str(facing["tiles"]), str(facing["side"]))
