"""Paths made by hand, and an episode around them, to test detectors separately."""

import math
from dataclasses import replace

from referee.domain.episode import CoinTrack, Episode, Frame, Rest
from referee.domain.geometry import Point
from referee.domain.layout import Course
from referee.domain.path import Held, Path, Run
from referee.domain.pieces import PieceSizes
from referee.domain.table_edge import EdgeSide
from tests.tracking.slides import COIN_MM, SLOWING, TILE_MM, course_at, table_edge

FPS = 60.0


def run(
    begin_s: float,
    at: Point,
    velocity: Point,
    end_s: float | None = None,
    met: tuple[str, ...] = (),
    sigma_mm: float = 0.2,
    sightings: int = 10,
) -> Run:
    """Return a run of a coin that slides by itself until it stops, or until `end_s`."""
    speed = math.hypot(*velocity)
    heading = (velocity[0] / speed, velocity[1] / speed) if speed else (1.0, 0.0)
    return Run(
        begin_s,
        begin_s + speed / SLOWING if end_s is None else end_s,
        at,
        heading,
        speed,
        SLOWING,
        sigma_mm,
        5.0,
        sightings,
        met,
    )


def path(
    coin: str,
    *runs: Run,
    rest: Point | None = None,
    after: Point | str | None = "stop",
    held: tuple[Held, ...] = (),
    sigma_mm: float = 0.1,
) -> Path:
    """Return a path from where its first run begins (or `rest`) to where its last one stops (or
    `after`).
    """
    before = rest if rest is not None else (runs[0].from_mm if runs else None)
    end = (runs[-1].position(runs[-1].end_s) if runs else before) if after == "stop" else after
    assert not isinstance(end, str)
    return Path(coin, runs, (), before, sigma_mm, end, sigma_mm, held)


def gone(path_: Path) -> Path:
    """Return the same coin, not seen again at the end."""
    return replace(path_, rest_after_mm=None)


def lying(coin: str, at: Point) -> Path:
    """Return a coin that never moved."""
    return Path(coin, (), (), at, 0.1, at, 0.1)


def episode(
    *paths: Path,
    hands: dict[str, tuple[float, float]] | None = None,
    course: Course | None = None,
    after: Course | None = None,
    edge: tuple[EdgeSide, ...] | None = None,
    hidden: dict[str, tuple[float, float]] | None = None,
    until_s: float = 1.0,
) -> Episode:
    """Return an episode of one second at 60 frames a second around the paths. `hands` and `hidden`
    give the first and last instant for each coin.
    """
    frames = tuple(Frame(k, k / FPS) for k in range(int(until_s * FPS)))
    hands, hidden = hands or {}, hidden or {}

    def within(span: tuple[float, float] | None) -> frozenset[int]:
        return frozenset(
            f.number for f in frames if span is not None and span[0] <= f.t_s <= span[1]
        )

    def rest(at: Point | None) -> Rest | None:
        return None if at is None else Rest(at, 0.1)

    tracks = tuple(
        CoinTrack(
            p.coin,
            rest(p.rest_before_mm),
            rest(p.rest_after_mm),
            p.sightings,
            within(hands.get(p.coin)),
            within(hidden.get(p.coin)),
        )
        for p in paths
    )
    before = course_at() if course is None else course
    hand = frozenset(n for t in tracks for n in t.hand_frames)
    sizes = PieceSizes(TILE_MM, 6.0, COIN_MM, 3.0)
    return Episode(
        frames,
        tracks,
        before,
        before if after is None else after,
        table_edge() if edge is None else edge,
        sizes,
        0.004,
        hand,
    )


def sure(incident: object) -> bool:
    """Whether an incident is given as certain: above the usual too-close band."""
    chance = getattr(incident, "probability", None)
    return chance is None or chance > 0.95
