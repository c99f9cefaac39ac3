"""Makes a random table of `traced_scenes` hard to see on purpose, because random draws make each
kind of hard table too seldom to measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

HARD: Mapping[str, Mapping[str, Any]] = {
    "bump": {}, "shake": {}, "low": {},
    "walnut": {"surface": "walnut", "tile": "walnut", "coin": "walnut"},
    "pale": {"surface": "laminate", "tile": "paper", "coin": "paper", "tint": (205, 230)},
    "cheques": {"surface": "cloth"}, "painted": {"coin": "solid"},
    "faded": {"palette": "faded", "tile": "paper", "coin": "paper"}, "shadows": {},
}  # fmt: skip
LOW_DEG = (45.0, 49.0)  # how high above the table a low camera stands
BUMP_DEG = (0.1, 0.6)  # some 2 to 12 pixels at the middle of the picture
AFTER_FLICK_S = (0.15, 0.9)  # when a camera is bumped or shakes: while a coin slides, or after

Plain = dict[str, Any]


def make_hard(rng: np.random.Generator, scene: Plain, kind: str) -> None:
    """Change a drawn table into one that is hard to see in the way that `kind` says."""
    chosen, pieces, table = HARD[kind], scene["pieces"], scene["table"]
    table["surface"] = chosen.get("surface", table["surface"])
    if "tint" in chosen:
        table["tint"] = [int(v) for v in rng.integers(*chosen["tint"], 3)]
    elif "surface" in chosen:
        table.pop("tint", None)
    pieces["tile_style"] = chosen.get("tile", pieces["tile_style"])
    pieces["coin_style"] = chosen.get("coin", pieces["coin_style"])
    pieces["palette"] = chosen.get("palette", pieces["palette"])
    if kind == "shadows":
        scene["lights"] |= {"window": 1.6, "lamp": 0.1, "ambient": 0.5,
                            "window_el_deg": round(float(rng.uniform(8, 16)), 1)}  # fmt: skip
    names = (table["surface"], pieces["tile_style"], pieces["coin_style"], pieces["palette"])
    scene["name"] = "-".join((scene["name"].partition("-")[0], kind, *names))


def camera_move(rng: np.random.Generator, kind: str, flicks_s: Sequence[float]) -> Plain:
    """Return how the camera is bumped, or shakes, a little after a flick."""
    turn = rng.normal(size=3) * (1.0, 1.0, 0.3)
    turn *= rng.uniform(*BUMP_DEG) / np.linalg.norm(turn)
    action = "camera_nudge" if kind == "bump" else "camera_shake"
    at_s = float(rng.choice(flicks_s) + rng.uniform(*AFTER_FLICK_S))
    return {"t": round(at_s, 3), "action": action, "rot_deg": [round(float(v), 3) for v in turn]}
