"""The truth of a drawn video of free play: where the discs are in each frame, and what happens."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.sliding_discs import Motion

if TYPE_CHECKING:
    from benchmarks.free_play_scenes import FreeScene


def truth_of(scene: FreeScene) -> dict[str, Any]:
    """Return the truth of a scene, as its file holds it."""
    times = [k / scene.fps + scene.exposure_s / 2 for k in range(scene.frames)]
    tracks = {}
    for name, motion in scene.motions.items():
        look = scene.looks[name]
        high = look.width_mm / 2 if look.material == "ball" else look.thickness_mm
        places = np.array([(*motion.place(t), high) for t in times])
        tracks[name] = np.round(scene.view.to_image(places), 2).tolist()
    return {
        "video": f"seed-{scene.seed:03d}.mp4",
        "fps": scene.fps,
        "size": [scene.view.camera.width, scene.view.camera.height],
        "table": scene.table,
        "exposure_s": round(scene.exposure_s, 5),
        "discs": {
            n: {"material": k.material, "width_mm": round(k.width_mm, 2)}
            for n, k in scene.looks.items()
        },
        "widths_px": {n: _width_px(scene, n) for n in scene.looks},
        "usual_mm": round(float(np.median([k.width_mm for k in scene.looks.values()])), 2),
        "tilt_deg": round(math.degrees(math.acos(-float(scene.view.R_camera_table[2, 2]))), 1),
        "events": _events(scene),
        "tracks": tracks,
    }


def _width_px(scene: FreeScene, name: str) -> float:
    at = scene.motions[name].place(0.0)
    return round(scene.looks[name].width_mm * scene.view.px_per_mm(at), 2)


def _events(scene: FreeScene) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = [
        {"type": "flick", "coin": name, "t_s": round(t_s, 4), **_figures(scene, name, t_s)}
        for name, t_s in scene.flicks
    ]
    events += [
        {"type": "contact", "coin": a, "with": b, "t_s": round(t, 4), "closing_mm_s": round(v, 1)}
        for t, a, b, v in scene.hits
    ]
    begins = [t for _, t in scene.flicks]
    for (name, t_s), end_s in zip(scene.flicks, [*begins[1:], math.inf], strict=True):
        events += _passes(scene, name, t_s, end_s)
    return sorted(events, key=lambda e: float(e["t_s"]))


def _figures(scene: FreeScene, name: str, from_s: float) -> dict[str, float]:
    """Return how far a flicked disc goes before the next flick, mm, and its top speed, mm/s."""
    until_s = min((t for _, t in scene.flicks if t > from_s), default=math.inf)
    motion = scene.motions[name]
    times = [from_s, *(t for t in motion.times_s if from_s < t < until_s)]
    ways = [math.dist(motion.place(a), motion.place(b)) for a, b in pairwise(times)]
    speeds = [way / (b - a) for way, (a, b) in zip(ways, pairwise(times), strict=True)]
    return {"length_mm": round(sum(ways), 1), "top_mm_s": round(max(speeds, default=0.0), 1)}


def _passes(scene: FreeScene, flicked: str, from_s: float, until_s: float) -> list[dict[str, Any]]:
    """Return the times at which discs crossed the line between two other discs. The line is taken
    from where these lay when the flick began.
    """
    found = []
    for a, b in combinations([n for n in scene.motions if n != flicked], 2):
        ends = np.array([scene.motions[n].place(from_s - 1e-6) for n in (a, b)])
        for name, motion in scene.motions.items():
            if name in (a, b):
                continue
            inside = [t for t in motion.times_s if from_s <= t < until_s]
            for t, margin in _crossed(motion, ends, inside):
                still = all(scene.motions[n].still_until(from_s, t) for n in (a, b))
                found.append(
                    {"type": "line_crossed", "coin": name, "line": [a, b], "t_s": round(t, 4),
                     "margin_mm": round(margin, 2), "ends_lie": still}
                )  # fmt: skip
    return found


def _crossed(
    motion: Motion, ends: np.typing.NDArray[np.float64], times: Sequence[float]
) -> list[tuple[float, float]]:
    """Return the times at which a disc's middle crosses a segment, each with the distance from the
    segment's nearer end. The distance is negative if the disc misses the segment, by less than 6
    mm.
    """
    along = ends[1] - ends[0]
    length = float(np.hypot(*along))
    along /= length
    normal = np.array([-along[1], along[0]])
    found = []
    places = np.array([motion.place(t) for t in times]).reshape(-1, 2) - ends[0]
    side = places @ normal
    for k in np.flatnonzero(side[:-1] * side[1:] < 0).tolist():
        share = float(side[k] / (side[k] - side[k + 1]))
        on = float((places[k] + share * (places[k + 1] - places[k])) @ along)
        margin = min(on, length - on)
        if margin > -6.0:
            found.append((times[k] + share * (times[k + 1] - times[k]), margin))
    return found
