"""What had to hold for an incident to count in Tabletop Croquet, clause by clause, and whether it
held.
"""

from __future__ import annotations

from typing import Any

from referee.domain.clause import Clause
from referee.domain.declaration import Declaration
from referee.domain.incident import AtRest, Contact, Flicked, Incident, LeftTable, LineCrossed
from referee.games.tabletop_croquet import incident
from referee.games.tabletop_croquet.clauses_between import between, turn_over
from referee.games.tabletop_croquet.resting import judge_held
from referee.games.tabletop_croquet.scoring import POSTS, wins_void_flick
from referee.games.tabletop_croquet.state import (
    LAST_WICKET,
    STEPS,
    Judged,
    State,
    in_play,
    is_own,
    is_void,
    place_name,
    seat_of,
    whose,
)
from referee.games.tabletop_croquet.turns import flickable, may_flick

Entry = Incident | Declaration


def clauses(
    state: State, entry: Entry, *, upheld: bool, judged_in: State | None = None
) -> tuple[Clause, ...]:
    """The clauses for one entry; none for what no clause decides. `judged_in` is the state at rest
    where wickets are judged then.
    """
    if (
        judged_in is None
        or judged_in.flick is None
        or not isinstance(entry, LineCrossed | Contact | LeftTable)
    ):
        return _clauses(state, entry, upheld=upheld)
    state, counted = _as_judged(judged_in, entry)
    rows = _clauses(state, entry, upheld=upheld)
    if not isinstance(entry, LineCrossed):
        return rows
    return *rows, Clause(
        text="When all is at rest the coin is on the table and has not come back through.",
        met=counted,
    )


def _clauses(state: State, entry: Entry, *, upheld: bool) -> tuple[Clause, ...]:
    if state.over and not (isinstance(entry, AtRest) and state.flick is not None):
        return (
            Clause(text="The game still goes on.", met=False, facts={"winner": list(state.winner)}),
        )
    match entry:
        case Flicked():
            return _flicked(state, entry)
        case LineCrossed():
            return _step(state, entry.coin, entry.line, entry.direction)
        case Contact(with_=post) if post in POSTS:
            return _step(state, entry.coin, post, None)
        case Contact() if entry.with_ in state.table.by_coin and entry.coin in state.table.by_coin:
            return _hit(state, entry, upheld=upheld)
        case Contact():
            return (
                Clause(
                    text=(
                        "It touches the coin of another player or an endpost: nothing else counts."
                    ),
                    met=False,
                    facts={"with": entry.with_},
                ),
            )
        case LeftTable():
            return _fall(state, entry)
        case AtRest() if state.flick is not None:
            return turn_over(judge_held(state, incident)[0] if state.flick.held else state)
        case _:
            return between(state, entry)


def _as_judged(state: State, entry: Incident) -> tuple[State, bool]:
    """The state in which an incident that was held back until all was at rest was judged, and
    whether it was counted then at all.
    """
    found, counted = state, set[str | None]()

    def look(now: State, held: Incident, *, upheld: bool) -> Judged:
        nonlocal found
        if held.id in counted:  # all is played anew, without what turned out to be undone
            counted.clear()
        counted.add(held.id)
        if held.id == entry.id:
            found = now
        return incident(now, held, upheld=upheld)

    judge_held(state, look)
    return found, entry.id in counted


def _under_way(state: State) -> Clause:
    return Clause(text="A flick is under way.", met=state.flick is not None)


def _on_table(state: State, coin: str) -> Clause:
    fell = frozenset() if state.flick is None else state.flick.fell
    return Clause(
        text=f"{whose(state, coin)} has not left the table in this flick.", met=coin not in fell
    )


def _right(state: State, coin: str) -> tuple[Clause, ...]:
    """Of a void flick: its player had no right to what the coin does in it."""
    if state.flick is None or not is_void(state, coin):
        return ()
    return (Clause(text=f"{state.flick.void_by} had a right to this flick.", met=False),)


def _no_win(state: State, index: int, place: str) -> tuple[Clause, ...]:
    if place != "left-endpost" or not wins_void_flick(state, index):
        return ()
    return (Clause(text="The flick is one that may win the match.", met=False),)


def _own(state: State, coin: str, about: str) -> Clause:
    flick = state.flick
    facts: dict[str, Any] = {
        "turn_of": seat_of(state).name,
        "flicked": None if flick is None else flick.coin,
    }
    text = (
        f"It is {seat_of(state).name}'s turn, and this is {seat_of(state).name}'s own flick of"
        f" {whose(state, coin)}."
    )
    return Clause(
        text=text,
        met=is_own(state, coin),
        about="flicks" if about == "flicks" else "call",
        facts=facts,
    )


def _flicked(state: State, entry: Flicked) -> tuple[Clause, ...]:
    seat, wanted = seat_of(state), flickable(state)
    asked = [
        s.name
        for i, s in enumerate(state.table.seats)
        if (i == state.active or s.coin == entry.coin) and _unanswered(state, i)
    ]
    return (
        Clause(text="Everything is still.", met=state.flick is None),
        Clause(
            text=f"It is {seat.name} who flicks.",
            met=entry.player in (None, seat.name),
            facts={"player": entry.player or seat.name},
        ),
        Clause(
            text="Nobody concerned still has to choose between rover and leaving.",
            met=not asked,
            facts={"asked": asked} if asked else {},
        ),
        Clause(
            text=(
                f"It is {whose(state, wanted)} that is flicked, or a rover that may be forced out."
            ),
            met=may_flick(state, entry.coin),
            facts={"coin": entry.coin, "to_flick": wanted},
        ),
    )


def _unanswered(state: State, index: int) -> bool:
    coin = state.coins[index]
    return coin.choice == "asked" and in_play(coin) and not coin.conceded


def _step(state: State, coin: str, place: str, direction: str | None) -> tuple[Clause, ...]:
    index = state.table.by_coin.get(coin)
    played = Clause(text=f"Somebody plays the coin {coin}.", met=index is not None)
    if index is None or state.flick is None:
        return _under_way(state), played
    now = state.coins[index]
    right = (*_right(state, coin), *_no_win(state, index, place))
    first = (_under_way(state), played, *right, _on_table(state, coin))
    if now.state == "rover":
        return *first, *_rover(state, coin, place)
    left = Clause(
        text="It still has steps of this kind to make.",
        met=in_play(now) and now.progress < (LAST_WICKET if direction else len(STEPS)),
        facts={"progress": now.progress, "state": now.state},
    )
    more = [left, _next(state, index, place)]
    if direction is not None:
        more += _way(now.progress, place, direction)
    elif not is_own(state, coin):
        more.append(
            Clause(
                text="Endposts count for coins that are knocked on to them.",
                met=state.table.knocked_endposts_count,
            )
        )
    return *first, *more, _own(state, coin, "flicks")


def _next(state: State, index: int, place: str) -> Clause:
    progress = state.coins[index].progress
    wanted = STEPS[progress].place if progress < len(STEPS) else None
    return Clause(
        text=f"{place_name(place).capitalize()} is its next step.",
        met=place == wanted,
        facts={"next": wanted, "progress": progress},
    )


def _way(progress: int, place: str, direction: str) -> tuple[Clause, ...]:
    """Whether the next step is made the right way; nothing of a place that is not the next step."""
    step = STEPS[progress] if progress < len(STEPS) else None
    if step is None or step.place != place:
        return ()
    return (
        Clause(
            text=f"It is crossed {step.direction}.",
            met=direction == step.direction,
            facts={"direction": direction, "needed": step.direction},
        ),
    )


def _rover(state: State, coin: str, place: str) -> tuple[Clause, ...]:
    flick = state.flick
    assert flick is not None
    if place in POSTS:
        forced = flick.forced and flick.coin == coin
        return (
            Clause(
                text="A rover leaves the game by the left endpost.",
                met=place == "left-endpost",
                facts={"place": place},
            ),
            Clause(
                text=(
                    "It is the rover's own flick, or one that forces it out, or knocked coins count"
                    " at endposts."
                ),
                met=is_own(state, coin) or forced or state.table.knocked_endposts_count,
                facts={"forced": forced},
            ),
        )
    return (
        _own(state, coin, "call"),
        Clause(
            text=f"The rover has not been through {place_name(place)} this turn.",
            met=place not in state.passed,
            facts={"passed": sorted(state.passed)},
        ),
    )


def _hit(state: State, entry: Contact, *, upheld: bool) -> tuple[Clause, ...]:
    coin, other, flick = entry.coin, entry.with_, state.flick
    if flick is None:
        return (_under_way(state),)
    if not flick.hits:
        may_hit = Clause(text="The flick is one that may hit.", met=False)
        return _under_way(state), *(_right(state, coin) or (may_hit,))
    touching = flick.touching & {coin, other} if flick.coin in (coin, other) else frozenset()
    theirs, seat = state.coins[state.table.by_coin[other]], seat_of(state)
    apart = Clause(
        text=f"{whose(state, other)} did not touch it when the flick was made.",
        met=True,
        facts={"touching": sorted(flick.touching)},
    )
    rows = [
        _under_way(state),
        _own(state, coin, "call"),
        (
            _apart(state, other, again=bool(touching & flick.met), upheld=upheld)
            if touching
            else apart
        ),
        _on_table(state, coin),
        Clause(
            text=f"{whose(state, other)} is in play.",
            met=in_play(theirs),
            facts={"state": theirs.state},
        ),
    ]
    if state.table.teams:
        team = state.table.seats[state.table.by_coin[other]].team
        rows.append(
            Clause(
                text=f"{whose(state, other)} is of another team.",
                met=team != seat.team,
                facts={"teams": [seat.team, team]},
            )
        )
    text = (
        f"{seat.name} has not hit {whose(state, other)} already since the last step of the course"
        " or the turn's beginning."
    )
    return *rows, Clause(
        text=text,
        met=other not in state.dead,
        facts={"dead_on": [s.coin for s in state.table.seats if s.coin in state.dead]},
    )


def _apart(state: State, other: str, *, again: bool, upheld: bool) -> Clause:
    """Of two coins that touched when the flick was made: whether they parted and met anew
    (TC-13).
    """
    text = (
        f"{whose(state, other)} touched it when the flick was made: the two have parted and met"
        " anew."
    )
    return Clause(
        text=text,
        met=None if again and not upheld else again,
        facts={"met_before_in_this_flick": again},
    )


def _fall(state: State, entry: LeftTable) -> tuple[Clause, ...]:
    index = state.table.by_coin.get(entry.coin)
    met = index is not None and in_play(state.coins[index])
    play = Clause(
        text=f"{whose(state, entry.coin)} is in play.", met=met, facts={"at_mm": list(entry.at_mm)}
    )
    if not met:
        return (play,)
    return play, _own(state, entry.coin, "flicks")
