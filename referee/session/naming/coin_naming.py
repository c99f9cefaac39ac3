"""Decides which coin is which before play begins, from the faces and from what people said, and
lists the coins to ask about.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from calibration.store.piece_store import PieceSet
from referee.detectors.identity_switch import Heirs, cheapest_switch_s
from referee.domain.episode import CoinTrack, Episode, Rest
from referee.domain.pieces import NOBODY, face_of
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.tracking.trajectory.hypotheses.scene import displaced
from referee.vision.faces.identification import FaceEvidence, Identification, identify

# Chosen: nothing was measured for these, except where a comment says so.

#: Chosen: if the table's print looks like many coins, the message names at most this many places
#: for each coin.
_MOST_PLACES: Final = 3


@dataclass(frozen=True)
class CoinNaming:
    """The coins' names as far as they are known.

    `names` maps a coin's number to its name. `unsure` are the numbers to ask about; the answers
    also decide the other names. A number that is in neither is no coin of the match. `odds` gives
    the likely names of each unsure number, best first.
    """

    names: Mapping[str, str]
    unsure: tuple[str, ...]
    odds: Mapping[str, tuple[tuple[str, float], ...]]


def name_coins(
    resting: Mapping[str, Rest],
    faces: Mapping[str, FaceEvidence],
    pieces: PieceSet | None,
    free_names: Sequence[str],
    known: Mapping[str, str],
    elsewhere: Collection[str] = (),
    ruled: Sequence[Mapping[str, str]] = (),
    *,
    away: bool = False,
) -> CoinNaming:
    """Name the coins at rest: those in `known` as people named them (by number), then the others by
    their faces and by elimination. Coins that are `elsewhere` need not be among them.

    A thing that people called `nobody` is no coin of the match. As long as a coin of the match is
    unseen and not `elsewhere`, only people can say this of a thing. `ruled` are the layouts that
    the rules allow at these places: the faces by number. `away` says that all coins with free names
    were seen leaving the table.
    """
    names = {number: name for number, name in known.items() if name != NOBODY}
    rest = [n for n in resting if n not in known]
    free = [n for n in free_names if n not in names.values()]
    if not rest or not free:
        return CoinNaming(names, (), {})
    ways = [
        [way[number] for number in rest]
        for way in ruled
        if len(rest) == len(free) and all(way[n] == face_of(name) for n, name in names.items())
    ]
    found = identify([faces.get(n, FaceEvidence()) for n in rest], pieces, free, ways, away=away)
    return _with_faces(names, rest, found, [name for name in free if name not in elsewhere])


def numbered(
    names: Mapping[str, str], resting: Mapping[str, Rest], coins: Sequence[str], kept: Set[str]
) -> dict[str, str]:
    """Return the names, with coins that look alike numbered by their places: from west to east, and
    from south to north if they lie equally far west. So `suns-1` is the westernmost sun.

    `coins` are the names that may be given, in order. Names in `kept` stay with their coins.
    """
    given = dict(names)
    for kind in dict.fromkeys(map(face_of, coins)):
        alike = [coin for coin in coins if face_of(coin) == kind and coin not in kept]
        numbers = [n for n, name in names.items() if name in alike and n in resting]
        numbers.sort(key=lambda n: resting[n].at_mm)
        given |= dict(zip(numbers, alike, strict=False))
    return given


def _with_faces(
    names: dict[str, str], numbers: Sequence[str], found: Identification, lying: Sequence[str]
) -> CoinNaming:
    for number, coin in zip(numbers, found.coins, strict=True):
        if coin.name is not None:
            names[number] = coin.name
    # While a coin of the match is unseen, any thing that is nobody's may be that coin.
    unseen = any(name not in names.values() for name in lying)
    asked = {
        number: coin
        for i, (number, coin) in enumerate(zip(numbers, found.coins, strict=True))
        if i in found.to_ask or (unseen and coin.name is None)
    }
    odds = {
        number: tuple(
            (name, share)
            for name, share in ((coin.name, coin.probability), *coin.others)
            if name is not None
        )
        for number, coin in asked.items()
    }
    return CoinNaming(names, tuple(asked), odds)


def absent_of(names: Sequence[str], coins: Mapping[str, TrackedCoin]) -> tuple[list[str], bool]:
    """Return those of the match's names that no coin on the table has, and whether all these coins
    were seen leaving the table.
    """
    absent = [name for name in names if name not in coins or coins[name].lies is None]
    off = (name in coins and coins[name].state is State.OFF_TABLE for name in absent)
    return absent, all(off)


def print_among(
    unowned: Set[str], coins: Mapping[str, TrackedCoin], faces: Mapping[str, FaceEvidence]
) -> set[str]:
    """Return which of the `unowned` things are print on the table: those that are not plainly
    coins, or all of them if they outnumber the coins, as printed dots do. A thing that was seen
    moving is not print. A coin may come to lie on print.
    """
    still = {name for name in unowned if not coins[name].sightings}
    many = len(still) > len(coins) - len(still)
    return {n for n in still if many or (n in faces and not faces[n].plainly_a_coin)}


def moved_strangers(
    episode: Episode, unowned: Set[str], names: Sequence[str], coins: Mapping[str, TrackedCoin]
) -> set[str]:
    """Return which of the `unowned` things seem to have been moved in an episode in which a coin of
    the match was lost from sight. Print never moves: such a thing may be that coin, which passed
    over the print and lies there now.
    """
    absent, _ = absent_of(names, coins)
    hidden = {n for n in absent if n in coins and coins[n].state is not State.OFF_TABLE}
    if not any(t.coin in hidden and t.before and t.after is None for t in episode.tracks):
        return set()
    lying = (track for track in episode.tracks if track.before and track.after)
    return {track.coin for track in lying if displaced(track)} & unowned


def renamed(episode: Episode, names: Mapping[str, str]) -> Episode:
    """Return the episode with its coins under other names.

    If two tracks get the same name, they are joined: the coin left the table and was put back, or
    was lost from sight and found again.
    """
    tracks: dict[str, CoinTrack] = {}
    for track in episode.tracks:
        coin = names.get(track.coin, track.coin)
        own = replace(
            track, coin=coin, sightings=tuple(replace(s, coin=coin) for s in track.sightings)
        )
        tracks[coin] = own if coin not in tracks else _joined(tracks[coin], own, episode)
    return replace(episode, tracks=tuple(tracks.values()))


def untangled(episode: Episode, names: Mapping[str, str]) -> Episode | None:
    """Return the episode with true names for coins that were taken for each other during it.
    `names` is a permutation: it maps names seen to true names. Coins that exchanged names in a
    circle change them at the instant at which this needs the smallest jumps. None if no possible
    jumps explain the exchange, or if a coin was not known before.
    """
    tracks = {track.coin: track for track in episode.tracks}
    mended, left = episode, dict(names)
    while left:
        seen, circle = min(left), dict[str, str]()
        while seen not in circle:
            circle[seen] = seen = left.pop(seen, seen)
        if any((one := tracks.get(coin)) is None or one.before is None for coin in circle):
            return None
        heirs = [(tracks[true], tracks[seen]) for seen, true in circle.items()]
        since_s = cheapest_switch_s(episode, heirs)
        if since_s is None:
            return None
        mended = switched(mended, heirs, since_s)
    return mended


def switched(episode: Episode, heirs: Heirs, since_s: float) -> Episode:
    """Return the episode in which each coin has the track of its heir from `since_s` on."""
    tracks = {coin.coin: _continued(coin, heir, since_s, episode) for coin, heir in heirs}
    return replace(episode, tracks=tuple(tracks.get(t.coin, t) for t in episode.tracks))


def _continued(one: CoinTrack, other: CoinTrack, since_s: float, episode: Episode) -> CoinTrack:
    """Return a track that is the track `one` until `since_s` and the track `other` after it."""
    times = {frame.number: frame.t_s for frame in episode.frames}
    later = frozenset(number for number, t_s in times.items() if t_s > since_s)
    return replace(
        other,
        coin=one.coin,
        before=one.before,
        sightings=(
            *(s for s in one.sightings if s.t_s <= since_s),
            *(replace(s, coin=one.coin) for s in other.sightings if s.t_s > since_s),
        ),
        hand_frames=(one.hand_frames - later) | (other.hand_frames & later),
        hidden_frames=(one.hidden_frames - later) | (other.hidden_frames & later),
        lay_until_s=one.lay_until_s,
        moved_within_s=None,
        lost=one.lost,
    )


def _joined(gone: CoinTrack, back: CoinTrack, episode: Episode) -> CoinTrack:
    """Join two tracks of a coin that was gone and is back. For a coin of which nothing is known,
    any hand over the table may have brought it. But here the old place is known, so only hands over
    the old or the new place count. Sightings of the `gone` track after the coin was back were
    another coin, or a hand, and are dropped.
    """
    since_s = back.sightings[0].t_s if back.sightings else math.inf
    over = back.hand_frames
    if back.hand_after_s is not None:
        times = {frame.number: frame.t_s for frame in episode.frames if frame.number in over}
        over = frozenset(
            n for n, t_s in times.items() if any(a <= t_s <= b for a, b in back.hand_after_s)
        )
    return replace(
        back,
        before=gone.before or back.before,
        sightings=(*(s for s in gone.sightings if s.t_s < since_s), *back.sightings),
        hand_frames=gone.hand_frames | over,
        hidden_frames=gone.hidden_frames | back.hidden_frames,
        lost=gone.lost,
    )


def places(resting: Mapping[str, Rest], numbers: Sequence[str] | Mapping[str, Rest]) -> str:
    """Describe in words where coins lie: `one at (12, -40) mm, one at (300, 8) mm`."""
    return ", ".join(
        f"one at ({resting[n].at_mm[0]:.0f}, {resting[n].at_mm[1]:.0f}) mm" for n in numbers
    )


def missing_line(missing: Sequence[str], expected: int) -> str:
    """Describe in words how many of the coins that should lie on the table are seen, and which are
    not: `2 of 4 coins seen: moons and ace are not`.
    """
    *most, last = missing
    names = f"{', '.join(most)} and {last}" if most else last
    verb = "are" if most else "is"
    return f"{expected - len(missing)} of {expected} coins seen: {names} {verb} not"


def unsure_line(naming: CoinNaming, resting: Mapping[str, Rest], coins: Sequence[str]) -> str:
    """Return one line that says where each unsure coin lies and what it may be, and gives the
    options that would name these coins.

    The options name every unsure coin once, with the most likely name that is still free. `coins`
    are the match's coins. If print makes many places unsure, the line says for each coin that has
    no sure place where it most probably lies.
    """
    wanted = [coin for coin in coins if coin not in _sure(naming).values()]
    if len(naming.unsure) > _MOST_PLACES * len(wanted):
        return _wanted_line(naming, resting, wanted)
    asked = ", ".join(
        f"one at {_spot(resting[n])} mm{_maybe(naming.odds.get(n, ()))}" for n in naming.unsure
    )
    answers = [
        f"--name {coin}={resting[n].at_mm[0]:.0f},{resting[n].at_mm[1]:.0f}"
        for n, coin in _likely(naming, coins).items()
    ]
    example = " ".join(answers)
    return f"it is not sure which coin is which: {asked}; name them, for example with {example}"


def _wanted_line(naming: CoinNaming, resting: Mapping[str, Rest], wanted: Sequence[str]) -> str:
    """Return one line that says where each of the `wanted` coins most probably lies, and gives the
    options that would name them.
    """
    shares = {
        coin: {n: dict(naming.odds.get(n, ())).get(coin, 0.0) for n in naming.unsure}
        for coin in wanted
    }
    best = {
        coin: sorted(naming.unsure, key=lambda n: -share[n])[:_MOST_PLACES]
        for coin, share in shares.items()
    }
    perhaps = "; ".join(
        f"{coin} perhaps at {' or '.join(_spot(resting[n]) for n in places)} mm"
        for coin, places in best.items()
    )
    example = " ".join(
        f"--name {coin}={resting[n].at_mm[0]:.0f},{resting[n].at_mm[1]:.0f}"
        for coin, (n, *_) in best.items()
    )
    return (
        f"{len(naming.unsure)} things look like coins, and it is not sure which are coins of the"
        f" match: {perhaps}; name these, for example with {example}"
    )


def _sure(naming: CoinNaming) -> dict[str, str]:
    """Return the names that nobody need be asked about, by number."""
    return {number: name for number, name in naming.names.items() if number not in naming.unsure}


def _likely(naming: CoinNaming, coins: Sequence[str]) -> dict[str, str]:
    """Propose a name for each unsure coin.

    No name is proposed twice, and none that a coin certainly has. A coin for which no name is left
    belongs to nobody.
    """
    given = _sure(naming)
    chosen = {n: naming.names[n] for n in naming.unsure if n in naming.names}
    for number in naming.unsure:
        free = [c for c in coins if c not in given.values() and c not in chosen.values()]
        likely = [name for name, _ in naming.odds.get(number, ()) if name in free] or free
        if number not in chosen and likely:
            chosen[number] = likely[0]
    return {n: chosen[n] for n in naming.unsure if n in chosen}


def _spot(rest: Rest) -> str:
    return f"({rest.at_mm[0]:.0f}, {rest.at_mm[1]:.0f})"


def _maybe(odds: Sequence[tuple[str, float]]) -> str:
    return f" (perhaps {' or '.join(name for name, _ in odds[:3])})" if odds else ""
