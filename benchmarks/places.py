"""Compares where coins, tiles and the table's edge were seen with where they truly were.

The truth and the run have different coordinate frames. Places are compared after one rigid fit
(rotation and shift, no scale, so that an error of scale is visible). Times are compared after one
shift of at most a frame for the whole clip: no video tells when its shutter opened, how long it
stayed open and how fast the sensor was read.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.table.surveyed_table import SurveyedTable

Points = NDArray[np.float64]
Fit = Callable[[Points], Points]

STILL_MM_S = 1.0
SHIFTS = 41  # tried, from a frame too early to a frame too late
MOVING_MM_S = 50.0  # a slower coin is almost at rest
FASTEST_MM_S = 3000.0  # the bar for moving coins applies up to this speed
PLAINLY_MOVING_MM_S = 100.0  # a visible coin at this speed or more should have been seen
IN_SIGHT = 0.8  # of the coin's face
NEAR_INSTANT_FRAMES = (
    0.3  # so close to a collision the exposure contains two motions, and its middle means nothing
)
EDGE_STEP_MM = 10.0
# points farther off than this are left out of the fit
GROSS_MM, GROSS_MEDIANS, GROSS_ROUNDS = 3.0, 3.0, 3
LEAST_OF_MOST = 3
# a tile farther off is not a tile of the survey, so it shows nothing about the scale
GROSS_TILE_MM = 12.0


@dataclass(frozen=True)
class TrueTrack:
    """One coin's truth, one row per frame: `t_s` the middle of the exposure, `at_mm` (n, 2),
    `speed_mm_s`, share `visible`, `state`.
    """

    t_s: Points
    at_mm: Points
    speed_mm_s: Points
    visible: Points
    state: tuple[str, ...]


@dataclass(frozen=True)
class Seen:
    """Where one coin was seen, from paths.csv, one row per point: `t_s` (n,), `at_mm` (n, 2), and
    the standard error `sigma_mm` (n,).
    """

    t_s: Points
    at_mm: Points
    sigma_mm: Points


@dataclass(frozen=True)
class Moving:
    """The errors of moving coins' places. `errors_mm` are the distances from the true places, and
    `normalised` the squares of these distances divided by twice the squared sigma. Coins were
    visible in `frames_in_sight` frames and were seen in `seen_frames` of them.
    """

    errors_mm: Points
    normalised: Points
    seen_frames: int
    frames_in_sight: int


def frame_time_s(truth: Mapping[str, Any]) -> float:
    """Return the median time between frames, s."""
    return float(np.median(np.diff([frame["t_s"] for frame in truth["frames"]])))


def true_tracks(truth: Mapping[str, Any]) -> dict[str, TrueTrack]:
    """Return every coin's truth by its name."""
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for frame in truth["frames"]:
        for coin, row in frame["coins"].items():
            rows.setdefault(coin, []).append(row)
    return {coin: _track(of) for coin, of in rows.items()}


def _track(rows: Sequence[Mapping[str, Any]]) -> TrueTrack:
    column = {
        key: np.array([row[key] for row in rows], dtype=np.float64)
        for key in ("t_seen_s", "mm", "speed_mm_s", "visible")
    }
    return TrueTrack(
        column["t_seen_s"],
        column["mm"],
        column["speed_mm_s"],
        column["visible"],
        tuple(row["state"] for row in rows),
    )


def rigid(from_mm: Points, to_mm: Points) -> Fit:
    """Return the rotation and shift that take `from_mm` (n, 2) closest to `to_mm` (n, 2), n >= 2
    (Kabsch 1976, without a reflection).
    """
    middle, goal = from_mm.mean(axis=0), to_mm.mean(axis=0)
    u, _, vt = np.linalg.svd((from_mm - middle).T @ (to_mm - goal))
    turn = u @ np.diag([1.0, np.sign(np.linalg.det(u @ vt))]) @ vt
    return lambda points: np.asarray(
        (np.asarray(points, dtype=np.float64).reshape(-1, 2) - middle) @ turn + goal,
        dtype=np.float64,
    )


def rigid_of_most(from_mm: Points, to_mm: Points) -> Fit:
    """Return the same as `rigid`, without points that are grossly wrong. A coin or tile mistaken
    for another must not spoil the fit of the others.
    """
    kept = np.ones(len(from_mm), dtype=np.bool_)
    for _ in range(GROSS_ROUNDS):
        off = np.linalg.norm(rigid(from_mm[kept], to_mm[kept])(from_mm) - to_mm, axis=1)
        better = off <= max(GROSS_MM, GROSS_MEDIANS * float(np.median(off)))
        if better.sum() < LEAST_OF_MOST:
            break
        kept = better
    return rigid(from_mm[kept], to_mm[kept])


def scale_error(table: SurveyedTable, truth: Mapping[str, Any]) -> float:
    """Return the error of the surveyed course's size, as a share: the ratio of its spread to the
    true spread, minus 1.
    """
    given, true = _tiles(table, truth)
    kept = np.linalg.norm(rigid_of_most(given, true)(given) - true, axis=1) < GROSS_TILE_MM
    spread = [
        float(np.sum((points[kept] - points[kept].mean(axis=0)) ** 2)) for points in (given, true)
    ]
    return float((spread[0] / spread[1]) ** 0.5 - 1.0)


def resting_places(
    record: Sequence[Mapping[str, Any]], tracks: Mapping[str, TrueTrack]
) -> tuple[Points, Points]:
    """Return recorded and true places (n, 2), mm, of the coins in every `at_rest` that truly lay
    still then.
    """
    given, true = [], []
    for entry in record:
        if entry.get("kind") != "at_rest":
            continue
        for coin, at_mm in entry["coins"].items():
            if coin not in tracks:
                continue
            track = tracks[coin]
            row = int(np.argmin(np.abs(track.t_s - entry["t_s"])))
            if track.speed_mm_s[row] < STILL_MM_S and track.state[row] == "rest":
                given.append(at_mm)
                true.append(track.at_mm[row])
    return np.array(given, dtype=np.float64).reshape(-1, 2), np.array(
        true, dtype=np.float64
    ).reshape(-1, 2)


def read_paths(file: Path, names: Mapping[str, str] | None = None) -> dict[str, Seen]:
    """Return the seen points of a paths.csv by coin, under the coins' true `names`. Raises OSError,
    KeyError or ValueError if the file is not a paths.csv.
    """
    rows: dict[str, list[tuple[float, ...]]] = {}
    with file.open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if row["seen"] == "1":
                coin = (names or {}).get(row["coin"], row["coin"])
                rows.setdefault(coin, []).append(
                    tuple(float(row[key]) for key in ("t_s", "x_mm", "y_mm", "sigma_mm"))
                )
    found = {coin: np.array(sorted(of), dtype=np.float64) for coin, of in rows.items()}
    return {coin: Seen(of[:, 0], of[:, 1:3], of[:, 3]) for coin, of in found.items()}


def instants(truth: Mapping[str, Any]) -> dict[str, Points]:
    """Return the instants at which each coin was flicked, hit something or fell. Its motion has a
    kink there.
    """
    kinks: dict[str, list[float]] = {}
    for what in (*truth["incidents"], *truth["tile_contacts"]):
        if what.get("kind") in ("flicked", "contact", "left_table", None):
            for coin in (what.get("coin"), what.get("with")):
                kinks.setdefault(str(coin), []).append(what["t_s"])
    return {coin: np.array(sorted(times)) for coin, times in kinks.items()}


def moving_errors(
    paths: Mapping[str, Seen],
    tracks: Mapping[str, TrueTrack],
    to_truth: Fit,
    kinks: Mapping[str, Points],
    frame_s: float,
) -> Moving:
    """Return the errors of moving coins' places, and in how many frames coins were seen and
    visible. All times are shifted by the amount that makes the error smallest.
    """
    tried = [
        _moving_errors(paths, tracks, to_truth, kinks, frame_s, float(shift_s))
        for shift_s in np.linspace(-frame_s, frame_s, SHIFTS)
    ]
    seen = [moving for moving in tried if len(moving.errors_mm)]
    unshifted = tried[SHIFTS // 2]
    return min(
        seen, key=lambda moving: float(np.square(moving.errors_mm).mean()), default=unshifted
    )


def _moving_errors(
    paths: Mapping[str, Seen],
    tracks: Mapping[str, TrueTrack],
    to_truth: Fit,
    kinks: Mapping[str, Points],
    frame_s: float,
    shift_s: float,
) -> Moving:
    errors: list[float] = []
    normalised: list[float] = []
    have = want = 0
    for coin, track in tracks.items():
        seen = paths.get(coin)
        at = np.flatnonzero(_in_sight(track))
        want += len(at)
        if seen is None:
            continue
        times_s = seen.t_s + shift_s
        have += sum(float(np.min(np.abs(times_s - t))) < 0.5 * frame_s for t in track.t_s[at])
        for t, place, sigma in zip(times_s, to_truth(seen.at_mm), seen.sigma_mm, strict=True):
            true = _true_place(track, float(t), kinks.get(coin, np.empty(0)), frame_s)
            if true is not None:
                off2 = float(np.sum((place - true) ** 2))
                errors.append(off2**0.5)
                normalised.append(off2 / (2.0 * sigma**2) if sigma > 0 else np.inf)
    return Moving(np.array(errors), np.array(normalised), have, want)


def _in_sight(track: TrueTrack) -> NDArray[np.bool_]:
    sliding = np.array([state == "sliding" for state in track.state])
    return np.asarray(
        sliding & (track.speed_mm_s > PLAINLY_MOVING_MM_S) & (track.visible > IN_SIGHT),
        dtype=np.bool_,
    )


def _true_place(track: TrueTrack, t_s: float, kinks: Points, frame_s: float) -> Points | None:
    """Return where the coin was at `t_s`, between two frames. None if it was slow, too fast, in
    a hand, off the table or hit something.
    """
    right = int(np.searchsorted(track.t_s, t_s))
    if not 0 < right < len(track.t_s):
        return None
    left = right - 1
    speed = float(np.interp(t_s, track.t_s, track.speed_mm_s))
    if not MOVING_MM_S < speed <= FASTEST_MM_S or {track.state[left], track.state[right]} & {
        "carried",
        "off_table",
    }:
        return None
    near = int(left if t_s - track.t_s[left] < track.t_s[right] - t_s else right)
    if np.any(np.abs(kinks - t_s) < NEAR_INSTANT_FRAMES * frame_s):
        return None
    if np.any((kinks >= track.t_s[left]) & (kinks <= track.t_s[right])):
        return track.at_mm[near] if abs(t_s - track.t_s[near]) < 5e-5 else None
    share = (t_s - track.t_s[left]) / (track.t_s[right] - track.t_s[left])
    return np.asarray(
        (1 - share) * track.at_mm[left] + share * track.at_mm[right], dtype=np.float64
    )


def course_fit(table: SurveyedTable, truth: Mapping[str, Any]) -> tuple[Fit, Points]:
    """Return the rigid fit of the surveyed tiles to the true ones, and their distances after it,
    mm. For a stack, the place of its lowest tile counts, because that is the tile that coins hit.
    """
    given, true = _tiles(table, truth)
    fit = rigid_of_most(given, true)
    return fit, np.linalg.norm(fit(given) - true, axis=1)


def _tiles(table: SurveyedTable, truth: Mapping[str, Any]) -> tuple[Points, Points]:
    """Return surveyed and true centres (n, 2), mm, of the same tiles."""
    true = {tile["tile"]: tile["centre_mm"] for tile in truth["tiles"] if tile["level"] == 0}
    names = [name for name in table.course.tiles if name in true]
    return np.array([table.course.tiles[n].centre_mm for n in names], dtype=np.float64), np.array(
        [true[n] for n in names], dtype=np.float64
    )


def edge_errors(table: SurveyedTable, truth: Mapping[str, Any], to_truth: Fit) -> Points:
    """Return the distances, mm, from the stretches of the edge that can be refereed to the true
    edge, every `EDGE_STEP_MM`.
    """
    corners = np.array(truth["table_edge_mm"], dtype=np.float64)
    errors = []
    for side in table.edge:
        begin, end = np.array(side.begin_mm), np.array(side.end_mm)
        steps = max(
            2, int(np.linalg.norm(end - begin) * (side.to_share - side.from_share) / EDGE_STEP_MM)
        )
        if side.to_share > side.from_share:
            shares = np.linspace(side.from_share, side.to_share, steps)[:, None]
            errors.append(_to_outline(to_truth(begin + shares * (end - begin)), corners))
    return np.concatenate(errors) if errors else np.empty(0)


def _to_outline(points: Points, corners: Points) -> Points:
    """Return the distances of points (n, 2) from a polygon's outline."""
    ways = []
    for begin, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = end - begin
        share = np.clip((points - begin) @ along / (along @ along), 0.0, 1.0)
        ways.append(np.linalg.norm(points - begin - share[:, None] * along, axis=1))
    return np.asarray(np.min(ways, axis=0), dtype=np.float64)
