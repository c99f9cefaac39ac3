"""The parts that all flicking games share: wrong flicks, duties before a flick, the end of a turn
and the end of a match.

Each function takes the few values it needs and returns plain values or verdicts. Every game has a
state of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from referee.domain.call import Call, Irregularity, Question
from referee.domain.clause import Reasons
from referee.domain.declaration import Agreed, Challenge, Declaration, Said
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
    Unseen,
)

#: A coin that is put down at most this far from where it lay counts as not moved, mm.
UNMOVED_MM: Final = 2.0
#: The largest gap between two rims that counts as "within a coin width", in coin widths.
COIN_WIDTH_TOLERANCE: Final = 1.1


def not_done_before(
    on: str,
    what: str,
    rule: str,
    text: str,
    *,
    coin: str | None = None,
    player: str | None = None,
    tile: str | None = None,
) -> Irregularity:
    """Return the irregularity of a flick that was made although something else had to be done
    first.
    """
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


def unseen(
    entry: Unseen, hidden: Mapping[str, str], rule: str, reasons: Reasons, *, upheld: bool
) -> tuple[Question, ...]:
    """Return the question whether anything happened to coins that the camera could not see during a
    flick; nothing if a ruling says that nothing did (`upheld`).

    `hidden` holds those of the unseen coins that are in play, each with its name in words.
    """
    hides = reasons.holds("hides_coin", bool(hidden), tuple(hidden.values()))
    if reasons.succeeds("nothing_happened", upheld) or not hides:
        return ()
    who = " and ".join(hidden.values())
    text = (
        f"{who[:1].upper()}{who[1:]} could not be seen for a while. Did anything happen to"
        f" {'it' if len(hidden) == 1 else 'them'}? If so, add what happened."
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
    For a flick that is not wrong, return nothing.
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
    """Return the irregularity of a flick that, under all rulings made so far, its player had no
    right to make.
    """
    text = (
        f"Under the rulings so far, {who} had no right to this flick: it earns, hits, wins and"
        " loses nothing."
    )
    return Irregularity(
        on=str(entry.id), what="void_entitlement", rule=rule, text=text, coin=entry.coin, player=who
    )


def denied(
    on: str, player: str, coin: str, left: int, rule: str, reasons: Reasons
) -> tuple[Irregularity, ...]:
    """Return the irregularity of flicks that a player lost because play went on without them;
    nothing if there were none.
    """
    if not reasons.fails("flicks_used_up", left > 0, player, left):
        return ()
    text = (
        f"Under the rulings so far, {player} had {flicks_in_words(left)} left when play went on;"
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


def expected_next(todo: Sequence[Mapping[str, Any]], *, over: bool, flicking: bool) -> str:
    """Return what is expected next: a flick, that all pieces come to rest, what must be done before
    the next flick (the `do` of the first task in `todo`), or nothing once the match is over.
    """
    if over:
        return "nothing"
    if flicking:
        return "rest"
    return str(todo[0]["do"]) if todo else "flick"


def turn_over(player: str, lost: int) -> str:
    """Return the text of the call that ends a turn."""
    also = f" and {flicks_in_words(lost)} {'is' if lost == 1 else 'are'} lost" if lost else ""
    return f"{player}'s turn is over{also}."


def next_in_order(active: int, plays: Sequence[bool]) -> int:
    """Return the index of the next player who still plays; that of the active player if nobody else
    still plays.
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
    """Return in words how a coin's place after a flick contradicts what was seen of the coin during
    the flick; empty if the two agree.

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
    """Return the coins that ended on the other side of a line from where they began. `crossed`
    holds the coin, the line and the side (1 or -1) of every crossing seen.
    """
    if not crossed:
        return set()
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
