"""Reads a scene's YAML. Each error is one clear line."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import yaml

from calibration.lens.camera import Camera
from referee.domain.errors import InputError
from referee.domain.geometry import Point
from referee.domain.layout import SIDES_OF_TABLE, Course
from referee.domain.pieces import CARROMS_COINS, COINS, GUARDS, PieceSizes
from referee.synthetic.physics.impact import Surface
from referee.synthetic.scenario.laid_courses import laid_castles, laid_walls, laid_wickets
from referee.synthetic.scenario.scene import (
    CLOTHS,
    SETS,
    WOODS,
    Action,
    Flick,
    Hold,
    Light,
    Nudge,
    Pass,
    Place,
    Scene,
    StackOffsets,
    Stray,
    camera_looking,
)

_T = TypeVar("_T")

#: The games whose courses can be laid, each with its coins.
GAMES: Final = {"tabletop-croquet": COINS, "carroms": CARROMS_COINS, "castle-croquetnole": COINS}


class _Fields:
    """One mapping of the file. Each field is requested by name and type. A field that nobody
    requested is an error.
    """

    def __init__(self, given: Any, file: str, where: str = "") -> None:
        self.file, self.where = file, where
        if not isinstance(given, Mapping):
            raise self.error("", "must hold fields, each with its name")
        self.given = {
            str(k) if not isinstance(k, str) and k is not None else ("null" if k is None else k): v
            for k, v in given.items()
        }
        self.asked: set[str] = set()

    def error(self, name: str, what: str) -> InputError:
        place = f"{self.where}.{name}" if self.where and name else self.where or name
        return InputError(f"{self.file}: {place}: {what}" if place else f"{self.file}: {what}")

    def take(self, name: str, read: Callable[[Any], _T], what: str, default: Any = ...) -> _T:
        self.asked.add(name)
        if name not in self.given:
            if default is ...:
                raise self.error(name, "is missing")
            return default  # type: ignore[no-any-return]
        try:
            return read(self.given[name])
        except (TypeError, ValueError, KeyError, IndexError):
            raise self.error(name, f"{self.given[name]!r} is not {what}") from None

    def number(self, name: str, default: Any = ..., least: float = -math.inf) -> float:
        def read(value: Any) -> float:
            if (
                isinstance(value, bool)
                or not isinstance(value, int | float)
                or not math.isfinite(value)
                or value < least
            ):
                raise ValueError
            return float(value)

        return self.take(
            name,
            read,
            "a number" + (f" of at least {least:g}" if math.isfinite(least) else ""),
            default,
        )

    def point(self, name: str, default: Any = ...) -> Point:
        return self.take(name, _point, "a place [x, y] in mm", default)

    def choice(self, name: str, options: tuple[str, ...], default: Any = ...) -> str:
        def read(value: Any) -> str:
            if value not in options:
                raise ValueError
            return str(value)

        return self.take(name, read, f"one of {', '.join(options)}", default)

    def part(self, name: str) -> _Fields:
        self.asked.add(name)
        given = self.given.get(name)
        return _Fields(
            {} if given is None else given,
            self.file,
            f"{self.where}.{name}" if self.where else name,
        )

    def parts(self, name: str) -> list[_Fields]:
        self.asked.add(name)
        given = self.given.get(name) or []
        if not isinstance(given, list):
            raise self.error(name, "must be a list")
        return [_Fields(g, self.file, f"{name}[{i}]") for i, g in enumerate(given)]

    def done(self) -> None:
        for name in self.given:
            if name not in self.asked:
                raise self.error(name, f"is not a field here ({', '.join(sorted(self.asked))})")


def _point(value: Any) -> Point:
    x, y = value
    if isinstance(x, bool) or isinstance(y, bool) or not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError
    return (float(x), float(y))


def coin_name(value: Any, coins: Sequence[str] = COINS) -> str:
    """Return the name of one of the `coins` from YAML: unquoted null and 2 are the coins "null" and
    "2". Raises ValueError for anything else.
    """
    name = "null" if value is None else str(value)
    if name not in coins or isinstance(value, bool):
        raise ValueError(value)
    return name


def read_scene(path: Path) -> Scene:
    """Read the scene that a YAML file describes. Raises InputError with file and field when there
    is none.
    """
    try:
        given = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as err:
        raise InputError(f"{path}: cannot be read: {err.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as err:
        raise InputError(f"{path}: is not YAML: {' '.join(str(err).split())}") from None
    return scene_of(given, path.name)


def scene_of(given: Any, file: str = "scene") -> Scene:
    """Make a scene from plain values, as YAML gives them. Raises InputError."""
    top = _Fields(given, file)
    top.take("title", str, "a text", "")
    seed = int(top.number("seed", 1))
    video = top.part("video")
    fps, exposure_s, length_s = (
        int(video.number("fps", 60, 1)),
        video.number("exposure_s", 0.008, 0),
        video.number("length_s", 4.0, 0.1),
    )
    crf, noise = int(video.number("crf", 22, 0)), video.number("noise", 2.0, 0)
    hand_at_start = video.take("hand_at_start", _truth, "true or false", False)
    come_s, go_s = video.number("come_s", 0.6, 0.1), video.number("go_s", 0.65, 0.1)
    video.done()
    if exposure_s > 1 / fps:
        raise InputError(
            f"{file}: video.exposure_s: {exposure_s:g} s is longer than a frame at {fps} frames a"
            " second"
        )
    sizes, colours = _set(top.part("set"))
    game, mirrored, left_endpost, course, offsets = _course(top.part("course"), sizes.tile_mm, seed)
    wood, outline, tone, grain, cloth = _table(top.part("table"))
    camera = top.part("camera")
    view = _view(camera, exposure_s)
    players = tuple(_player(p, game) for p in top.parts("players"))
    scene = Scene(
        seed,
        view,
        _plain(Light, top.part("light")),
        wood,
        outline,
        colours,
        sizes,
        course,
        mirrored,
        left_endpost,
        players,
        dict(top.part("options").given),
        _coins(top.part("coins"), GAMES[game]),
        tuple(_action(a, course, GAMES[game]) for a in top.parts("actions")),
        tuple(_stray(s) for s in top.parts("strays")),
        _plain(Surface, top.part("surface")),
        fps,
        exposure_s,
        length_s,
        crf,
        noise,
        offsets,
        hand_at_start,
        come_s,
        go_s,
        tone,
        grain,
        game,
        cloth,
    )
    top.done()
    return scene


def _table(
    given: _Fields,
) -> tuple[str, tuple[Point, Point, Point, Point], float, float, str | None]:
    """Return the table's wood, its outline in mm, its tone, how strong its grain is, and the cloth
    that covers it.
    """
    wood = given.choice("wood", WOODS, "oak")
    length, depth = given.point("size_mm", (1270.0, 760.0))
    tone, grain = given.number("tone", 1.0, 0.1), given.number("grain", 1.0, 0.0)
    cloth = given.choice("cloth", ("none", *CLOTHS), "none")
    given.done()
    x, y = length / 2, depth / 2
    outline = ((-x, -y), (x, -y), (x, y), (-x, y))
    return wood, outline, tone, grain, None if cloth == "none" else cloth


def _set(given: _Fields) -> tuple[PieceSizes, str]:
    usual = {
        f.name: given.number(f.name, d, 1.0)
        for f, d in zip(fields(PieceSizes), (50.8, 5.0, 22.0, 4.0), strict=True)
    }
    colours = given.choice("colours", SETS, "standard")
    given.done()
    return PieceSizes(**usual), colours


def _plain(kind: type[_T], given: _Fields) -> _T:
    """Make a dataclass of numbers and tuples of numbers from the fields that are given."""
    values: dict[str, Any] = {}
    for name in (f.name for f in fields(kind) if f.name in given.given):  # type: ignore[arg-type]
        usual = getattr(kind(), name)
        if isinstance(usual, tuple):
            values[name] = given.take(
                name, partial(_numbers, count=len(usual)), f"{len(usual)} numbers"
            )
        else:
            values[name] = given.number(name)
    given.asked.update(f.name for f in fields(kind))  # type: ignore[arg-type]
    given.done()
    return kind(**values)


def _numbers(value: Any, count: int) -> tuple[float, ...]:
    numbers = tuple(float(v) for v in value)
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        raise ValueError
    return numbers


def _view(given: _Fields, exposure_s: float) -> Any:
    width, height = int(given.number("width", 1280, 16)), int(given.number("height", 720, 16))
    fx = given.number("fx_px", 914.0, 1)
    cx, cy = given.point("centre_px", ((width - 1) / 2 + 3.2, (height - 1) / 2 - 2.4))
    k1, k2, p1, p2, k3 = given.take(
        "distortion",
        lambda v: _numbers(v, 5),
        "5 numbers (k1, k2, p1, p2, k3)",
        (-0.1, 0.03, 0.0006, -0.0004, 0.0),
    )
    camera = Camera(
        width, height, fx, given.number("fy_px", fx, 1), cx, cy, (k1, k2, p1, p2, k3), exposure_s
    )
    view = camera_looking(
        camera,
        given.point("aim_mm", (0.0, 0.0)),
        given.number("height_mm", 880.0, 100),
        given.number("tilt_deg", 25.0, 0),
        given.number("heading_deg", 0.0),
        given.number("roll_deg", 0.0),
    )
    given.done()
    return view


def _course(
    given: _Fields, tile_mm: float, seed: int
) -> tuple[str, bool, str, Course, dict[str, StackOffsets]]:
    """Return the game, whether the course is mirrored, where its left endpost is, the course as it
    is laid, and how the tiles of its stacks lie upon one another.
    """
    mirrored = given.take("mirrored", _truth, "true or false", False)
    left_endpost = given.choice("left_endpost", ("left", "right"), "left")
    jitter_mm, jitter_deg = given.number("jitter_mm", 1.0, 0), given.number("jitter_deg", 1.2, 0)
    game = given.choice("game", tuple(GAMES), "tabletop-croquet")
    pocket_tiles = given.number("pocket_tiles", 2.5, 1.0)
    moons_side = given.choice("moons_side", SIDES_OF_TABLE, SIDES_OF_TABLE[0])
    given.done()
    if game == "carroms":
        walls = laid_walls(tile_mm, pocket_tiles, jitter_mm, jitter_deg, seed)
        return game, False, "left", walls, {}
    if game == "castle-croquetnole":
        castles, stacks = laid_castles(tile_mm, moons_side, jitter_mm, jitter_deg, seed)
        return game, False, "left", castles, stacks
    course, stacks = laid_wickets(tile_mm, mirrored, left_endpost, jitter_mm, jitter_deg, seed)
    return game, mirrored, left_endpost, course, stacks


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _player(given: _Fields, game: str) -> tuple[str, str]:
    name, coin = (
        given.take("name", str, "a text"),
        given.take("coin", coin_name, f"a coin ({', '.join(COINS)})"),
    )
    if game == "castle-croquetnole" and coin not in GUARDS:
        raise given.error("coin", f"{coin!r} is not a knight ({', '.join(GUARDS)})")
    given.done()
    return name, coin


def _coins(given: _Fields, coins: Sequence[str]) -> dict[str, Point]:
    for name in given.given:
        if name not in coins:
            raise given.error(name, f"is not a coin ({', '.join(coins)})")
    return {name: given.point(name) for name in given.given}


def _stray(given: _Fields) -> Stray:
    stray = Stray(
        given.choice("kind", ("mug", "pencil")), given.point("at_mm"), given.number("turn_deg", 0.0)
    )
    given.done()
    return stray


def _action(given: _Fields, course: Course, coins: Sequence[str]) -> Action:
    kinds: dict[str, Callable[[_Fields, float, float | None], Action]] = {
        "flick": partial(_flick, coins=coins),
        "pass": _pass,
        "place": partial(_place, coins=coins),
        "lift": partial(_lift, coins=coins),
        "nudge": partial(_nudge, course=course),
        "hold": partial(_hold, course=course),
    }
    named = [k for k in kinds if k in given.given]
    if len(named) != 1:
        raise given.error("", f"must name one of {', '.join(kinds)}")
    at_s = given.number("at_s", least=0.0)
    arm = given.number("arm_deg", None)
    action = kinds[named[0]](given, at_s, arm)
    given.done()
    return action


def _coin(given: _Fields, name: str, coins: Sequence[str]) -> str:
    return given.take(name, partial(coin_name, coins=coins), f"a coin ({', '.join(coins)})")


def _flick(given: _Fields, at_s: float, arm: float | None, coins: Sequence[str]) -> Action:
    speed, towards = given.number("speed_mm_s", least=1.0), given.number("towards_deg")
    return Flick(
        at_s,
        _coin(given, "flick", coins),
        speed,
        towards,
        arm,
        given.number("aim_s", 0.4, 0.2),
        given.number("stay_s", 0.0, 0.0),
    )


def _pass(given: _Fields, at_s: float, arm: float | None) -> Action:
    return Pass(
        at_s,
        given.point("pass"),
        arm,
        given.number("stay_s", 0.3, 0),
        given.number("height_mm", 45.0, 10),
    )


def _place(given: _Fields, at_s: float, arm: float | None, coins: Sequence[str]) -> Action:
    return Place(
        at_s,
        _coin(given, "place", coins),
        given.point("to_mm"),
        arm,
        given.number("carry_s", 0.8, 0.1),
    )


def _lift(given: _Fields, at_s: float, arm: float | None, coins: Sequence[str]) -> Action:
    return Place(at_s, _coin(given, "lift", coins), None, arm)


def _hold(given: _Fields, at_s: float, arm: float | None, course: Course) -> Action:
    walls = tuple(w for w in "NESW" if f"wall-{w.lower()}-1" in course.tiles)
    wall = given.choice("hold", walls)
    player = given.take("player", str, "a text", None)
    return Hold(at_s, given.number("until_s", least=at_s + 0.1), wall, player, arm)


def _nudge(given: _Fields, at_s: float, arm: float | None, course: Course) -> Action:
    tile = given.choice("nudge", tuple(course.tiles))
    return Nudge(at_s, tile, given.point("by_mm", None), given.number("turn_deg", 0.0), arm)
