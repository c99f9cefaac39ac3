"""When a hand was at a coin."""

from __future__ import annotations

from referee.domain.episode import HAND_S, CoinTrack, Episode


def hand_at(episode: Episode, coin: str, t_s: float, within_s: float = HAND_S) -> bool:
    """Return whether a hand was over the coin or touched it within `within_s` of `t_s`."""
    track = next((t for t in episode.tracks if t.coin == coin), CoinTrack(coin, None, None))
    return any(
        f.number in track.hand_frames and abs(f.t_s - t_s) <= within_s for f in episode.frames
    )


def hand_before(episode: Episode, coin: str, t_s: float) -> bool:
    """Return whether a hand was over the coin or touched it shortly before it set off at `t_s`.
    What looks like a hand there afterwards may be coins that a fast coin has scattered.
    """
    track = episode.track_of(coin)
    return any(
        f.number in track.hand_frames and 0.0 <= t_s - f.t_s <= HAND_S for f in episode.frames
    )
