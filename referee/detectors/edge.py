"""`left_table`: a coin's centre crossed the table's outline.

A coin whose centre is past the edge falls and is gone, so two things must agree: the slide leads
over the edge, and the coin is not seen on the table again. A stretch of the edge that is out of the
picture, or was only guessed, gives no certain fall.
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

# Tuned on our own clips, except where a comment says what stands behind a number.

# of the doubt about the edge, what remains when the coin is gone with no hand near: where else
# should it be
GONE_DOUBT: Final = 0.1
# a coin lost from sight more than so many frames before it reached the edge may have been lost for
# another reason
EARLY_FRAMES: Final = 3.0
EARLY_CHANCE: Final = 0.7  # and then this much is left
HAND_CHANCE: Final = 0.85  # a hand over the coin as it got lost: it may have been stopped or taken
# a coin seen so shortly before it goes over the edge cannot be stopped any more
AT_EDGE_FRAMES: Final = 2.0
# the most that can be said of a stretch of the edge that the camera cannot referee
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
                and (fall := _fall(episode, path, tracks.get(path.coin), run, leave)) is not None
            ):
                found.append(fall)
    return found


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
    """Whether a hand lay over the coin between its last sighting and its fall over the edge."""
    pad = frame_time_s(episode)
    return any(
        f.number in track.hand_frames
        and min(from_s, to_s) - pad <= f.t_s <= max(from_s, to_s) + pad
        for f in episode.frames
    )
