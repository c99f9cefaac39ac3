"""Defines a scene, which a small YAML file describes: a table, a camera, a set, and what hands do.

Scenes use the table as the camera sees it: millimetres, x to the right and y away from the viewer.
The origin is the middle of the table, and the middle of the course lies there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from calibration.lens.camera import Camera, TableView
from referee.domain.geometry import Point, Polygon
from referee.domain.layout import Course
from referee.domain.pieces import PieceSizes
from referee.synthetic.physics.impact import Surface

WOODS: Final = ("oak", "walnut", "pine", "laminate")
CLOTHS: Final = ("dots", "cheques", "stripes", "flowers", "newspaper", "stones")
SETS: Final = (
    "standard", "green-crowns", "one-colour", "walnut", "slate", "brick", "sky", "painted"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Light:
    """The light: a lamp, light from everywhere, a window's sheen from one side, and the picture's
    exposure.

    `warmth` 0 is white, and a positive value is more yellow. `glare` and `window` are how strongly
    the varnish mirrors the lamp and the window.
    """

    lamp_mm: tuple[float, float, float] = (-150.0, 350.0, 1500.0)
    ambient: float = 0.45
    warmth: float = 0.1
    glare: float = 0.35
    window: float = 0.0
    window_from: Point = (-1.0, 0.3)
    exposure: float = 1.0


@dataclass(frozen=True, slots=True)
class Stray:
    """A foreign object on the table: a mug or a pencil."""

    kind: str
    at_mm: Point
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Flick:
    """A fingertip flicks a coin along `towards_deg` (counter-clockwise from x) at a speed.

    The hand waits behind the coin for `aim_s` before the flick, and stays for `stay_s` longer than
    it must.
    """

    at_s: float
    coin: str
    speed_mm_s: float
    towards_deg: float
    arm_deg: float | None = None
    aim_s: float = 0.4
    stay_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Pass:
    """A hand reaches over the table to `over_mm` and leaves again without touching a piece. `at_s`
    is when the hand is at that place.
    """

    at_s: float
    over_mm: Point
    arm_deg: float | None = None
    stay_s: float = 0.3
    height_mm: float = 45.0


@dataclass(frozen=True, slots=True)
class Place:
    """A hand takes a coin from where it lies (or brings one) and puts it down at `to_mm` at `at_s`.
    If `to_mm` is None, the hand takes the coin away for good.
    """

    at_s: float
    coin: str
    to_mm: Point | None
    arm_deg: float | None = None
    carry_s: float = 0.8


@dataclass(frozen=True, slots=True)
class Nudge:
    """A hand moves a tile by `by_mm` and `turn_deg`. Without `by_mm`, it puts the tile back where
    it lay at first, and `turn_deg` does nothing. The tile lies still from `at_s` on.
    """

    at_s: float
    tile: str
    by_mm: Point | None = None
    turn_deg: float = 0.0
    arm_deg: float | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """A hand presses a wall of Carroms down (`N`, `E`, `S` or `W`) from `at_s` to `until_s`, while
    other hands act. `player` is who does it, where that is known.
    """

    at_s: float
    until_s: float
    wall: str
    player: str | None = None
    arm_deg: float | None = None


Action = Flick | Pass | Place | Nudge | Hold

#: How each tile of a stack lies, from the bottom up, against the lowest one: mm along x and y, and
#: degrees.
StackOffsets = tuple[tuple[float, float, float], ...]


def stack_offsets(names: Iterable[str], rng: np.random.Generator) -> dict[str, StackOffsets]:
    """Return random offsets of the tiles within stacks of up to three, as hands lay them, by the
    stack's name.
    """
    return {
        name: tuple(
            (float(a), float(b), float(c))
            for a, b, c in rng.uniform(-1, 1, (3, 3)) * (0.5, 0.5, 1.0)
        )
        for name in names
    }


@dataclass(frozen=True)
class Scene:
    """Everything that a clip is made from. `course` is the course as a hand laid it. `coins` are
    those on the table at first.

    `hand_at_start` lets the clip begin while a hand is coming in. A hand takes `come_s` to come in
    and `go_s` to leave. `wood_tone` is a factor for the wood's brightness, and `wood_grain` one for
    the strength of its grain. A `cloth` hides the wood.
    """

    seed: int
    view: TableView
    light: Light
    wood: str
    outline_mm: Polygon
    set_colours: str
    sizes: PieceSizes
    course: Course
    mirrored: bool
    left_endpost: str
    players: tuple[tuple[str, str], ...]
    options: dict[str, Any]
    coins: dict[str, Point]
    actions: tuple[Action, ...]
    strays: tuple[Stray, ...]
    surface: Surface
    fps: int
    exposure_s: float
    length_s: float
    crf: int = 22
    noise: float = 2.0
    stack_offsets: dict[str, StackOffsets] = field(default_factory=dict)
    hand_at_start: bool = False
    come_s: float = 0.6
    go_s: float = 0.65
    wood_tone: float = 1.0
    wood_grain: float = 1.0
    game: str = "tabletop-croquet"
    cloth: str | None = None

    @property
    def camera(self) -> Camera:
        """Return the lens and sensor."""
        return self.view.camera

    @property
    def frames(self) -> int:
        """Return how many frames the clip has."""
        return round(self.length_s * self.fps)


def camera_looking(
    camera: Camera,
    aim_mm: Point,
    height_mm: float,
    tilt_deg: float,
    heading_deg: float = 0.0,
    roll_deg: float = 0.0,
) -> TableView:
    """Return a camera `height_mm` above the table, tilted by `tilt_deg` from straight down, that
    looks at `aim_mm`.

    `heading_deg` 0 looks away from the viewer (towards +y), positive to the right. `roll_deg` turns
    the picture clockwise.
    """
    heading, tilt, roll = np.radians([heading_deg, tilt_deg, roll_deg])
    away = np.array([np.sin(heading), np.cos(heading), 0.0])
    camera_mm = (
        np.array([*aim_mm, 0.0]) + np.array([0.0, 0.0, height_mm]) - away * height_mm * np.tan(tilt)
    )
    forward = away * np.sin(tilt) - np.array([0.0, 0.0, np.cos(tilt)])
    right = np.array([np.cos(heading), -np.sin(heading), 0.0])
    down = np.cross(forward, right)
    right, down = (
        right * np.cos(roll) + down * np.sin(roll),
        down * np.cos(roll) - right * np.sin(roll),
    )
    rotation = np.vstack((right, down, forward))
    return TableView(camera, rotation, -rotation @ camera_mm)
