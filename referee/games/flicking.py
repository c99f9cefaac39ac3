"""What the flicking games share: the ground, displaced tiles, wrong flicks, duties before a flick,
the end of a turn and the end of a match.

Each function takes the few values it needs and returns plain values or verdicts. Every game has a
state of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from referee.domain.call import Call, Irregularity, Question
from referee.domain.clause import NO_REASONS, Reasons
from referee.domain.declaration import Agreed, Challenge, Declaration, Said
from referee.domain.entry import Setup, course_of
from referee.domain.geometry import Point, distance
from referee.domain.incident import (
    AtRest,
    Contact,
    Flicked,
    Incident,
    LeftTable,
    LineCrossed,
    Placed,
    Pocketed,
    Surveyed,
    TileDisplaced,
    TileRestored,
    Unseen,
)
from referee.domain.layout import Course, course_from_layout

#: A tile that was moved or turned by less than this counts as not displaced.
DISPLACED_MM, DISPLACED_DEG = 2.0, 2.0
#: A coin put down no farther than this from where it lay counts as not moved.
UNMOVED_MM = 2.0
#: The tiles that are out of place, each with what moved it ("coin" or "hand").
Displaced = frozenset[tuple[str, str]]


class Ground(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The course as it was last measured, and the outline of the table where that is known."""

    course: Course
    edge_mm: tuple[Point, ...] | None


def laid_ground(setup: Setup) -> Ground:
    """Return the ground on which a match begins. Raises KeyError, TypeError or ValueError for a bad
    layout.
    """
    return Ground(course_of(setup), setup.table_edge_mm)


def surveyed(ground: Ground, entry: Incident, tile_mm: float) -> Ground:
    """Return the ground after it was measured again. What was not measured again stays as it
    was.
    """
    if not isinstance(entry, Surveyed):
        return ground
    course = ground.course if entry.layout is None else course_from_layout(entry.layout, tile_mm)
    return Ground(course, ground.edge_mm if entry.table_edge_mm is None else entry.table_edge_mm)


def out_of_place(displaced: Displaced, entry: Incident, reasons: Reasons = NO_REASONS) -> Displaced:
    """Return the tiles that are out of place after an incident. A displaced tile is out of place
    until it is restored or the course is measured again.
    """
    match entry:
        case TileDisplaced() if reasons.holds("displaced", is_displaced(entry)):
            return displaced | {(entry.tile, entry.by)}
        case TileRestored():
            return frozenset(tile for tile in displaced if tile[0] != entry.tile)
        case Surveyed() if entry.layout is not None:
            return frozenset()
        case _:
            return displaced


def is_displaced(entry: TileDisplaced) -> bool:
    """Whether a tile was moved or turned far enough to be out of place."""
    return entry.moved_mm >= DISPLACED_MM or abs(entry.turned_deg) >= DISPLACED_DEG


def displacement_in_words(entry: TileDisplaced) -> tuple[str, dict[str, Any]]:
    """Return, for the explanation, when a tile counts as out of place, and how far this one was
    moved and turned.
    """
    text = (
        f"The tile has moved by at least {DISPLACED_MM:g} mm or turned by at least"
        f" {DISPLACED_DEG:g} degrees."
    )
    return text, {"moved_mm": entry.moved_mm, "turned_deg": entry.turned_deg}


def still_displaced(displaced: Displaced) -> Displaced:
    """Return the tiles that are still out of place after a flick. A tile that a hand moved and
    nobody restored is not one of them: the course is surveyed anew.
    """
    return frozenset(tile for tile in displaced if tile[1] == "coin")


def to_restore(displaced: Displaced) -> list[dict[str, Any]]:
    """Return the tiles that must be put back before the next flick, as listed in
    `turn.before_flick`.
    """
    return [{"do": "restore", "tile": tile} for tile, _ in sorted(displaced)]


def not_restored(on: str, displaced: Displaced, rule: str) -> list[Irregularity]:
    """Return an irregularity for every tile that was out of place when this flick was made."""
    return [
        undone(
            on,
            "not_restored",
            rule,
            f"The tile {tile} was not put back before this flick.",
            tile=tile,
        )
        for tile, _ in sorted(displaced)
    ]


def undone(
    on: str,
    what: str,
    rule: str,
    text: str,
    *,
    coin: str | None = None,
    player: str | None = None,
    tile: str | None = None,
) -> Irregularity:
    """Return the irregularity of a flick made before something that had to be done first."""
    return Irregularity(
        on=on,
        what=what,
        rule=rule,
        text=text,
        coin=coin,
        player=player,
        facts=None if tile is None else {"tile": tile},
        placement=True,
    )


def unseen(entry: Unseen, hidden: Mapping[str, str], rule: str) -> tuple[Question, ...]:
    """Return the question whether anything happened to coins that the camera could not see during a
    flick.

    `hidden` holds the coins in play among them, each with its name in words.
    """
    if not hidden:
        return ()
    who = " and ".join(hidden.values())
    text = (
        f"{who[:1].upper()}{who[1:]} could not be seen for a while. Did anything happen to"
        f" {'it' if len(hidden) == 1 else 'them'}? If so, add what did."
    )
    return (
        Question(
            on=str(entry.id),
            what="unseen",
            rule=rule,
            text=text,
            answers=("upheld", "overturned"),
            coin=next(iter(hidden)),
        ),
    )


class Wrong(NamedTuple):
    """Why a flick is not allowed: a code, the section of the rules, and the reason in words."""

    what: str
    rule: str
    text: str


def wrong_flick(
    entry: Flicked, wrong: Wrong | None, player: str | None, *, asked: bool
) -> tuple[Irregularity | Question, ...]:
    """Return the verdicts on a wrong flick: an irregularity and, where `asked` is true, a question.
    Nothing is returned for a flick that is not wrong.
    """
    if wrong is None:
        return ()
    on, coin = str(entry.id), entry.coin
    odd = Irregularity(
        on=on, what=wrong.what, rule=wrong.rule, text=wrong.text, coin=coin, player=player
    )
    if not asked:
        return (odd,)
    answers = ("overturned", "replaced", "upheld")
    return odd, Question(
        on=on,
        what="wrong_flick",
        rule=wrong.rule,
        text=f"{wrong.text} Does this flick stand?",
        answers=answers,
        coin=coin,
        player=player,
    )


def void(entry: Flicked, who: str, rule: str) -> Irregularity:
    """Return the irregularity of a flick to which its player had no right, as the match now
    reads.
    """
    text = (
        f"As the match now reads, {who} had no right to this flick: it earns, hits, wins and loses"
        " nothing."
    )
    return Irregularity(
        on=str(entry.id), what="void_entitlement", rule=rule, text=text, coin=entry.coin, player=who
    )


def denied(on: str, player: str, coin: str, left: int, rule: str) -> tuple[Irregularity, ...]:
    """Return the irregularity of flicks that a player lost because play went on without them;
    nothing where there were none.
    """
    if left == 0:
        return ()
    text = (
        f"As the match now reads, {player} had {flicks_in_words(left)} left when play went on;"
        f" {'it is' if left == 1 else 'they are'} lost."
    )
    return (
        Irregularity(
            on=on,
            what="denied_entitlement",
            rule=rule,
            text=text,
            coin=coin,
            player=player,
            facts={"flicks": left},
        ),
    )


def turn_over(player: str, lost: int) -> str:
    """Return the text of the call that ends a turn."""
    also = f" and {flicks_in_words(lost)} {'is' if lost == 1 else 'are'} lost" if lost else ""
    return f"{player}'s turn is over{also}."


def next_in_order(active: int, plays: Sequence[bool]) -> int:
    """Return the index of the next player who still plays; the active player's own where nobody
    else does.
    """
    following = ((active + k) % len(plays) for k in range(1, len(plays)))
    return next((index for index in following if plays[index]), active)


def refused(
    entry: Declaration, player: str, what: str, rule: str, text: str
) -> tuple[Irregularity]:
    """Return the irregularity of a declaration that the rules do not allow. Such a declaration has
    no effect.
    """
    return (
        Irregularity(
            on=str(entry.id), what=what, rule=rule, text=text, player=entry.player or player
        ),
    )


def agreed(entry: Agreed, players: Sequence[str], rule: str) -> tuple[tuple[str, ...], tuple[Call]]:
    """Return the winners and the call when the players agree to end the match.

    The winners are in order of play; there are none when the match ends level.
    """
    named = (entry.winner,) if isinstance(entry.winner, str) else entry.winner or ()
    winners = tuple(name for name in players if name in named)
    text = (
        f"The players end the match: {' and '.join(winners)}"
        f" {'win' if len(winners) > 1 else 'wins'}."
        if winners
        else "The players end the match level."
    )
    return winners, (
        Call(
            on=str(entry.id),
            call="game_won",
            player=winners[0] if winners else None,
            rule=rule,
            text=text,
        ),
    )


def after_the_end(
    entry: Incident | Declaration, *, moving: bool, rule: str
) -> tuple[Irregularity, ...]:
    """Return an irregularity for what is played or said after the match is won: it changes nothing.

    While coins are still `moving`, the incidents of the last flick are in order and give no
    irregularity.
    """
    if isinstance(entry, Challenge) or not isinstance(
        entry, Flicked | Placed | Said | LineCrossed | Contact | LeftTable | Pocketed
    ):
        return ()
    if moving and not isinstance(entry, Flicked | Said):
        return ()
    text = "The game is over; what happens after it changes nothing."
    return (
        Irregularity(
            on=str(entry.id),
            what="after_the_end",
            rule=rule,
            text=text,
            coin=getattr(entry, "coin", None),
        ),
    )


def rest_contradicts(
    entry: AtRest, coin: str, lain: Point | None, *, fell: bool, stays: bool, crossed: bool
) -> str:
    """Return in words how the rest after a flick contradicts what was seen of one coin in it; empty
    where the two agree.

    `lain` is where the coin lay before the flick. `fell`: the coin was seen leaving the table and
    was not put back. `stays`: the coin must lie on the table. `crossed`: the coin was seen crossing
    a line and not coming back.
    """
    at = entry.coins.get(coin)
    if at is not None and fell:
        return "was seen leaving the table, but lies on it."
    if at is None and entry.coins and lain is not None and stays:
        return "is gone, but nobody saw it leave the table."
    if at is not None and lain is not None and crossed and distance(at, lain) <= UNMOVED_MM:
        return "was seen crossing a line, but lies where it lay before."
    return ""


def gone_through(crossed: Sequence[tuple[str, str, int]]) -> set[str]:
    """Return the coins that ended on the other side of a line. `crossed` holds the coin, the line
    and the side (1 or -1) of every crossing seen.
    """
    net: dict[tuple[str, str], int] = {}
    for coin, line, side in crossed:
        net[coin, line] = net.get((coin, line), 0) + side
    return {coin for (coin, _), sides in net.items() if sides}


def rounded(point: Point) -> list[float]:
    """Return a point as calls give it, rounded to a hundredth of a millimetre."""
    return [round(point[0], 2) + 0.0, round(point[1], 2) + 0.0]


def plain_point(point: Point) -> Point:
    """Return a point as states hold it: two floats, even where the record wrote whole numbers."""
    return (float(point[0]), float(point[1]))


def flicks_in_words(number: int) -> str:
    """Return a number of flicks in words."""
    return {
        0: "no flick",
        1: "a flick",
        2: "two flicks",
        3: "three flicks",
        4: "four flicks",
        5: "five flicks",
    }.get(number, f"{number} flicks")
