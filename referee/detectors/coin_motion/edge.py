"""`left_table`: a coin's centre crossed the table's outline.

A coin whose centre is beyond the edge falls. So two things must be true: the slide leads over the
edge, and the coin is not seen on the table again. If the edge is outside the picture there, or was
only estimated, a fall is never certain.
"""

from __future__ import annotations

from typing import Final

from referee.detectors.coin_motion.crossing import free_stretches
from referee.detectors.coin_motion.normal_distribution import normal_share
from referee.domain.episode import MOST_LOST_FRAMES, CoinTrack, Episode, frame_time_s, frames_about
from referee.domain.incident import EITHER, LIKELIER, LeftTable, as_written, worth_saying
from referee.domain.path import Path, Run
from referee.domain.table_edge import Exit, exit_of, refereed

# Tuned on our own clips, except where a comment gives another source for a number.

# This share of the doubt about the edge remains when the coin is gone right at the edge. It can
# hardly be anywhere else.
GONE_DOUBT: Final = 0.1


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
            leave, track = exit_of(episode.edge, run), tracks.get(path.coin)
            if (
                lost
                and leave is not None
                and not _after_the_end(episode, track, leave)
                and (fall := _fall(episode, path, run, leave, track)) is not None
            ):
                found.append(fall)
    return found


def _after_the_end(episode: Episode, track: CoinTrack | None, leave: Exit) -> bool:
    """Return whether the source ended before the coin can have reached the edge."""
    return track is not None and track.cut_off_s is not None and leave.t_s > episode.frames[-1].t_s


def _fall(
    episode: Episode, path: Path, run: Run, leave: Exit, track: CoinTrack | None
) -> LeftTable | None:
    """Return that a coin left the table; None if that is unlikely. The coin's absence counts as
    further evidence only if the coin cannot lie on the table unseen. A coin that lies on the table
    again, although no hand is known to have put it there, may have stopped there instead.
    """
    chance = normal_share(leave.past_mm / leave.sigma_mm)
    lost_early = leave.t_s - run.end_s > MOST_LOST_FRAMES * frame_time_s(episode)
    if lost_early or not refereed(leave.side, leave.at_mm):
        chance *= LIKELIER
    elif track is None or not track.may_lie_unseen:
        chance = 1.0 - (1.0 - chance) * GONE_DOUBT
    if path.rest_after_mm is not None and track is not None and track.came_without_hand:
        chance = min(chance, EITHER)
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
