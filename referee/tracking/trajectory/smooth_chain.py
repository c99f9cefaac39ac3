"""A coin's free slides, one after another, between two moments in which a hand had it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from referee.domain.episode import Rest
from referee.tracking.trajectory.runs import Floats, Seen


@dataclass(frozen=True, slots=True)
class Chain:
    """Free slides of one coin, one after another with no hand in between, as a draft for the joint
    fit.

    Run r begins at `begins_s[r]` with `velocities` row r (k, 2); the first begins at `start_mm`.
    `windows_s` say between which instants each run may have begun. `anchor` is where the coin lay
    before (None: the first sighting begins the chain), `goal` where it lay afterwards. `met` is
    filled in when it has been worked out what was met.
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
        """Return the chain with one more run, inserted as number `index`."""
        return replace(
            self,
            begins_s=(*self.begins_s[:index], begin_s, *self.begins_s[index:]),
            velocities=np.insert(self.velocities, index, velocity, axis=0),
            windows_s=(*self.windows_s[:index], window_s, *self.windows_s[index:]),
            met=(*self.met[:index], met, *self.met[index:]),
        )

    def without_run(self, index: int) -> Chain:
        """Return the chain without run number `index`: the run before it continues."""
        return replace(
            self,
            begins_s=(*self.begins_s[:index], *self.begins_s[index + 1 :]),
            velocities=np.delete(self.velocities, index, axis=0),
            windows_s=(*self.windows_s[:index], *self.windows_s[index + 1 :]),
            met=(*self.met[:index], *self.met[index + 1 :]),
        )

    def with_met(self, index: int, names: tuple[str, ...]) -> Chain:
        """Return the chain with what the coin met when run `index` began."""
        return replace(self, met=(*self.met[:index], names, *self.met[index + 1 :]))
