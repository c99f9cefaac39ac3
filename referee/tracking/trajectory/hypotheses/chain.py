"""One coin's slides in a flick, one after another, between two moments at which the coin lay still
or a hand held it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from referee.domain.episode import Rest
from referee.domain.slide import speed_after_s, speed_over_mm, standing_after_s, way_mm
from referee.tracking.trajectory.hypotheses.runs import Floats, Seen

Window = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Chain:
    """Free slides of one coin (runs), one after another with no hand in between.

    Run r begins at `begins_s[r]` with the velocity in row r of `velocities` (k, 2). The first run
    begins at `start_mm`. `windows_s` are the earliest and latest instants at which each run may
    have begun. `anchor` is the place where the coin lay before (None: the coin comes out of a hand,
    and the chain begins at the first sighting), and `goal` the place where it lay afterwards. `met`
    lists, for each run, the coins and tiles that the coin hit when the run began. `seen` are the
    sightings that the chain explains.
    """

    coin: str
    seen: Seen
    begins_s: tuple[float, ...]
    velocities: Floats
    start_mm: Floats
    windows_s: tuple[Window, ...]
    anchor: Rest | None
    goal: Rest | None
    met: tuple[tuple[str, ...], ...] = ()

    @property
    def last_s(self) -> float:
        """Return the time of the chain's last sighting; if it has none, the time at which its last
        run began.
        """
        return max(self.begins_s[-1], float(self.seen.t_s[-1]) if len(self.seen.t_s) else 0.0)

    @property
    def key(self) -> tuple[object, ...]:
        """Return a key that is equal for two chains if a fit treats them the same."""
        rounded = tuple(np.round(self.velocities.ravel(), 1))
        times = tuple(round(t, 5) for t in self.begins_s)
        ends = (self.anchor, self.goal, len(self.seen.t_s))
        return (self.coin, times, rounded, ends, self.met, self.windows_s)

    def with_run(
        self, index: int, begin_s: float, velocity: Floats, window_s: Window, *met: str
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

    def with_first_run(
        self, begin_s: float, velocity: Floats, window_s: Window, turned_s: float, anchor: Rest
    ) -> Chain:
        """Return the chain with a new first run, which leads from the place of rest `anchor`. The
        run that was first until now begins at `turned_s`.
        """
        latest = float(self.begins_s[0])
        earliest = min(turned_s, latest) - (latest - turned_s)
        turned = replace(
            self,
            anchor=anchor,
            start_mm=np.asarray(anchor.at_mm),
            begins_s=(turned_s, *self.begins_s[1:]),
            windows_s=((earliest, max(latest, turned_s)), *self.windows_s[1:]),
        )
        return turned.with_run(0, begin_s, velocity, window_s)

    def out_of_hand(self, begin_s: float) -> Chain:
        """Return the chain changed so that the coin comes out of a hand at `begin_s`."""
        return replace(
            self,
            anchor=None,
            begins_s=(begin_s, *self.begins_s[1:]),
            windows_s=((begin_s, begin_s), *self.windows_s[1:]),
        )

    def meeting(self, index: int, *names: str) -> Chain:
        """Return the chain changed so that the coin also hit `names` when run `index` began."""
        met = (*self.met[index], *(n for n in names if n not in self.met[index]))
        return replace(self, met=(*self.met[:index], met, *self.met[index + 1 :]))

    def missing(self, index: int, name: str) -> Chain:
        """Return the chain changed so that the coin did not hit `name` when run `index` began."""
        met = tuple(n for n in self.met[index] if n != name)
        return replace(self, met=(*self.met[:index], met, *self.met[index + 1 :]))

    def starts(self, slowing: float) -> list[Floats]:
        """Return where each run begins, (2,) each."""
        at = [np.asarray(self.start_mm, dtype=np.float64)]
        for r, begin_s in enumerate(self.begins_s[1:]):
            at.append(
                carried_on(
                    self.begins_s[r], at[-1], self.velocities[r], slowing, np.array([begin_s])
                )[0]
            )
        return at

    def place(self, t: Floats, slowing: float) -> Floats:
        """Return where the coin is at the instants `t` (n,), shape (n, 2). Before the first run it
        is at its start.
        """
        at = np.broadcast_to(np.asarray(self.start_mm, dtype=np.float64), (len(t), 2))
        for begin, start, velocity in zip(
            self.begins_s, self.starts(slowing), self.velocities, strict=True
        ):
            at = np.where((t >= begin)[:, None], carried_on(begin, start, velocity, slowing, t), at)
        return at

    def incoming(self, index: int, slowing: float) -> Floats:
        """Return the velocity (2,) of the coin just before run `index` began; 0 for a coin that lay
        still.
        """
        if index == 0:
            return np.zeros(2)
        return velocity_after(
            self.velocities[index - 1], self.begins_s[index] - self.begins_s[index - 1], slowing
        )


def carried_on(t0: float, p: Floats, v: Floats, slowing: float, t: Floats) -> Floats:
    """Return the places, shape (n, 2), at the instants `t` (n,) of a slide that is at `p` with the
    velocity `v` at `t0`. The instants may also be before `t0`.
    """
    speed = float(np.hypot(*v))
    if speed == 0.0:
        return np.broadcast_to(p, (len(t), 2))
    since = np.minimum(t - t0, standing_after_s(speed, slowing))
    return p + (v / speed)[None, :] * way_mm(speed, slowing, since)[:, None]


def velocity_after(velocity: Floats, since_s: float, slowing: float) -> Floats:
    """Return the velocity (2,) of a sliding coin `since_s` later; a negative time gives the
    velocity earlier.
    """
    speed = float(np.hypot(*velocity))
    left = speed_after_s(since_s, speed, slowing) / speed if speed > 0 else 0.0
    return np.asarray(velocity * left, dtype=np.float64)


def velocity_over(way: Floats, slowing: float) -> Floats:
    """Return the velocity (2,) with which a coin must start to slide `way` (2,), mm, until it
    stops.
    """
    length = float(np.hypot(*way))
    return np.asarray(way / max(length, 1e-9) * speed_over_mm(length, slowing), dtype=np.float64)
