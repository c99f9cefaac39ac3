"""A coin's free slides, one after another, between two moments when a hand held it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from referee.domain.episode import Rest
from referee.tracking.trajectory.runs import Floats, Seen


@dataclass(frozen=True, slots=True)
class Chain:
    """Free slides of one coin, one after another without a hand in between, as a draft for the
    joint fit.

    Run r begins at `begins_s[r]` with the velocity in row r of `velocities` (k, 2). The first run
    begins at `start_mm`. `windows_s` are the earliest and latest instants at which each run may
    have begun. `anchor` is where the coin lay before (None: the chain begins at the first
    sighting), and `goal` where it lay afterwards. `met` lists what each run hit, once that is
    known.
    """

    coin: str
    seen: Seen
    begins_s: tuple[float, ...]
    velocities: Floats
    start_mm: Floats
    windows_s: tuple[tuple[float, float], ...]
    anchor: Rest | None
    goal: Rest | None
    met: tuple[tuple[str, ...], ...] = ()

    def with_run(
        self,
        index: int,
        begin_s: float,
        velocity: Floats,
        window_s: tuple[float, float],
        met: tuple[str, ...] = (),
    ) -> Chain:
        """Return the chain with one more run, inserted at `index`."""
        return replace(
            self,
            begins_s=(*self.begins_s[:index], begin_s, *self.begins_s[index:]),
            velocities=np.insert(self.velocities, index, velocity, axis=0),
            windows_s=(*self.windows_s[:index], window_s, *self.windows_s[index:]),
            met=(*self.met[:index], met, *self.met[index:]),
        )

    def without_run(self, index: int) -> Chain:
        """Return the chain without run `index`: the run before it continues."""
        return replace(
            self,
            begins_s=(*self.begins_s[:index], *self.begins_s[index + 1 :]),
            velocities=np.delete(self.velocities, index, axis=0),
            windows_s=(*self.windows_s[:index], *self.windows_s[index + 1 :]),
            met=(*self.met[:index], *self.met[index + 1 :]),
        )

    def with_met(self, index: int, names: tuple[str, ...]) -> Chain:
        """Return the chain with what the coin hit when run `index` began."""
        return replace(self, met=(*self.met[:index], names, *self.met[index + 1 :]))
