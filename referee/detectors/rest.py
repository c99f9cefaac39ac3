"""`at_rest`: nothing moves any more, and the coins in play lie at these places. Coins off the board
of Carroms are not in play.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.detectors.coin_motion.pocket import off_board
from referee.detectors.hands.hidden_move import under_hand_since_s
from referee.domain.episode import CoinTrack, Episode, frames_about
from referee.domain.incident import AtRest, Incident, Unseen
from referee.domain.path import Path
from referee.domain.slide import LAST_CREEP_S


def rest_after(
    episode: Episode, paths: tuple[Path, ...], earlier: Sequence[Incident]
) -> AtRest | None:
    """Return the episode's `at_rest`, at the first frame after the last motion and the last
    incident. None if nothing happened at all, or if the source ended before all coins lay still.

    If hands held coins and nothing else happened, `at_rest` comes after the last hand. A coin that
    came to its place unseen lies there once no hand is over the place and the place looks as at
    the end; if that is not known, it lies there from the last frame on. A coin whose moves under a
    hand are reported as unseen lies where it is seen again; if a hand hides it to the end, its
    place is not known. By the last frame all coins lay still, so a path that seems to stop later
    has stopped by then.
    """
    cut_off = any(track.cut_off_s is not None for track in episode.tracks)
    if cut_off or (not earlier and not any(p.runs or p.held for p in paths)):
        return None
    last_s = episode.frames[-1].t_s
    slid = [min(r.end_s, r.stop_s, last_s - LAST_CREEP_S) for p in paths for r in p.runs]
    tracks = {track.coin: track for track in episode.tracks}
    unseen = (_unseen_end_s(p, tracks.get(p.coin), last_s) for p in paths)
    ends = [end_s + LAST_CREEP_S for end_s in slid] + [i.t_s or 0.0 for i in earlier]
    ends += [end_s for end_s in unseen if end_s is not None]
    hidden = {p.coin for p in paths if p.held and not p.runs and p.rest_after_mm is not None}
    ends += [
        i.to_s + LAST_CREEP_S
        for i in earlier
        if isinstance(i, Unseen) and hidden.issuperset(i.pieces)
    ]
    still_s = max(ends or [h.end_s for p in paths for h in p.held])
    t_s = next((f.t_s for f in episode.frames if f.t_s > still_s), still_s + 1e-3)
    told = {coin for i in earlier if isinstance(i, Unseen) for coin in i.pieces}
    coins = {
        p.coin: (round(p.rest_after_mm[0], 2), round(p.rest_after_mm[1], 2))
        for p in paths
        if p.rest_after_mm is not None
        and not off_board(episode.course_after, p.rest_after_mm)
        and not (p.coin in told and under_hand_since_s(episode, p) is not None)
    }
    return AtRest(coins=coins, t_s=t_s, frames=frames_about(episode, t_s))


def _unseen_end_s(path: Path, track: CoinTrack | None, last_s: float) -> float | None:
    """Return when a coin came to rest that was not seen sliding, or was hidden after it slid. None
    for any other coin, and if only the hand that held the coin shows the time.
    """
    moved = path.rest_after_mm is not None and path.rest_after_mm != path.rest_before_mm
    seen = any(run.sightings for run in path.runs)
    if not moved or (seen and not any(h.begin_s >= path.runs[-1].end_s for h in path.held)):
        return None
    if track is not None and track.settled_s is not None:
        bare_s = max((end_s for _, end_s in track.hand_after_s or ()), default=track.settled_s)
        return max(track.settled_s, bare_s) + LAST_CREEP_S
    unnoticed = track is not None and track.came_unnoticed
    return None if path.held and not unnoticed else last_s
