"""Describes a hand that reaches in: its shape in millimetres, as balls joined to fingers, palm and
arm, and its visits to the table.

In its own frame the hand points along x, y is to its left, and z is up from the table. The origin
is on the table under the index fingertip.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Point

Array = NDArray[np.float64]

#: How far a flick straightens the index finger, mm, and the radius of its tip.
REACH_MM: Final = 24.0
TIP_MM: Final = 7.0
HIGH_MM: Final = 30.0  # Chosen: the height at which a hand comes in and leaves

#: Limbs in drawing order: name, material, and balls (x, y, z, radius). Each neighbouring pair of
#: balls makes a piece.
_LIMBS: Final[tuple[tuple[str, tuple[tuple[float, float, float, float], ...]], ...]] = (
    ("skin", ((-118, -8, 36, 25), (-190, -8, 50, 27), (-235, -8, 60, 30))),
    (
        "sleeve",
        ((-196, -8, 54, 38), (-330, -10, 85, 44), (-760, -14, 170, 54), (-1500, -20, 250, 58)),
    ),
    (
        "skin",
        (
            (-118, 6, 34, 21),
            (-78, -44, 26, 11),
            (-72, -26, 30, 12),
            (-68, -8, 32, 12.5),
            (-66, 8, 31, 12),
        ),
    ),
    ("skin", ((-104, 16, 26, 14), (-70, 33, 17, 9.5), (-44, 30, 9, 8))),
    ("skin", ((-78, -46, 26, 10), (-52, -49, 22, 8), (-50, -48, 9, 6.5))),
    ("skin", ((-72, -28, 30, 11), (-40, -34, 26, 8.8), (-37, -34, 10, 7))),
    ("skin", ((-68, -9, 32, 11.5), (-32, -18, 28, 9), (-25, -18, 11, 7.2))),
)
_PALM: Final = 2
_STEP_MM: Final = 90.0
#: A point farther from the camera's axis than this, times its distance along the axis, is outside
#: any picture, and the lens model is not valid there.
_WIDE: Final = 1.35


@dataclass(frozen=True, slots=True)
class Limb:
    """One piece of the hand: its material, and its balls on the table (n, 3) in mm with their radii
    (n,).
    """

    material: str
    balls_mm: Array
    radii_mm: Array
    solid: bool


@dataclass(frozen=True, slots=True)
class HandPose:
    """A hand's pose. `tip_mm` is where the tip of the bent index finger rests, `lift_mm` how high
    the hand is lifted, `arm_deg` the arm's direction. `reach_mm` is how far the index finger is
    stretched out, and `reach_deg` in which direction.
    """

    tip_mm: Point
    lift_mm: float
    arm_deg: float
    reach_mm: float = 0.0
    reach_deg: float = 0.0


def limbs(pose: HandPose) -> list[Limb]:
    """Return the hand's pieces in its pose, in drawing order, with the index finger last."""
    turn = math.radians(pose.arm_deg)
    cos, sin = math.cos(turn), math.sin(turn)

    def laid(balls: Array) -> Array:
        xy = balls[:, :2] @ np.array([[cos, sin], [-sin, cos]]) + pose.tip_mm
        return np.column_stack((xy, balls[:, 2] + pose.lift_mm))

    out = []
    for number, (material, balls) in enumerate(_LIMBS):
        shape = (
            np.array(balls, dtype=np.float64)
            if number == _PALM
            else _stepped(np.array(balls, dtype=np.float64))
        )
        out.append(Limb(material, laid(shape), shape[:, 3], number == _PALM))
    bend = 1.0 - pose.reach_mm / REACH_MM
    index = np.array(
        [
            [-66, 9, 31, 11.5],
            [-30 + 8 * (1 - bend), 5, 24 + 6 * bend, 8.8],
            [0.0, 0.0, TIP_MM + 0.5, TIP_MM],
        ]
    )
    finger = laid(index)
    toward = math.radians(pose.reach_deg)
    finger[2, :2] += pose.reach_mm * np.array([math.cos(toward), math.sin(toward)])
    return [*out, Limb("skin", finger, index[:, 3], False)]


def _stepped(balls: Array) -> Array:
    """Return the same limb with balls at most _STEP_MM apart, (n, 4), so that the part outside the
    camera's field can be cut off.
    """
    parts = [balls[:1]]
    for a, b in pairwise(balls):
        count = max(1, int(np.ceil(np.hypot(*(b - a)[:2]) / _STEP_MM)))
        parts.append(a + (b - a) * (np.arange(1, count + 1) / count)[:, None])
    return np.concatenate(parts)


def in_field(view: TableView, points_mm: Array) -> NDArray[np.bool_]:
    """Return which points (n, 3) are in front of the camera and close enough to its axis for its
    lens model to be valid, (n,).
    """
    seen = points_mm @ view.R_camera_table.T + view.t_camera_table_mm
    return np.asarray(
        (seen[:, 2] > 100.0) & (np.hypot(seen[:, 0], seen[:, 1]) < _WIDE * seen[:, 2]),
        dtype=np.bool_,
    )


def in_sight(view: TableView, pose: HandPose) -> bool:
    """Return whether any part of the hand is in the picture."""
    camera = view.camera
    for limb in limbs(pose):
        near = in_field(view, limb.balls_mm)
        if near.any():
            balls, radii = limb.balls_mm[near], limb.radii_mm[near]
            px = view.to_image(balls)
            reach = (
                radii * camera.fx_px / (balls @ view.R_camera_table[2] + view.t_camera_table_mm[2])
                + _STEP_MM / 2
            )
            if (
                ((px > -reach[:, None]) & (px < (camera.width, camera.height) + reach[:, None]))
                .all(axis=1)
                .any()
            ):
                return True
    return False


@dataclass(frozen=True, slots=True)
class Key:
    """A moment of a visit: the place of the fingertip, its height, and how far the index finger is
    straightened.
    """

    t_s: float
    tip_mm: Point
    lift_mm: float
    reach_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit of a hand, from outside the picture and back. Between two keys it moves smoothly
    from rest to rest.
    """

    keys: tuple[Key, ...]
    arm_deg: float
    reach_deg: float = 0.0

    @property
    def begin_s(self) -> float:
        """Return when the hand, still outside the picture, starts to come in."""
        return self.keys[0].t_s

    @property
    def end_s(self) -> float:
        """Return when the hand is outside the picture again."""
        return self.keys[-1].t_s

    def pose(self, t_s: float) -> HandPose | None:
        """Return the hand's pose at `t_s`; None before and after the visit."""
        if not self.begin_s <= t_s <= self.end_s:
            return None
        after = next((i for i, k in enumerate(self.keys) if k.t_s > t_s), len(self.keys) - 1)
        a, b = self.keys[after - 1], self.keys[after]
        share = (t_s - a.t_s) / (b.t_s - a.t_s) if b.t_s > a.t_s else 1.0
        eased = share if b.reach_mm > a.reach_mm else share * share * (3 - 2 * share)
        mix = [
            p + (q - p) * eased
            for p, q in zip(
                (*a.tip_mm, a.lift_mm, a.reach_mm), (*b.tip_mm, b.lift_mm, b.reach_mm), strict=True
            )
        ]
        return HandPose((mix[0], mix[1]), mix[2], self.arm_deg, mix[3], self.reach_deg)


def away(view: TableView, tip_mm: Point, arm_deg: float, lift_mm: float = 25.0) -> Point:
    """Return the closest place back along the arm from `tip_mm` at which the whole hand is outside
    the picture.
    """
    back = math.radians(arm_deg)
    for distance in range(150, 2500, 25):
        place = (tip_mm[0] - distance * math.cos(back), tip_mm[1] - distance * math.sin(back))
        if not in_sight(view, HandPose(place, lift_mm, arm_deg)):
            return place
    raise ValueError("the hand cannot leave the picture on its arm's side")
