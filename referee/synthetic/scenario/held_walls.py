"""A hand that presses a wall of Carroms down while others play, so that no coin can move the
wall.
"""

from __future__ import annotations

import math

from referee.domain.geometry import Point, scale, subtract, unit
from referee.synthetic.scenario.hand import HIGH_MM, Key, Visit, away
from referee.synthetic.scenario.scene import Hold, Scene
from referee.synthetic.scenario.timeline import Held, Timeline


def hold_wall(scene: Scene, timeline: Timeline, action: Hold) -> None:
    """Lay a hand on the middle of a wall, and note that its player holds it. The arm comes from
    behind the wall. Raises ValueError if a hand already holds it.
    """
    begins = f"wall-{action.wall.lower()}-"
    tiles = tuple(name for name in timeline.first_tiles if name.startswith(begins))
    if timeline.held(action.at_s) & set(tiles):
        raise ValueError(f"at_s: a hand already holds wall {action.wall}")
    at = [timeline.tile(name, action.at_s).centre_mm for name in tiles]
    middle: Point = (sum(x for x, _ in at) / len(at), sum(y for _, y in at) / len(at))
    inward = unit(subtract(_board_middle(timeline), middle))
    arm_deg = action.arm_deg
    if arm_deg is None:
        arm_deg = math.degrees(math.atan2(inward[1], inward[0]))
    on_mm = scene.sizes.tile_thickness_mm
    start = away(scene.view, middle, arm_deg, HIGH_MM)
    keys = (
        Key(action.at_s - scene.come_s, start, HIGH_MM),
        Key(action.at_s, middle, on_mm),
        Key(action.until_s, middle, on_mm),
        Key(action.until_s + scene.go_s, start, HIGH_MM),
    )
    if keys[0].t_s < 0 and not scene.hand_at_start:
        raise ValueError(
            f"at_s: the hand would have to set out {-keys[0].t_s:.2f} s before the clip begins"
        )
    timeline.holds.append(Held(Visit(keys, arm_deg), tiles, action.at_s, action.until_s))
    by = {} if action.player is None else {"player": action.player}
    timeline.declarations.append({"t_s": action.at_s, "kind": "hold", "walls": [action.wall], **by})


def _board_middle(timeline: Timeline) -> Point:
    centres = [tile.centre_mm for tile in timeline.first_tiles.values()]
    total = (sum(x for x, _ in centres), sum(y for _, y in centres))
    return scale(total, 1.0 / len(centres))
