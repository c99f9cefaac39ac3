"""Holds what was measured for one clip or for all clips, and the required values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmarks.compare import Compared
from benchmarks.places import Moving, Points

REST_MEAN_MM, REST_MAX_MM = 0.7, 1.5
MOVING_RMS_MM = 2.0
HONEST = (0.7, 1.5)  # normalised error squared, over all clips
MEAN_FRAMES = 0.5  # crossings, contacts and falls, over all clips
LEAST_SEEN = 0.8  # of the frames in which a moving coin was visible

NOTHING = np.empty(0)


@dataclass(frozen=True)
class Measured:
    """One clip's outcome. Errors are arrays of mm with one value for each coin at rest, moving
    point, tile, or place on the edge. `scale_errors` are shares, one for each survey.

    `notes` are shortfalls that do not come from the comparison: a command that failed, or names
    that the referee had to ask for.
    """

    name: str
    frames_a_second: int
    compared: Compared
    rest_mm: Points
    moving: Moving
    course_mm: Points
    edge_mm: Points
    scale_errors: Points
    took_s: float
    notes: tuple[str, ...] = field(default=())
    ran: bool = True

    @property
    def moving_rms_mm(self) -> float:
        return (
            float(np.sqrt(np.mean(self.moving.errors_mm**2)))
            if len(self.moving.errors_mm)
            else float("nan")
        )

    @property
    def normalised(self) -> float:
        return (
            float(np.mean(self.moving.normalised)) if len(self.moving.normalised) else float("nan")
        )

    @property
    def seen_share(self) -> float:
        return (
            self.moving.seen_frames / self.moving.frames_in_sight
            if self.moving.frames_in_sight
            else float("nan")
        )

    def shortfalls(self) -> list[str]:
        """Return in words everything that misses the required values."""
        short = [*self.notes, *self.compared.shortfalls]
        if self.ran and not len(self.rest_mm):
            short.append("no coin at rest was recorded")
        if len(self.rest_mm) and float(np.mean(self.rest_mm)) > REST_MEAN_MM:
            short.append(f"at rest {np.mean(self.rest_mm):.2f} mm off on average")
        if len(self.rest_mm) and float(np.max(self.rest_mm)) > REST_MAX_MM:
            short.append(f"at rest {np.max(self.rest_mm):.2f} mm off at worst")
        if self.moving_rms_mm > MOVING_RMS_MM:
            short.append(f"moving {self.moving_rms_mm:.2f} mm off")
        if self.seen_share < LEAST_SEEN:
            short.append(
                f"seen in {100 * self.seen_share:.0f} % of the frames in which a moving coin was in"
                " sight"
            )
        return short


@dataclass(frozen=True)
class All(Measured):
    """All clips together. There are required values for the averages, too."""

    def shortfalls(self) -> list[str]:
        """Return in words the averages over all clips that miss the required values."""
        short = []
        if self.compared.off_frames and float(np.mean(self.compared.off_frames)) > MEAN_FRAMES:
            short.append(f"times {np.mean(self.compared.off_frames):.2f} frames off on average")
        if len(self.moving.normalised) and not HONEST[0] <= self.normalised <= HONEST[1]:
            short.append(
                f"normalised error squared {self.normalised:.2f}, honest is {HONEST[0]} to"
                f" {HONEST[1]}"
            )
        return short


def failed(name: str, why: str, took_s: float) -> Measured:
    """Return the outcome of a clip for which nothing could be measured."""
    nothing = Compared(0, 0, 0, 0, (), (), ())
    return Measured(
        name,
        0,
        nothing,
        NOTHING,
        Moving(NOTHING, NOTHING, 0, 0),
        NOTHING,
        NOTHING,
        NOTHING,
        took_s,
        (why,),
        ran=False,
    )


def pooled(rows: Sequence[Measured]) -> All:
    """Return all clips as one."""
    compared = [row.compared for row in rows]
    return All(
        name=f"all {len(rows)}",
        frames_a_second=0,
        compared=Compared(
            demanded=sum(c.demanded for c in compared),
            certain=sum(c.certain for c in compared),
            invented=sum(c.invented for c in compared),
            excused=sum(c.excused for c in compared),
            off_frames=tuple(t for c in compared for t in c.off_frames),
            hand_off_s=tuple(t for c in compared for t in c.hand_off_s),
            shortfalls=(),
        ),
        rest_mm=np.concatenate([row.rest_mm for row in rows]),
        moving=Moving(
            np.concatenate([row.moving.errors_mm for row in rows]),
            np.concatenate([row.moving.normalised for row in rows]),
            sum(row.moving.seen_frames for row in rows),
            sum(row.moving.frames_in_sight for row in rows),
        ),
        course_mm=np.concatenate([row.course_mm for row in rows]),
        edge_mm=np.concatenate([row.edge_mm for row in rows]),
        scale_errors=np.concatenate([row.scale_errors for row in rows]),
        took_s=sum(row.took_s for row in rows),
    )
