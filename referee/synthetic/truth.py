"""Writes the exact truth of a clip as plain values for truth.json: camera, course, incidents, and
the coins in every frame.
"""

from __future__ import annotations

import math
from typing import Any, Final

from referee.synthetic.pictures.film import FilmFrame, Shown
from referee.synthetic.pictures.sprites import stack_levels
from referee.synthetic.scenario.scene import Scene
from referee.synthetic.scenario.timeline import Timeline

_FRAME_TEXT: Final = (
    "millimetres; x to the right in the picture, y away from the camera, z up; origin in the middle"
    " of the table"
)


def rounded(value: Any, digits: int) -> Any:
    """Return the value with every float in it rounded."""
    if isinstance(value, float):
        return round(float(value), digits) + 0.0
    if isinstance(value, dict):
        return {k: rounded(v, digits) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(v, digits) for v in value]
    return value


def frame_truth(frame: FilmFrame) -> dict[str, Any]:
    """Return one frame's truth. `t_s` is when its shutter opens, `t_seen_s` the middle of the
    exposure.
    """
    out: dict[str, Any] = {
        "i": frame.number,
        "t_s": round(frame.t_s, 6),
        "hand": frame.hand,
        "coins": {c: _coin(s) for c, s in frame.coins.items()},
    }
    if frame.moved_tiles:
        out["moved_tiles"] = {
            n: {"mm": rounded([*t.centre_mm, 0.0], 3), "rot_deg": round(t.rotation_deg, 3)}
            for n, t in frame.moved_tiles.items()
        }
    return out


def _coin(shown: Shown) -> dict[str, Any]:
    return {
        "t_seen_s": round(shown.t_seen_s, 6),
        "mm": rounded(shown.place_mm[:2], 3),
        "px_top": rounded(shown.px_top, 3),
        "state": shown.state,
        "speed_mm_s": round(shown.speed_mm_s, 1),
        "visible": round(shown.visible, 3),
    }


def _camera(scene: Scene) -> dict[str, Any]:
    camera, view = scene.camera, scene.view
    return {
        "model": "opencv_brown_conrady",
        "width": camera.width,
        "height": camera.height,
        "K": camera.matrix.tolist(),
        "dist_k1k2p1p2k3": list(camera.distortion),
        "R_world_to_cam": rounded(view.R_camera_table.tolist(), 7),
        "t_world_to_cam_mm": rounded(view.t_camera_table_mm.tolist(), 6),
        "position_mm": rounded(view.position_mm.tolist(), 6),
        "tilt_from_vertical_deg": round(math.degrees(math.acos(-view.R_camera_table[2, 2])), 6),
        "pixel_convention": "integer coordinates at pixel centres, v down",
    }


def _tiles(scene: Scene) -> list[dict[str, Any]]:
    out = []
    for name, tile in scene.course.tiles.items():
        for level, one in enumerate(stack_levels(tile, scene.stack_offsets.get(name, ()))):
            out.append(
                {
                    "tile": name,
                    "level": level,
                    "centre_mm": list(one.centre_mm),
                    "rotation_deg": one.rotation_deg,
                }
            )
    return out


def truth_of(scene: Scene, timeline: Timeline, frames: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a clip's whole truth. `frames` are those that `frame_truth` gives."""
    lines = [
        {"line": name, "left_mm": list(line.left_mm), "right_mm": list(line.right_mm)}
        for name, line in scene.course.lines.items()
    ]
    return {
        "game": scene.game,
        "frame": _FRAME_TEXT,
        "camera": _camera(scene),
        "table_edge_mm": rounded([list(p) for p in scene.outline_mm], 3),
        "left_endpost": f"{scene.left_endpost} in the picture",
        "mirrored": scene.mirrored,
        "sizes": {
            "tile_mm": scene.sizes.tile_mm,
            "tile_thickness_mm": scene.sizes.tile_thickness_mm,
            "coin_mm": scene.sizes.coin_mm,
            "coin_thickness_mm": scene.sizes.coin_thickness_mm,
        },
        "tiles": rounded(_tiles(scene), 4),
        "lines": rounded(lines, 4),
        "incidents": rounded(timeline.incidents, 5),
        "near_misses": rounded(timeline.near_misses, 4),
        "tile_contacts": rounded(timeline.tile_contacts, 6),
        "tile_restored": rounded(timeline.tile_restored, 4),
        **({"declarations": rounded(timeline.declarations, 5)} if timeline.declarations else {}),
        "rest": rounded(timeline.rest, 5),
        "frames": frames,
    }
