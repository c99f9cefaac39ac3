"""Finds the lines beyond which the colours no longer look like the table."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MAJORITY
from calibration.table_edge.edge_line import LEAST_SEEN_MM, EdgeLine
from calibration.table_edge.table_similarity import BEYOND_MM, STEP_MM, SimilarityMap
from calibration.tiles.lost_tiles import TURNS_DEG
from referee.domain.geometry import Point

# Tuned on our own clips.

# the width of the strips on either side of a line whose colours are compared
BAND_MM: Final = 60.0
_LEAST_DROP: Final = 0.25  # the least fall of the similarity across an edge


def rough_side(seen: SimilarityMap, outward: Point) -> tuple[float, Point, Point] | None:
    """Return the line beyond which the table's colours end most clearly, as (drop, point, outward
    normal); None if there is no such line.
    """
    middle = seen.hull.mean(axis=0)
    best: tuple[float, Point, Point] | None = None
    for degrees in TURNS_DEG:
        turn = np.radians(degrees)
        normal = np.array(
            [
                np.cos(turn) * outward[0] - np.sin(turn) * outward[1],
                np.sin(turn) * outward[0] + np.cos(turn) * outward[1],
            ]
        )
        along = np.array([-normal[1], normal[0]])
        begin = float(((seen.hull - middle) @ normal).max())
        span = float(np.abs((seen.hull - middle) @ along).max()) + BAND_MM
        outs = middle + np.arange(0.0, begin + BEYOND_MM, STEP_MM)[:, None] * normal
        sides = np.arange(-span, span, STEP_MM)[:, None] * along
        columns, rows = (
            ((outs[:, None, k] + sides[None, :, k] - seen.begin_mm[k]) / STEP_MM).astype(np.float32)
            for k in range(2)
        )
        similarity = cv2.remap(seen.similarity, columns, rows, cv2.INTER_LINEAR)
        visible = cv2.remap(seen.visible, columns, rows, cv2.INTER_NEAREST)
        drop, distance = _drop(
            np.asarray(similarity, dtype=np.float32), np.asarray(visible, dtype=np.float32), begin
        )
        if drop > _LEAST_DROP and (best is None or drop > best[0]):
            spot = middle + normal * distance
            best = (drop, (float(spot[0]), float(spot[1])), (float(normal[0]), float(normal[1])))
    return best


def _drop(
    similarity: NDArray[np.float32], visible: NDArray[np.float32], begin_mm: float
) -> tuple[float, float]:
    """Find the clearest fall of the similarity along the first axis beyond `begin_mm`. Return how
    deep it is, weighted by the length of the line that is seen, and where it is, mm.
    """
    band = round(BAND_MM / STEP_MM)
    weight, value = visible.cumsum(axis=0), (similarity * visible).cumsum(axis=0)
    rows = np.arange(band, len(similarity) - band)
    (inner_weight, outer_weight), (inner, outer) = (
        (sums[band:-band] - sums[: -2 * band], sums[2 * band :] - sums[band:-band])
        for sums in (weight, value)
    )
    both = (inner_weight > band / 2) & (outer_weight > band / 2)
    falls = np.where(
        both, inner / np.maximum(inner_weight, 1) - outer / np.maximum(outer_weight, 1), 0.0
    )
    count = both.sum(axis=1)
    mean = falls.sum(axis=1) / np.maximum(count, 1)
    long_enough = count * STEP_MM > LEAST_SEEN_MM
    score = np.where(
        long_enough & (rows * STEP_MM > begin_mm + 2 * STEP_MM),
        mean * np.sqrt(count / similarity.shape[1]),
        0.0,
    )
    best = int(np.argmax(score))
    return (float(mean[best]) if score[best] > 0 else 0.0), float(rows[best]) * STEP_MM


def ends_there(seen: SimilarityMap, line: EdgeLine) -> bool:
    """Return whether the table's colours end along both halves of what is seen of a line. If not,
    the line may be a seam or the grain, which also make straight steps of brightness.
    """
    places = np.linspace(*line.seen_mm, 40)
    projections = np.array(line.point) + places[:, None] * np.array(line.along)
    found = []
    for out in (-2 * STEP_MM, 2 * STEP_MM):
        where = (
            (projections + out * np.array(line.outward) - np.array(seen.begin_mm)) / STEP_MM
        ).astype(np.float32)
        similarity = cv2.remap(
            seen.similarity, where[None, :, 0], where[None, :, 1], cv2.INTER_LINEAR
        )
        visible = cv2.remap(seen.visible, where[None, :, 0], where[None, :, 1], cv2.INTER_NEAREST)
        found.append(np.where(visible[0] > 0, similarity[0], np.nan))
    drops = found[0] - found[1]
    known = np.isfinite(drops)
    halves = np.array_split(drops[known], 2)
    enough = int(np.count_nonzero(known)) > MAJORITY * len(places)
    return enough and all(float(half.mean()) > _LEAST_DROP for half in halves)
