"""Learns from a picture what all its edges share: the blur, the line inked inside the rims, and by
how much all tiles look larger or smaller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import minimum_filter1d
from scipy.special import ndtr

from calibration.lens.camera import TableView
from calibration.tiles.rims import (
    INK_MM,
    Light,
    Profile,
    RimModel,
    even_light,
    rim_costs,
    tile_turn,
    top_height_mm,
)
from referee.domain.geometry import Point
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float64]

# Tuned on our own clips, except where a comment gives another source for a number.

_LEAN_STEP_MM: Final = 0.2
# In steps of 0.1 mm. A single rim may be a quarter of a millimetre off the common offset.
_SLACK_STEPS: Final = 5
_BLURS_PX: Final = (0.7, 0.9, 1.15, 1.5)
_FINE_INSETS: Final = (-0.004, -0.003, -0.002, -0.001, 0.0, 0.001, 0.002, 0.003, 0.004)
_FINE_BLURS: Final = (0.84, 0.89, 0.945, 1.0, 1.055, 1.11, 1.17)
_INSETS: Final = (0.026, 0.033, 0.040, 0.049, 0.062)  # of a tile's width
# Most backs have their border about two millimetres inside the rim of a two-inch tile.
_USUAL_INSET: Final = 0.038
_INSET_SPREAD: Final = 0.004
# The cost per profile for an inset that differs by that spread (logarithm of likelihood). It is
# enough to choose between insets that fit the picture almost equally well.
_INSET_WEIGHT: Final = 1.5
# The cost is limited to this, so that a set with its border elsewhere can outweigh it.
_INSET_WORST: Final = 15.0
# A line is accepted only if it makes each profile more likely by this much (natural logarithm).
_LINE_GAIN: Final = 8.0
_PROFILES: Final = 72
_LINE_BLURS_PX: Final = np.arange(0.5, 2.01, 0.1)
_FEWEST_LINES: Final = 12
_PEN: Final = 0.95  # a pen's line has soft sides: it looks a little more blurred than a rim
_ARM_REACH_MM: Final = 6.0
_BLEACHED: Final = float(
    even_light(np.full((1, 1), 246, dtype=np.uint8))[0, 0, 0]
)  # in faces this bright, the lines have lost their shape
#: How much farther outwards than usual profiles must reach.
OUTWARD_MM: Final = 1.5


@dataclass(frozen=True)
class Learnt:
    """The shared model, and how much farther out than expected rims lie: an amount at a middle, mm,
    and its slopes along x and y, mm per mm.
    """

    model: RimModel
    grown_mm: float
    slopes: tuple[float, float]
    middle_mm: Point

    def at(self, place_mm: Point) -> float:
        """Return how much farther out than expected a rim at a place is, mm."""
        return (
            self.grown_mm
            + self.slopes[0] * (place_mm[0] - self.middle_mm[0])
            + self.slopes[1] * (place_mm[1] - self.middle_mm[1])
        )


def _tables(
    profiles: Sequence[Profile], model: RimModel, reach_mm: float, outward_mm: float
) -> tuple[Array, Array]:
    """Return offsets (n,), and each profile's cost (profiles, n) of a rim within a quarter of a
    millimetre of each.
    """
    offsets: Array = np.zeros(1)
    rows = []
    for profile in profiles:
        offsets, costs = rim_costs(profile, model, reach_mm, outward_mm)
        rows.append(minimum_filter1d(costs, _SLACK_STEPS, mode="nearest"))
    return offsets, np.array(rows)


def _unusual(model: RimModel, tile_mm: float) -> float:
    """Return the prior cost of a line's inset, per profile (logarithm of likelihood)."""
    if model.inset_mm is None:
        return 0.0
    return min(
        _INSET_WORST,
        _INSET_WEIGHT * ((model.inset_mm / tile_mm - _USUAL_INSET) / _INSET_SPREAD) ** 2,
    )


def _field(
    profiles: Sequence[Profile], model: RimModel, reach_mm: float, lean_mm: float
) -> tuple[float, float, tuple[float, float], Point]:
    """Return the lowest cost over offsets that change evenly over the table, by up to `lean_mm` at
    its ends. Also return the amount, the slopes and the middle.
    """
    offsets, tables = _tables(profiles, model, reach_mm, OUTWARD_MM)
    places = np.array([p.middle_mm for p in profiles])
    middle = places.mean(axis=0)
    ends = np.maximum(np.abs(places - middle).max(axis=0), 1.0)
    shares = (places - middle) / ends
    leans = np.linspace(-lean_mm, lean_mm, 2 * round(lean_mm / _LEAN_STEP_MM) + 1)
    count = len(offsets)
    rows = np.arange(len(profiles))[:, None]
    best = (np.inf, 0.0, 0.0, 0.0)
    for along in leans:
        for across in leans:
            lean = np.rint((shares @ np.array([along, across])) / (offsets[1] - offsets[0])).astype(
                int
            )
            index = np.clip(np.arange(count)[None, :] + lean[:, None], 0, count - 1)
            total = tables[rows, index].sum(axis=0)
            k = int(np.argmin(total))
            if total[k] < best[0]:
                best = (float(total[k]), float(offsets[k]), float(along), float(across))
    return (
        best[0],
        best[1],
        (best[2] / float(ends[0]), best[3] / float(ends[1])),
        (float(middle[0]), float(middle[1])),
    )


def learn_rim_model(
    profiles: Sequence[Profile],
    tile_mm: float,
    reach_mm: float,
    lean_mm: float,
    blur_px: float | None = None,
) -> Learnt:
    """Learn the most likely model for profiles sampled `reach_mm` plus `OUTWARD_MM` outwards,
    together with the rims' offsets over the table (an error of a rough view).

    The model has a line inside the rims only where that makes the profiles much more likely.
    `blur_px` is given where the blur is known already.
    """
    some = profiles[:: max(1, len(profiles) // _PROFILES)]
    if not some:
        return Learnt(RimModel(), 0.0, (0.0, 0.0), (0.0, 0.0))

    def cost(model: RimModel) -> float:
        return _field(some, model, reach_mm, lean_mm)[0] + len(some) * _unusual(model, tile_mm)

    blurs = _BLURS_PX if blur_px is None else (blur_px,)
    plain = min((RimModel(b) for b in blurs), key=cost)
    lined = min(
        (RimModel(blur_px or min(plain.blur_px, 0.9), i * tile_mm) for i in _INSETS), key=cost
    )
    if blur_px is None:
        lined = min((RimModel(b, lined.inset_mm) for b in _BLURS_PX), key=cost)
        lined = min(
            (RimModel(lined.blur_px * share, lined.inset_mm) for share in _FINE_BLURS), key=cost
        )
    lined = min(
        (RimModel(lined.blur_px, (lined.inset_mm or 0.0) + d * tile_mm) for d in _FINE_INSETS),
        key=cost,
    )
    best = lined if cost(plain) - cost(lined) > _LINE_GAIN * len(some) else plain
    return Learnt(best, *_field(profiles, best, reach_mm, lean_mm)[1:])


def blur_of_lines(
    light: Light, view: TableView, tiles: Iterable[Tile], sizes: PieceSizes
) -> float | None:
    """Measure the picture's blur (px) on the lines of the cross on the tiles' backs; None where
    there is no such cross.

    The cross lies on open face, away from rims, walls and shadows, which could be mistaken for
    blur.
    """
    total, gain, count = np.zeros(len(_LINE_BLURS_PX)), 0.0, 0
    for tile in tiles:
        for at, light_there, px_per_mm in _across_cross(light, view, tile, sizes):
            if float(light_there.max()) > _BLEACHED:
                continue
            costs = np.array(
                [_line_cost(at, light_there, px_per_mm, blur) for blur in _LINE_BLURS_PX]
            )
            total += costs[:, 0]
            gain += float(costs[0, 1] - costs[:, 0].min())
            count += 1
    if count < _FEWEST_LINES or gain < _LINE_GAIN * count:
        return None
    best = int(np.clip(np.argmin(total), 1, len(total) - 2))
    before, here, after = total[best - 1 : best + 2]
    bend = before - 2 * here + after
    step = _LINE_BLURS_PX[1] - _LINE_BLURS_PX[0]
    return _PEN * float(
        _LINE_BLURS_PX[best] + (0.5 * (before - after) / bend * step if bend > 0 else 0.0)
    )


def _across_cross(
    light: Light, view: TableView, tile: Tile, sizes: PieceSizes
) -> Iterator[tuple[Array, Array, float]]:
    """Sample light across the four arms of a tile's cross: distances (n,) mm, light (n, channels),
    px per mm across the arm.
    """
    turn, height = tile_turn(tile), top_height_mm(tile, sizes)
    at = np.arange(-_ARM_REACH_MM, _ARM_REACH_MM + 1e-9, 0.3)
    for across, along in ((turn[:, 0], turn[:, 1]), (turn[:, 1], turn[:, 0])):
        for begin, end in ((-0.38, -0.1), (0.1, 0.38)):
            spread = np.linspace(begin, end, 32) * sizes.tile_mm
            grid = (
                np.array(tile.centre_mm)
                + at[:, None, None] * across
                + spread[None, :, None] * along
            )
            pixels = view.to_image(
                np.column_stack(
                    (grid.reshape(-1, 2), np.full(grid.shape[0] * grid.shape[1], height))
                )
            ).astype(np.float32)
            if (
                pixels.min() < 1
                or pixels[:, 0].max() > light.shape[1] - 2
                or pixels[:, 1].max() > light.shape[0] - 2
            ):
                continue
            pixels = pixels.reshape(len(at), 32, 2)
            seen = (
                cv2.remap(light, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR)
                .reshape(len(at), 32, -1)
                .mean(axis=1, dtype=np.float64)
            )
            scale = float(np.hypot(*(pixels[-1, 16] - pixels[0, 16]))) / (at[-1] - at[0])
            yield at, seen, scale


def _line_cost(at: Array, seen: Array, px_per_mm: float, blur_px: float) -> tuple[float, float]:
    """Return the costs (how unlikely they are) of a line with this blur at the best place near the
    middle, and of no line at all.
    """
    plain = np.column_stack((np.ones_like(at), at, at * at))

    def cost(shapes: Array) -> float:
        q, _ = np.linalg.qr(shapes)
        left = seen - q @ (q.T @ seen)
        return float(0.5 * len(at) * np.log((left**2).mean(axis=0) + 1e-6).sum())

    blur = blur_px / px_per_mm
    lines = (
        ndtr((at - d + INK_MM / 2) / blur) - ndtr((at - d - INK_MM / 2) / blur)
        for d in np.arange(-0.6, 0.61, 0.15)
    )
    return min(cost(np.column_stack((plain, line))) for line in lines), cost(plain)
