"""Moves a rough side of the table to where the brightness across it changes most."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import RIM_SIGMA_MM
from calibration.lens.camera import TableView, in_front
from calibration.table_edge.edge_line import LEAST_SEEN_MM, EdgeLine
from calibration.table_edge.rough_side import BAND_MM
from calibration.table_edge.table_similarity import BEYOND_MM, STEP_MM
from calibration.tiles.bundle import usual_error
from calibration.tiles.rims import Light
from referee.domain.geometry import Point, add, scale, subtract, unit
from referee.domain.sighting import SEEN_SIGMAS

Array = NDArray[np.float64]


def close_side(light: Light, view: TableView, point: Point, outward: Point) -> EdgeLine | None:
    """Return the side near a rough line, given by a point (mm) and its unit normal away from the
    table. It is None if too little of the side is seen.

    `light` is `even_light` of the picture. The function does not decide whether the table's colours
    end there.
    """
    for times in (4, 8, 16):  # closer each time
        reach_mm = BAND_MM / times
        places, offsets, strength = _steps(light, view, point, outward, reach_mm, 2 * BEYOND_MM)
        if len(places) * STEP_MM < LEAST_SEEN_MM:
            return None
        offset, slope, sigma, on = _straight(places, offsets, strength)
        if on.sum() * STEP_MM < LEAST_SEEN_MM:
            return None
        turned = unit(subtract(outward, scale((-outward[1], outward[0]), slope)))
        point, outward = add(point, scale(outward, offset)), turned
    seen = places[on]
    return EdgeLine(point, outward, sigma, (float(seen.min()), float(seen.max())))


def _steps(
    light: Light, view: TableView, point: Point, outward: Point, reach_mm: float, span_mm: float
) -> Array:
    """Find, at n places along a line, where the brightness across the line changes most. Return an
    array (3, n): the distance along the line (mm), the distance outwards from it (mm), and the
    strength of the change.
    """
    normal, along = np.array(outward), np.array((-outward[1], outward[0]))
    step = 0.5
    end_mm = reach_mm + 3 * STEP_MM
    out = np.arange(-end_mm, end_mm, step)
    places = np.arange(-span_mm, span_mm, STEP_MM)
    points = np.array(point) + places[:, None, None] * along + out[None, :, None] * normal
    pixels = (
        in_front(view, points.reshape(-1, 2)).astype(np.float32).reshape(len(places), len(out), 2)
    )
    inside = (
        (pixels > 2).all(axis=2)
        & (pixels[..., 0] < light.shape[1] - 3)
        & (pixels[..., 1] < light.shape[0] - 3)
    )
    kept = inside.mean(axis=1) > 0.5
    if not kept.any():
        return np.zeros((3, 0))
    places, pixels, inside = places[kept], pixels[kept], inside[kept]
    seen = np.sqrt(cv2.remap(light, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR)).reshape(
        len(places), len(out), -1
    )
    seen = cv2.blur(seen.reshape(len(places), -1), (1, 5)).reshape(
        seen.shape
    )  # averaged along the edge, so that wood grain and carpet do not count
    width = round(STEP_MM / step)
    sums = np.cumsum(seen, axis=1)
    step_at = np.zeros(seen.shape[:2])
    fall = (sums[:, width:-width] - sums[:, : -2 * width]) - (
        sums[:, 2 * width :] - sums[:, width:-width]
    )
    step_at[:, width:-width] = np.abs(fall / width).sum(axis=2)
    covered = cv2.erode(inside.astype(np.uint8), np.ones((1, 2 * width + 3), dtype=np.uint8)) > 0
    step_at[~(covered & (np.abs(out) <= reach_mm))] = 0.0
    best = step_at.argmax(axis=1)
    strength = step_at[np.arange(len(best)), best]
    clear = strength > 0.5 * float(np.median(strength))
    return np.stack((places[clear], _peaks(step_at, best, out, step)[clear], strength[clear]))


def _peaks(step_at: Array, best: NDArray[np.int64], out: Array, step: float) -> Array:
    rows = np.arange(len(best))
    k = np.clip(best, 1, step_at.shape[1] - 2)
    before, here, after = step_at[rows, k - 1], step_at[rows, k], step_at[rows, k + 1]
    bend = before - 2 * here + after
    share = np.where(bend < -1e-9, 0.5 * (before - after) / np.minimum(bend, -1e-9), 0.0)
    return np.asarray(out[k] + np.clip(share, -1, 1) * step, dtype=np.float64)


def _straight(places: Array, offsets: Array, strength: Array) -> tuple[float, float, float, Array]:
    """Fit a straight line to offsets at places. Return its offset at the place 0, its slope, its
    error, and which places agree with it.

    First the line is found with which most places agree within a few millimetres. Then a line is
    fitted to those places by least squares.
    """
    generator, off_mm = np.random.default_rng(0), SEEN_SIGMAS * RIM_SIGMA_MM
    best = np.zeros(len(places), dtype=bool)
    for _ in range(200):
        i, j = generator.choice(len(places), 2, replace=False)
        slope = (offsets[j] - offsets[i]) / (places[j] - places[i])
        on = np.abs(offsets - offsets[i] - slope * (places - places[i])) < off_mm
        best = on if strength[on].sum() > strength[best].sum() else best
    for _ in range(3):
        slope, offset = np.polyfit(places[best], offsets[best], 1)
        left = offsets - offset - slope * places
        best = np.abs(left) < max(SEEN_SIGMAS * usual_error(left[best]), off_mm)
    noise = float(np.std(left[best]))
    return float(offset), float(slope), float(np.hypot(noise, RIM_SIGMA_MM)), best
