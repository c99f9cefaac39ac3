"""Episodes made from a bundled clip's true motions, with a camera's errors, and what truly happened
in each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np

from referee.domain.episode import CoinTrack, Episode, Frame, Rest, Stretches
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import Sighting
from referee.domain.table_edge import EdgeSide

SIGMA_MM = 0.7
REST_SIGMA_MM = 0.15
PAD = 14  # frames without motion on either side
SEEN = 0.6  # this share of a coin must be visible for the camera to find it
CLEAR_MM = 2.0
CLEAR_MM_S = 80.0


def shots_of(
    truth: dict[str, Any], exposure_s: float, seed: int
) -> Iterator[tuple[Episode, float, float]]:
    """Yield the clip's episodes from rest to rest, each with its first and last instant."""
    rng = np.random.default_rng(seed)
    frames = truth["frames"]
    middle = next(
        next(iter(f["coins"].values()))["t_seen_s"] - f["t_s"] for f in frames if f["coins"]
    )
    moving = [
        any(c["speed_mm_s"] > 0 or c["state"] in ("carried", "pushed") for c in f["coins"].values())
        for f in frames
    ]
    k = 0
    while k < len(frames):
        if not moving[k]:
            k += 1
            continue
        last = k
        while any(moving[last + 1 : last + PAD]):
            last = max(j for j in range(last + 1, min(last + PAD, len(frames))) if moving[j])
        low, high = max(0, k - PAD), min(len(frames) - 1, last + PAD)
        yield (
            _episode(truth, low, high, exposure_s, middle, rng),
            frames[low]["t_s"],
            frames[high]["t_s"],
        )
        k = last + 1


def _episode(
    truth: dict[str, Any],
    low: int,
    high: int,
    exposure_s: float,
    middle: float,
    rng: np.random.Generator,
) -> Episode:
    frames = [Frame(k, truth["frames"][k]["t_s"] + middle) for k in range(low, high + 1)]
    tiles = {
        t["tile"]: Tile((t["centre_mm"][0], t["centre_mm"][1]), t["rotation_deg"])
        for t in truth["tiles"]
        if t["level"] == 0
    }
    course = Course(MappingProxyType(tiles), truth["sizes"]["tile_mm"])
    corners = [(p[0], p[1]) for p in truth["table_edge_mm"]]
    edge = tuple(
        EdgeSide(a, b, 1.0, 0.0, 1.0)
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    )
    coins = sorted({c for f in truth["frames"] for c in f["coins"]})
    tracks = tuple(_track(truth, coin, frames, rng) for coin in coins)
    hand = frozenset(f.number for f in frames if truth["frames"][f.number]["hand"])
    return Episode(
        tuple(frames), tracks, course, course, edge, PieceSizes(**truth["sizes"]), exposure_s, hand
    )


def _track(
    truth: dict[str, Any], coin: str, frames: list[Frame], rng: np.random.Generator
) -> CoinTrack:
    def state(frame: Frame) -> dict[str, Any] | None:
        found: dict[str, Any] | None = truth["frames"][frame.number]["coins"].get(coin)
        return found

    def near(mm: list[float], sigma: float) -> tuple[float, float]:
        return (mm[0] + float(rng.normal(0, sigma)), mm[1] + float(rng.normal(0, sigma)))

    def rest(found: dict[str, Any] | None) -> Rest | None:
        return (
            None
            if found is None or found["state"] == "off_table"
            else Rest(near(found["mm"], REST_SIGMA_MM), REST_SIGMA_MM)
        )

    hand, hidden, sightings = set(), set(), []
    for frame in frames:
        found = state(frame)
        if found is None:
            continue
        if found["visible"] < 0.97 and truth["frames"][frame.number]["hand"]:
            hand.add(frame.number)
        if found["visible"] < SEEN or found["state"] == "off_table":
            hidden.add(frame.number)
        elif found["speed_mm_s"] > 0 or found["state"] == "carried":
            sightings.append(
                Sighting(coin, frame.number, frame.t_s, near(found["mm"], SIGMA_MM), SIGMA_MM)
            )

    return CoinTrack(
        coin,
        rest(state(frames[0])),
        rest(state(frames[-1])),
        tuple(sightings),
        frozenset(hand),
        frozenset(hidden),
        hand_after_s=_hand_over(truth, coin, frames, state(frames[-1])),
    )


def _hand_over(
    truth: dict[str, Any], coin: str, frames: list[Frame], lying: dict[str, Any] | None
) -> Stretches | None:
    """Return when a hand covered a coin that was within half its width of a place; None where it
    was not on the table then.
    """
    if lying is None:
        return None
    found: list[tuple[float, float]] = []
    for a, b in pairwise(frames):
        seen = truth["frames"][a.number]
        at = seen["coins"].get(coin)
        if at is None or not seen["hand"] or at["visible"] >= 0.97:
            continue
        if math.dist(at["mm"], lying["mm"]) < truth["sizes"]["coin_mm"] / 2:
            on = bool(found) and found[-1][1] == a.t_s
            found[-1:] = [(found[-1][0], b.t_s)] if on else [*found[-1:], (a.t_s, b.t_s)]
    return tuple(found)


def happened(
    truth: dict[str, Any], first_s: float, last_s: float
) -> list[tuple[tuple[str, ...], float, bool]]:
    """Return what truly happened to coins between two instants, in order: the names that the
    detectors' tests use, the time, and whether it is clear.
    """
    kinds = {
        "flicked": "Flicked",
        "line_crossed": "LineCrossed",
        "contact": "Contact",
        "left_table": "LeftTable",
        "placed": "Placed",
        "pocketed": "Pocketed",
    }
    found = []
    for i in sorted(truth["incidents"], key=lambda i: float(i["t_s"])):
        if i["kind"] in kinds and first_s <= i["t_s"] <= last_s + 0.2:
            other = i.get("with", i.get("line", ""))
            clear = (
                i["closing_mm_s"] >= CLEAR_MM_S
                if i["kind"] == "contact"
                else i.get("margin_mm", 99.0) >= CLEAR_MM
            )
            found.append(
                (
                    tuple(x for x in (kinds[i["kind"]], i["coin"], other) if x),
                    float(i["t_s"]),
                    clear,
                )
            )
    return found
