"""Counts the coins and the measured tiles whenever everything is still. A coin that should lie on
the table but is not seen there, although no incident says that it left, is `unseen`. So is a tile
that cannot be measured, or that could not be before and looks different now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass, replace

from referee.detectors.coin_motion.pocket import off_board
from referee.domain.episode import Episode
from referee.domain.incident import (
    EITHER,
    TICK_S,
    AtRest,
    Flicked,
    Incident,
    LeftTable,
    Placed,
    Pocketed,
    TileDisplaced,
    TileRestored,
    Unseen,
)


@dataclass(frozen=True, slots=True)
class TableCount:
    """The pieces that should be on the table: the coins that were `seen` there when everything was
    last still, the coins `never_seen` since the match began, the tiles that are known to be
    `unmeasured`, and the coins that were seen once and have been `lost` since.
    """

    seen: frozenset[str] = frozenset()
    never_seen: frozenset[str] = frozenset()
    unmeasured: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()

    def not_lost(self, coins: Set[str]) -> TableCount:
        """Return the count with these coins not lost."""
        return replace(self, lost=self.lost - coins)


def lost_in(entries: Iterable[object]) -> frozenset[str]:
    """Return the coins that are lost after the entries of a record: they lay on the table once, are
    missing in the last `at_rest`, and did not leave since. `entries` are those that count after
    all rulings.
    """
    seen, lost = frozenset[str](), frozenset[str]()
    for entry in entries:
        if isinstance(entry, AtRest):
            lost = (lost | seen) - entry.coins.keys()
            seen = frozenset(entry.coins)
        else:
            lost, seen = lost - gone_by((entry,)), seen - gone_by((entry,))
    return lost


def as_recorded(count: TableCount, entries: Collection[object]) -> TableCount:
    """Return a count without the coins that left the table according to `entries`, which are those
    that count after all rulings. So if a ruling says that a coin left, nobody is asked about it
    any more.
    """
    never_seen = count.never_seen - gone_by(entries)
    return replace(count, lost=count.lost & lost_in(entries), never_seen=never_seen)


def gone_by(entries: Iterable[object]) -> frozenset[str]:
    """Return the coins that entries of a record take off the table."""
    left = (i for i in entries if isinstance(i, LeftTable | Pocketed | Placed))
    return frozenset(i.coin for i in left if _is_gone(i))


def _is_gone(incident: LeftTable | Pocketed | Placed) -> bool:
    """Return whether a coin that left, or was placed, is not on the table any more."""
    likely = incident.probability is None or incident.probability >= EITHER
    return likely and not (isinstance(incident, Placed) and incident.at_mm is not None)


def counted(
    episode: Episode, incidents: Sequence[Incident], before: TableCount
) -> tuple[list[Incident], TableCount]:
    """Return the incidents of an episode, with one `unseen` added for missing coins and one for
    missing tiles, and the count after the episode.

    A lost tile is reported once. A tile that was never measured is reported whenever it looks
    different, because it may have been moved. A lost coin is reported again for each flick, and a
    coin that was never seen for each episode in which something happened, because nobody knows what
    it did. This includes the episode in which the coin is seen again, unless a hand certainly put
    it down then.

    If a lost coin is in view again, the episode gets an `at_rest` with that coin even if nothing
    else happened. If an episode has no `at_rest`, because the source ended before all lay still,
    lost coins are not reported for it.
    """
    found = list(incidents)
    rest = next((i for i in reversed(found) if isinstance(i, AtRest)), None)
    if rest is None and (back := _back_in_view(episode, before)) is not None:
        rest = back
        found.append(back)
    after = replace(before, unmeasured=episode.unmeasured_tiles)
    moved = {i.tile for i in found if isinstance(i, TileDisplaced | TileRestored)}
    missing = (episode.unmeasured_tiles - before.unmeasured) | (episode.changed_tiles - moved)
    coins: frozenset[str] = frozenset()
    if rest is not None:
        lying = frozenset(rest.coins)
        off = {
            track.coin
            for track in episode.tracks
            if track.after is not None and off_board(episode.course_after, track.after.at_mm)
        }
        placed = [i for i in found if isinstance(i, Placed)]
        gone = gone_by(found)
        put_down = {i.coin for i in placed if i.probability is None}
        told = {piece for i in found if isinstance(i, Unseen) for piece in i.pieces}
        lost = before.seen - lying - gone
        after = replace(
            after,
            seen=lying,
            never_seen=before.never_seen - lying - off,
            lost=(lost | before.lost) - lying - gone - off,
        )
        hidden = before.never_seen
        if any(isinstance(i, Flicked) for i in found):
            hidden |= before.lost - gone
        coins = (lost | (hidden - put_down - off)) - told
    place = len(found) if rest is None else found.index(rest)
    found[place:place] = [_unseen(episode, rest, lost) for lost in (missing, coins) if lost]
    return found, after


def _back_in_view(episode: Episode, before: TableCount) -> AtRest | None:
    """Return where all coins of the match lie, if a coin that was lost is in view again."""
    coins = {
        track.coin: (round(track.after.at_mm[0], 2), round(track.after.at_mm[1], 2))
        for track in episode.tracks
        if track.after is not None
        and not track.coin.startswith("?")
        and not off_board(episode.course_after, track.after.at_mm)
    }
    if not before.seen or set(coins) <= before.seen:
        return None
    return AtRest(coins=coins, t_s=episode.frames[-1].t_s)


def _unseen(episode: Episode, rest: AtRest | None, pieces: frozenset[str]) -> Unseen:
    """Return an `unseen` for pieces that were not seen in an episode, just before the episode's
    `rest`.
    """
    begin_s, end_s = episode.frames[0].t_s, episode.frames[-1].t_s
    still_s = end_s if rest is None or rest.t_s is None else rest.t_s
    return Unseen(
        pieces=tuple(sorted(pieces)),
        from_s=round(begin_s, 4),
        to_s=round(end_s, 4),
        t_s=round(still_s - TICK_S, 6),
    )
