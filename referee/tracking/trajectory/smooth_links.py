"""Finds what each run of a draft hit when it began: which coins touched, which tile was struck, and
which small moves a contact explains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from referee.domain.episode import CoinTrack, Episode
from referee.domain.geometry import square_corners
from referee.domain.slide import speed_after_mm
from referee.tracking.trajectory.runs import Floats
from referee.tracking.trajectory.smooth_chain import Chain
from referee.tracking.trajectory.smooth_draft import carried_on, displaced
from referee.tracking.trajectory.smooth_fit import Bump, Touch, square_gap
from referee.tracking.trajectory.smooth_infer import lost_striker, lost_struck, sightings_after

# Tuned on our own clips, except where a comment gives another source for a number.

# Rims that are this far apart, or overlap this much, in a draft may have touched. Drafts and runs
# of two frames have such errors.
REACH_MM: Final = 4.0
REACH_SHARE: Final = 0.12  # the same as a share of how far the faster coin goes in one frame
TILE_REACH_MM: Final = 4.5  # the same for a coin's rim and a tile's square
# A factor on these for a coin that started without a hand at it: something must have struck it.
START_SLACK: Final = 2.0
# The velocity gained points along the line of centres within this cosine. Rubbing turns it by up to
# about 15 degrees, errors of drafts by more.
ALONG_COSINE: Final = 0.6
START_COSINE: Final = 0.75  # the same for a coin that lay still
# Two runs of different coins that began this close together may have begun at one instant.
NEAR_FRAMES: Final = 1.25
# When several runs begin at about the same time, a coin with a hand at it is assumed to have begun
# first.
HAND_LEAD_FRAMES: Final = 2.0


@dataclass(frozen=True, slots=True)
class Linked:
    """The chains, with runs inserted where a contact requires them, and what hits what in them."""

    chains: tuple[Chain, ...]
    touches: tuple[Touch, ...]
    bumps: tuple[Bump, ...]

    def without_run(self, c: int, r: int) -> Linked:
        """Return the same links without run `r` of chain `c`, which hit nothing."""

        def shifted(chain: int, run: int) -> int:
            return run - 1 if chain == c and run > r else run

        chains = (*self.chains[:c], self.chains[c].without_run(r), *self.chains[c + 1 :])
        touches = tuple(
            Touch(t.chain_a, shifted(t.chain_a, t.run_a), t.chain_b, shifted(t.chain_b, t.run_b))
            for t in self.touches
        )
        return Linked(
            chains,
            touches,
            tuple(Bump(b.chain, shifted(b.chain, b.run), b.corners) for b in self.bumps),
        )

    def with_hits_split(self, least_s: float) -> Linked | None:
        """Return the links with a run split in two: the first run that set two coins in motion at
        once now hits them one after the other. None where there is none.

        According to their own sightings, the two coins must have begun at least `least_s` apart.
        """
        for k, a in enumerate(self.touches):
            for b in self.touches[k + 1 :]:
                if (a.chain_a, a.run_a) != (b.chain_a, b.run_a) or a.run_b or b.run_b:
                    continue
                first, second = sorted((a, b), key=lambda t: self.chains[t.chain_b].begins_s[0])
                gap_s = (
                    self.chains[second.chain_b].begins_s[0] - self.chains[first.chain_b].begins_s[0]
                )
                if a.run_a and gap_s > least_s:
                    return self._split(first, second)
        return None

    def _split(self, first: Touch, second: Touch) -> Linked:
        c, r = first.chain_a, first.run_a
        chain, struck = self.chains[c], self.chains[first.chain_b]
        begin_s = struck.begins_s[0]
        window = (
            min(chain.windows_s[r][0], struck.windows_s[0][0]),
            max(chain.windows_s[r][1], struck.windows_s[0][1]),
        )
        met = tuple(m for m in chain.met[r] if m != struck.coin)
        later = replace(
            chain.with_met(r, met),
            begins_s=(
                *chain.begins_s[:r],
                max(chain.begins_s[r], self.chains[second.chain_b].begins_s[0]),
                *chain.begins_s[r + 1 :],
            ),
            windows_s=(*chain.windows_s[:r], window, *chain.windows_s[r + 1 :]),
        )
        between = chain.velocities[r - 1] - struck.velocities[0]
        split = later.with_run(r, begin_s, between, window, (struck.coin,))

        def shifted(index: int, run: int) -> int:
            return run + 1 if index == c and run >= r else run

        touches = tuple(
            (
                t
                if t is first
                else Touch(
                    t.chain_a, shifted(t.chain_a, t.run_a), t.chain_b, shifted(t.chain_b, t.run_b)
                )
            )
            for t in self.touches
        )
        bumps = tuple(Bump(b.chain, shifted(b.chain, b.run), b.corners) for b in self.bumps)
        return Linked((*self.chains[:c], split, *self.chains[c + 1 :]), touches, bumps)


@dataclass(frozen=True, slots=True)
class Start:
    """A run, identified by its chain's index and the instant at which it began. Inserting other
    runs does not change these.
    """

    chain: int
    begin_s: float


@dataclass(frozen=True, slots=True)
class Near:
    """A coin that was about a diameter away: its name, the instant, the gap between the rims, and
    the unit vector towards it.
    """

    coin: str
    t_s: float
    gap_mm: float
    towards: Floats


def run_starts(chain: Chain, slowing: float) -> list[Floats]:
    """Return where each run of the chain begins, (2,) each."""
    at = [np.asarray(chain.start_mm, dtype=np.float64)]
    for r in range(len(chain.begins_s) - 1):
        at.append(
            carried_on(
                chain.begins_s[r],
                at[-1],
                chain.velocities[r],
                slowing,
                np.array([chain.begins_s[r + 1]]),
            )[0]
        )
    return at


class Scene:
    """Where every coin is at any time according to the drafts. Inserting a run replaces its
    chain.
    """

    def __init__(
        self, episode: Episode, chains: Sequence[Chain], slowing: float, frame_s: float
    ) -> None:
        self.chains = list(chains)
        self.tracks: Mapping[str, CoinTrack] = {t.coin: t for t in episode.tracks}
        self.coin_mm, self.slowing, self.frame_s = episode.sizes.coin_mm, slowing, frame_s
        self.squares = {
            name: np.array(
                square_corners(tile.centre_mm, episode.course_before.tile_mm, tile.rotation_deg)
            )
            for name, tile in episode.course_before.tiles.items()
        }
        self.touches: list[tuple[Start, Start]] = []
        self.bumps: list[tuple[Start, str]] = []
        self.hand_s = {
            t.coin: np.array([f.t_s for f in episode.frames if f.number in t.hand_frames])
            for t in episode.tracks
        }

    def chain_of(self, coin: str, t_s: float) -> int | None:
        """Return the index of the coin's chain at `t_s`, or of the chain that begins within two
        frames of it.
        """
        found = None
        for c, chain in enumerate(self.chains):
            if chain.coin == coin and chain.begins_s[0] <= t_s + NEAR_FRAMES * self.frame_s:
                found = c
        return found

    def place(self, coin: str, t: Floats) -> Floats | None:
        """Return where the coin is at the instants `t` (n,), shape (n, 2); None where that is not
        known.
        """
        track = self.tracks[coin]
        own = [c for c in self.chains if c.coin == coin]
        lying = (
            track.before if track.before is not None else (own[0].anchor if own else track.after)
        )
        if lying is None and not own:
            return None
        at = np.broadcast_to(
            np.asarray(lying.at_mm if lying else own[0].start_mm, dtype=np.float64), (len(t), 2)
        )
        for chain in own:
            for begin, start, velocity in zip(
                chain.begins_s, run_starts(chain, self.slowing), chain.velocities, strict=True
            ):
                at = np.where(
                    (t >= begin)[:, None], carried_on(begin, start, velocity, self.slowing, t), at
                )
        return at

    def velocity(self, coin: str, t_s: float) -> Floats:
        """Return the coin's velocity at `t_s`, (2,)."""
        step = 0.0005
        at = self.place(coin, np.array([t_s - step, t_s + step]))
        return np.zeros(2) if at is None else (at[1] - at[0]) / (2 * step)

    def near(self, coin: str, at: Floats, t_s: float, reach_s: float, slack: float) -> list[Near]:
        """Return the coins that nearly touch a coin at `at` (2,) around `t_s`, smallest gap first.
        `slack` is a factor on the largest gap.
        """
        found = []
        t = np.linspace(t_s - reach_s, t_s + reach_s, 21)
        for other in self.tracks:
            there = self.place(other, t) if other != coin else None
            if there is None:
                continue
            apart = np.hypot(*(there - at).T)
            k = int(np.argmin(np.abs(apart - self.coin_mm) + 0.02 * np.abs(np.arange(21) - 10)))
            speed = float(np.hypot(*(there[-1] - there[0]))) / (2 * reach_s)
            gap = float(apart[k]) - self.coin_mm
            if abs(gap) < slack * (REACH_MM + REACH_SHARE * speed * self.frame_s):
                found.append(
                    Near(other, float(t[k]), gap, (there[k] - at) / max(float(apart[k]), 1e-9))
                )
        return sorted(found, key=lambda n: abs(n.gap_mm))

    def hand_at(self, coin: str, t_s: float, within_s: float) -> bool:
        """Return whether a hand was at the coin around `t_s`."""
        times = self.hand_s[coin]
        return bool(len(times)) and float(np.abs(times - t_s).min()) <= within_s


def link(episode: Episode, chains: Sequence[Chain], slowing: float, frame_s: float) -> Linked:
    """Find what each run hit when it began. Insert the runs that a contact implies, and add coins
    that moved too little to be seen moving.
    """
    scene = Scene(episode, chains, slowing, frame_s)
    scene.chains += [c for t in episode.tracks if (c := _small_move(scene, t)) is not None]
    for start in _in_order(scene):
        if not any(start in pair for pair in scene.touches):
            _explain(scene, start)
    for index, chain in enumerate(tuple(scene.chains)):
        for begin in chain.begins_s:
            _find_lost(scene, Start(index, begin))
    return _linked(scene)


def _linked(scene: Scene) -> Linked:
    def run(start: Start) -> int:
        return scene.chains[start.chain].begins_s.index(start.begin_s)

    touches = tuple(Touch(a.chain, run(a), b.chain, run(b)) for a, b in scene.touches)
    return Linked(
        tuple(scene.chains),
        touches,
        tuple(Bump(a.chain, run(a), scene.squares[name]) for a, name in scene.bumps),
    )


def _in_order(scene: Scene) -> list[Start]:
    """Return all runs in the order in which they began. Breaks come last, so that coins set in
    motion find their striker first.
    """
    keyed = []
    for c, chain in enumerate(scene.chains):
        for r, begin in enumerate(chain.begins_s):
            lead = (
                HAND_LEAD_FRAMES * scene.frame_s
                if r == 0 and scene.hand_at(chain.coin, begin, 2 * scene.frame_s)
                else 0.0
            )
            if r > 0 or chain.anchor is not None:
                keyed.append((r > 0, begin - lead, Start(c, begin)))
    return [start for _, _, start in sorted(keyed, key=lambda k: k[:2])]


def _explain(scene: Scene, start: Start) -> None:
    chain = scene.chains[start.chain]
    r = chain.begins_s.index(start.begin_s)
    at = run_starts(chain, scene.slowing)[r]
    before = np.zeros(2) if r == 0 else scene.velocity(chain.coin, start.begin_s - 0.001)
    gained = chain.velocities[r] - before
    size = float(np.hypot(*gained)) or 1.0
    least = START_COSINE if r == 0 else ALONG_COSINE
    slack = (
        START_SLACK
        if r == 0 and not scene.hand_at(chain.coin, start.begin_s, 2 * scene.frame_s)
        else 1.0
    )
    for near in scene.near(chain.coin, at, start.begin_s, scene.frame_s, slack):
        if float(-near.towards @ gained) / size < least or not _could_push(
            scene, chain.coin, near, r
        ):
            continue
        other = _partner_run(scene, near, start, gained)
        if other is not None:
            _tie(scene, *((other, start) if r == 0 else (start, other)))
            return
    if r > 0:
        _bump(scene, start, r, at)


def _tie(scene: Scene, a: Start, b: Start) -> None:
    """Record that two runs began when their coins touched."""
    scene.touches.append((a, b))
    for own, other in ((a, b), (b, a)):
        chain = scene.chains[own.chain]
        r = chain.begins_s.index(own.begin_s)
        scene.chains[own.chain] = chain.with_met(r, (*chain.met[r], scene.chains[other.chain].coin))


def _could_push(scene: Scene, coin: str, near: Near, run: int) -> bool:
    """Return whether the near coin moved around that time. If the other coin lay still, the near
    coin must not have been set in motion by it.
    """
    index = scene.chain_of(near.coin, near.t_s)
    if index is None:
        return False
    if run > 0:
        return True
    chain = scene.chains[index]
    if coin in chain.met[0] and abs(chain.begins_s[0] - near.t_s) < NEAR_FRAMES * scene.frame_s:
        return False
    began_earlier = chain.begins_s[0] < near.t_s - 0.5 * scene.frame_s
    driven = bool(chain.met[0]) or scene.hand_at(near.coin, chain.begins_s[0], 2 * scene.frame_s)
    return began_earlier or driven


def _partner_run(scene: Scene, near: Near, start: Start, gained: Floats) -> Start | None:
    """Return the other coin's run that began with this contact: one that began at about that time,
    otherwise a run inserted for it.
    """
    index = scene.chain_of(near.coin, near.t_s)
    if index is None:
        return None
    chain = scene.chains[index]
    free = [
        (abs(b - near.t_s), b)
        for q, b in enumerate(chain.begins_s)
        if q > 0 or chain.anchor is not None
    ]
    close = [f for f in free if f[0] < NEAR_FRAMES * scene.frame_s]
    if close:
        return Start(index, min(close)[1])
    if chain.begins_s[0] > near.t_s - (
        NEAR_FRAMES * scene.frame_s if chain.anchor is None else 0.0
    ):
        return None  # its motion before it was first seen is not known yet: see lost_striker
    velocity = scene.velocity(near.coin, near.t_s) - gained
    q = sum(b < near.t_s for b in chain.begins_s)
    window = (near.t_s - scene.frame_s, near.t_s + scene.frame_s)
    scene.chains[index] = chain.with_run(q, near.t_s, velocity, window)
    return Start(index, near.t_s)


def _find_lost(scene: Scene, start: Start) -> None:
    """Find the unseen partner of a run that nothing explains: the coin that struck it, or the coin
    that it struck.
    """
    chain = scene.chains[start.chain]
    if start.begin_s not in chain.begins_s:
        return
    r = chain.begins_s.index(start.begin_s)
    if chain.met[r] or (r == 0 and chain.anchor is None):
        return
    beside = r == 0 and scene.hand_at(chain.coin, start.begin_s, scene.frame_s)
    turned = {
        c.coin for c in scene.chains if c.anchor is None
    }  # coins that were first seen moving from elsewhere than where they lay
    for track in scene.tracks.values():
        if beside and track.coin not in turned:
            continue  # as far as is known, the hand set it in motion
        if track.coin != chain.coin and (_struck if r > 0 else _striker)(scene, start, r, track):
            return


def _struck(scene: Scene, start: Start, r: int, track: CoinTrack) -> bool:
    """Return whether `track` was struck where the run began. If so, its slide is inserted."""
    if any(c.coin == track.coin for c in scene.chains):
        return False
    chain = scene.chains[start.chain]
    at = run_starts(chain, scene.slowing)[r]
    lost = scene.velocity(chain.coin, start.begin_s - 0.001) - chain.velocities[r]
    reach = REACH_MM + REACH_SHARE * float(np.hypot(*lost)) * scene.frame_s
    found = lost_struck(track, start.begin_s, at, lost, scene.coin_mm, reach, scene.frame_s)
    if found is None:
        return False
    scene.chains.append(found)
    _tie(scene, start, Start(len(scene.chains) - 1, found.begins_s[0]))
    return True


def _striker(scene: Scene, start: Start, r: int, track: CoinTrack) -> bool:
    """Return whether `track`, hidden at that time, set the coin in motion. If so, its path to the
    coin is inserted.
    """
    chain = scene.chains[start.chain]
    own = next((k for k, other in enumerate(scene.chains) if other.coin == track.coin), None)
    after = None if own is None else scene.chains[own]
    struck = run_starts(chain, scene.slowing)[r]
    found = lost_striker(
        track,
        after,
        start.begin_s,
        struck,
        chain.velocities[0],
        scene.coin_mm,
        scene.slowing,
        scene.frame_s,
    )
    if found is None:
        return False
    if own is None:
        scene.chains.append(found)
        own = len(scene.chains) - 1
    else:
        scene.chains[own] = found
    _tie(scene, Start(own, found.begins_s[1]), start)
    return True


def _bump(scene: Scene, start: Start, r: int, at: Floats) -> None:
    """Find the tile whose square the coin's rim had reached when the run began, and record it, if
    there is one.
    """
    gaps = {
        name: float(square_gap(corners, at[None, :])[0]) - 0.5 * scene.coin_mm
        for name, corners in scene.squares.items()
    }
    name = min(gaps, key=lambda n: abs(gaps[n]), default=None)
    if name is not None and abs(gaps[name]) < TILE_REACH_MM:
        scene.bumps.append((start, name))
        scene.chains[start.chain] = scene.chains[start.chain].with_met(r, (name,))


def _small_move(scene: Scene, track: CoinTrack) -> Chain | None:
    """Infer the slide of a coin that now lies elsewhere, was never seen to slide, and was reached
    by a moving coin.
    """
    if (
        track.before is None
        or track.after is None
        or not displaced(track)
        or any(c.coin == track.coin for c in scene.chains)
    ):
        return None
    at = np.asarray(track.before.at_mm)
    away = np.asarray(track.after.at_mm) - at
    way = float(np.hypot(*away))
    for chain in scene.chains:
        times = np.linspace(
            chain.begins_s[0],
            float(chain.seen.t_s[-1]) if len(chain.seen.t_s) else chain.begins_s[-1] + 0.1,
            200,
        )
        there = scene.place(chain.coin, times)
        if there is None:
            continue
        apart = np.hypot(*(there - at).T)
        k = int(np.argmin(apart))
        pushed = float((at - there[k]) @ away) / (float(apart[k]) * way)
        if apart[k] < scene.coin_mm + REACH_MM and pushed > START_COSINE:
            t_s = float(times[k])
            velocity = away / way * speed_after_mm(-way, 0.0, scene.slowing)
            seen = sightings_after(track, t_s - 2 * scene.frame_s)
            window = (t_s - 2 * scene.frame_s, t_s + 2 * scene.frame_s)
            return Chain(
                track.coin,
                seen,
                (t_s,),
                velocity[None, :],
                at,
                (window,),
                track.before,
                track.after,
                ((),),
            )
    return None
