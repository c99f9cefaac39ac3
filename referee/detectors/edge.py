"""`left_table`: a coin's centre crossed the table's outline.

A coin whose centre is beyond the edge falls. So two things must agree: the slide leads over the
edge, and the coin is not seen on the table again. Where the edge is outside the picture or was only
estimated, a fall is never certain.
"""

from __future__ import annotations

from typing import Final

from referee.detectors.chance import (
    as_written,
    frame_time_s,
    frames_about,
    normal_share,
    worth_saying,
)
from referee.detectors.crossing import free_stretches
from referee.domain.episode import CoinTrack, Episode
from referee.domain.incident import LeftTable
from referee.domain.path import Path, Run
from referee.domain.table_edge import Exit, exit_of, refereed

# Tuned on our own clips, except where a comment gives another source for a number.

# This share of the doubt about the edge remains when the coin is gone and no hand was near. It can
# hardly be anywhere else.
GONE_DOUBT: Final = 0.1
# A coin lost from sight more than so many frames before it reached the edge may have been lost for
# another reason.
EARLY_FRAMES: Final = 3.0
EARLY_CHANCE: Final = 0.7  # then the probability of a fall is multiplied by this
HAND_CHANCE: Final = 0.85  # the same when a hand was over the coin: it may have stopped the coin
# Nothing can stop a coin that was seen so few frames before it crossed the edge.
AT_EDGE_FRAMES: Final = 2.0
# The highest probability of a fall where the camera cannot see the edge.
BLIND_CHANCE: Final = 0.9


def falls(episode: Episode, paths: tuple[Path, ...]) -> list[LeftTable]:
    """Find the coins that left the table, in no particular order. Coins that only may have left it
    are included.
    """
    tracks = {t.coin: t for t in episode.tracks}
    found = []
    for path in paths:
        for stretch in free_stretches(path):
            run = stretch[-1]
            lost = path.rest_after_mm is None or any(h.begin_s >= run.begin_s for h in path.held)
            leave = exit_of(episode.edge, run)
            if (
                lost
                and leave is not None
                and not _after_the_end(episode, tracks.get(path.coin), leave)
                and (fall := _fall(episode, path, tracks.get(path.coin), run, leave)) is not None
            ):
                found.append(fall)
    return found


def _after_the_end(episode: Episode, track: CoinTrack | None, leave: Exit) -> bool:
    """Return whether the source ended before the coin can have reached the edge."""
    return track is not None and track.cut_off_s is not None and leave.t_s > episode.frames[-1].t_s


def _fall(
    episode: Episode, path: Path, track: CoinTrack | None, run: Run, leave: Exit
) -> LeftTable | None:
    chance = normal_share(leave.past_mm / leave.sigma_mm)
    if not refereed(leave.side, leave.at_mm):
        chance *= BLIND_CHANCE
    elif (
        track is not None
        and leave.t_s - run.end_s > AT_EDGE_FRAMES * frame_time_s(episode)
        and _hand_near(episode, track, run.end_s, leave.t_s)
    ):
        chance *= HAND_CHANCE
    else:
        chance = 1.0 - (1.0 - chance) * GONE_DOUBT
        if leave.t_s - run.end_s > EARLY_FRAMES * frame_time_s(episode):
            chance *= EARLY_CHANCE
    if not worth_saying(chance):
        return None
    return LeftTable(
        coin=path.coin,
        at_mm=(round(leave.at_mm[0], 2), round(leave.at_mm[1], 2)),
        t_s=leave.t_s,
        margin_mm=round(leave.past_mm, 2),
        sigma_mm=round(leave.sigma_mm, 3),
        probability=as_written(chance),
        frames=frames_about(episode, leave.t_s),
    )


def _hand_near(episode: Episode, track: CoinTrack, from_s: float, to_s: float) -> bool:
    """Return whether a hand was over the coin between its last sighting and its fall."""
    pad = frame_time_s(episode)
    return any(
        f.number in track.hand_frames
        and min(from_s, to_s) - pad <= f.t_s <= max(from_s, to_s) + pad
        for f in episode.frames
    )
