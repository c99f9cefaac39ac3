"""Draws the hand: limbs as rounded bodies with light on them, their shadow, and the blur of their
motion.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.synthetic.pictures.faces import linear
from referee.synthetic.pictures.lighting import cast, develop
from referee.synthetic.pictures.sprites import Array, Box, box_round, hull
from referee.synthetic.scenario.hand import TIP_MM, HandPose, Limb, in_field, limbs
from referee.synthetic.scenario.scene import Light

_LEVELS: Final = 6
_RING: Final = np.column_stack(
    (np.cos(np.arange(20) * np.pi / 10), np.sin(np.arange(20) * np.pi / 10))
)
_SHADOW_SHRINK: Final = 4
_MATERIALS: Final = {
    "skin": ((62, 92, 158), (122, 164, 222)),
    "sleeve": ((70, 40, 26), (128, 84, 52)),
}
_NAIL: Final = (176, 190, 236)


@dataclass(frozen=True)
class HandPicture:
    """A hand as a sprite of a frame: its box, its display colours multiplied by its cover (h, w,
    3), and its cover (h, w), both 0 to 255.
    """

    box: Box
    colour: NDArray[np.uint8]
    cover: NDArray[np.uint8]


def _palette(gain: float) -> dict[str, list[tuple[int, ...]]]:
    out = {}
    for material, (dark, bright) in _MATERIALS.items():
        steps = [
            linear(dark) * 0.45 * (1 - s) + linear(bright) * s for s in np.linspace(0, 1, _LEVELS)
        ]
        out[material] = [
            tuple(int(v) for v in develop(np.asarray(c * gain, dtype=np.float32))) for c in steps
        ]
    out["nail"] = [
        tuple(int(v) for v in develop(np.asarray(linear(_NAIL) * gain, dtype=np.float32)))
    ]
    return out


def _in_field(view: TableView, pose: HandPose) -> list[Limb]:
    """Return the hand's pieces within the camera's field of view. A limb is cut where it leaves the
    field.
    """
    out = []
    for limb in limbs(pose):
        near = in_field(view, limb.balls_mm)
        if near.sum() > 1:
            out.append(Limb(limb.material, limb.balls_mm[near], limb.radii_mm[near], limb.solid))
    return out


def _image_balls(view: TableView, limb: Limb) -> tuple[Array, Array]:
    depth = limb.balls_mm @ view.R_camera_table[2] + view.t_camera_table_mm[2]
    return view.to_image(limb.balls_mm), limb.radii_mm * view.camera.fx_px / depth


def _pieces(points: Array, radii: Array, solid: bool) -> list[Array]:
    """Return the outlines of a limb: one for each neighbouring pair of balls, or one around all of
    them.
    """
    rings = [p + _RING * r for p, r in zip(points, radii, strict=True)]
    if solid:
        return [hull(np.concatenate(rings))]
    return [hull(np.concatenate(pair)) for pair in pairwise(rings)]


def _fill(image: NDArray[np.uint8], outline: Array, value: int | tuple[int, ...]) -> None:
    cv2.fillConvexPoly(image, np.round(outline * 16).astype(np.int32), value, cv2.LINE_AA, 4)


def draw_hand(
    view: TableView, light: Light, gain: float, pose: HandPose, smear_px: tuple[float, float]
) -> HandPicture | None:
    """Draw the hand in a pose, blurred by its motion during the exposure; None when it is outside
    the picture.
    """
    body = [(limb, *_image_balls(view, limb)) for limb in _in_field(view, pose)]
    if not body:
        return None
    reach = np.concatenate([np.concatenate((p - r[:, None], p + r[:, None])) for _, p, r in body])
    box = box_round(reach, 4 + max(abs(smear_px[0]), abs(smear_px[1]))).within(
        view.camera.width, view.camera.height
    )
    if box.empty:
        return None
    palette = _palette(gain)
    layer = np.zeros((box.bottom - box.top, box.right - box.left, 4), dtype=np.uint8)
    toward = view.to_image(
        np.array(
            [
                [*pose.tip_mm, 0.0],
                [
                    pose.tip_mm[0] + 0.02 * light.lamp_mm[0] - 0.02 * pose.tip_mm[0],
                    pose.tip_mm[1] + 0.02 * light.lamp_mm[1] - 0.02 * pose.tip_mm[1],
                    20.0,
                ],
            ]
        )
    )
    step = toward[1] - toward[0]
    step = step / max(1e-6, float(np.hypot(*step)))
    for limb, points, radii in body:
        for level in range(_LEVELS):
            share = 1 - 0.16 * level
            for outline in _pieces(
                points - (box.left, box.top) + step * radii[:, None] * 0.09 * level,
                radii * share,
                limb.solid,
            ):
                _fill(layer, outline, (*palette[limb.material][level], 255))
    if body[-1][0].radii_mm[-1] == TIP_MM:
        _nail(layer, body[-1], box, palette["nail"][0])
    soft = np.asarray(cv2.GaussianBlur(layer, (0, 0), 1.3), dtype=np.uint8)
    return _smeared(HandPicture(box, soft[..., :3], soft[..., 3]), smear_px)


def _nail(
    layer: NDArray[np.uint8], finger: tuple[Limb, Array, Array], box: Box, colour: tuple[int, ...]
) -> None:
    _, points, radii = finger
    along = points[-1] - points[-2]
    along = along / max(1e-6, float(np.hypot(*along)))
    centre = points[-1] + along * radii[-1] * 0.25 - (box.left, box.top)
    across = np.array([-along[1], along[0]])
    _fill(
        layer,
        centre + _RING[:, :1] * along * radii[-1] * 0.55 + _RING[:, 1:] * across * radii[-1] * 0.5,
        (*colour, 255),
    )


def _smeared(hand: HandPicture, smear_px: tuple[float, float]) -> HandPicture:
    steps = min(6, int(np.ceil(np.hypot(*smear_px) / 2)))
    if steps < 2:
        return hand
    layer = np.dstack((hand.colour, hand.cover))
    total = np.zeros(layer.shape, dtype=np.float32)
    for share in np.linspace(-0.5, 0.5, steps):
        shift = np.array(
            [[1, 0, share * smear_px[0]], [0, 1, share * smear_px[1]]], dtype=np.float32
        )
        cv2.accumulate(
            cv2.warpAffine(layer, shift, layer.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), total
        )
    mean = (total / steps).astype(np.uint8)
    return HandPicture(hand.box, mean[..., :3], mean[..., 3])


def draw_shadow(
    view: TableView, light: Light, pose: HandPose
) -> tuple[Box, NDArray[np.float32]] | None:
    """Return the share of the lamp's light that a hand takes from the table, 0 to 1, and where. The
    shadow is soft, so it is drawn at a low resolution.
    """
    outlines = []
    for limb in _in_field(view, pose):
        balls, radii = limb.balls_mm, limb.radii_mm
        flat = _RING * radii[:, None, None] + balls[:, None, :2]
        high = np.repeat(balls[:, 2], len(_RING))
        shade = view.to_image(cast(light, np.column_stack((flat.reshape(-1, 2), high))))
        rings = list(shade.reshape(len(balls), -1, 2))
        outlines += (
            [hull(np.concatenate(rings))]
            if limb.solid
            else [hull(np.concatenate(p)) for p in pairwise(rings)]
        )
    if not outlines:
        return None
    whole = box_round(np.concatenate(outlines), 24).within(view.camera.width, view.camera.height)
    s = _SHADOW_SHRINK
    box = Box(whole.left // s * s, whole.top // s * s, whole.right // s * s, whole.bottom // s * s)
    if box.empty:
        return None
    mask = np.zeros(((box.bottom - box.top) // s, (box.right - box.left) // s), dtype=np.uint8)
    for outline in outlines:
        _fill(mask, (outline - (box.left, box.top)) / s, 255)
    soft = cv2.GaussianBlur(mask, (0, 0), 2.2)
    wide = cv2.resize(
        soft, (box.right - box.left, box.bottom - box.top), interpolation=cv2.INTER_LINEAR
    )
    return box, np.asarray(wide / np.float32(255), dtype=np.float32)
