"""The reading in which wickets are judged when all is at rest (option `wicket_credit: rest`,
TC-2).
"""

from __future__ import annotations

from collections.abc import Callable

from referee.domain.call import Call, Verdict
from referee.domain.incident import Incident, LeftTable, LineCrossed
from referee.games.tabletop_croquet.state import Judged, State, with_flick

Apply = Callable[..., Judged]
Held = tuple[tuple[Incident, bool], ...]


def judge_held(state: State, apply: Apply) -> Judged:
    """Play the flick's incidents as if each were made at its own time, without the crossings that
    earn nothing at rest.

    A crossing counts unless the coin's last crossing of that line in the flick went the other way
    and was no step itself; a coin that fell passes nothing.
    """
    assert state.flick is not None
    held, start = state.flick.held, with_flick(state, held=(), met=frozenset())
    fell = {entry.coin for entry, _ in held if isinstance(entry, LeftTable)}
    out = {
        str(entry.id): "fell"
        for entry, _ in held
        if isinstance(entry, LineCrossed) and entry.coin in fell
    }
    while True:
        after, verdicts = _play(start, held, out, apply)
        undone = _first_undone(held, out, verdicts)
        if undone is None:
            return after, verdicts
        out[undone] = "undone"


def gain(state: State, entry: LineCrossed, apply: Apply) -> int | None:
    """By how many steps, or a rover's flicks, its owner is better off for a crossing than without
    it; None for a coin that nobody plays.
    """
    index = state.table.by_coin.get(entry.coin)
    if index is None or state.flick is None:
        return None
    without, _ = judge_held(state, apply)
    after, _ = judge_held(with_flick(state, held=(*state.flick.held, (entry, False))), apply)
    steps = after.coins[index].progress - without.coins[index].progress
    return steps or (after.flicks - without.flicks if after.coins[index].state == "rover" else 0)


def _play(state: State, held: Held, out: dict[str, str], apply: Apply) -> Judged:
    verdicts: tuple[Verdict, ...] = ()
    for entry, upheld in held:
        if str(entry.id) in out:
            verdicts += (_not_counted(state, entry, out[str(entry.id)]),)
            continue
        state, more = apply(state, entry, upheld=upheld)
        verdicts += more
    return state, verdicts


def _not_counted(state: State, entry: Incident, why: str) -> Call:
    assert isinstance(entry, LineCrossed)
    index = state.table.by_coin.get(entry.coin)
    player = None if index is None else state.table.seats[index].name
    reason = "the coin left the table" if why == "fell" else "the coin came back through it"
    text = (
        f"{player}'s coin crosses {entry.line.replace('-', ' ')}, but {reason}: judged at rest it"
        " does not count."
    )
    return Call(
        on=str(entry.id),
        call="no_effect",
        player=player,
        coin=entry.coin,
        place=entry.line,
        flicks=0,
        rule="Player turns",
        text=text,
    )


def _first_undone(held: Held, out: dict[str, str], verdicts: tuple[Verdict, ...]) -> str | None:
    scored = {
        verdict.on
        for verdict in verdicts
        if isinstance(verdict, Call) and verdict.call == "wicket_scored"
    }
    last = {(entry.coin, entry.line): entry for entry, _ in held if isinstance(entry, LineCrossed)}
    for entry, _ in held:
        if isinstance(entry, LineCrossed) and str(entry.id) in scored and str(entry.id) not in out:
            end = last[entry.coin, entry.line]
            if end.direction != entry.direction and str(end.id) not in scored:
                return str(entry.id)
    return None
