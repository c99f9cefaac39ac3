"""Judges the crossings of wickets only once all coins lie still (option `wicket_credit: rest`,
TC-2).
"""

from __future__ import annotations

from referee.domain.call import Call, Question, Verdict
from referee.domain.clause import NO_REASONS, Reasons
from referee.domain.incident import LeftTable, LineCrossed
from referee.games.tabletop_croquet.moving import moved
from referee.games.tabletop_croquet.state import TURNS, Held, Judged, Moving, State, with_flick


def hold(state: State, entry: Moving, reasons: Reasons, *, upheld: bool) -> Judged:
    """Keep an incident until all coins lie still. If there is a question about it, return the
    question at once instead.
    """
    assert state.flick is not None
    judged, verdicts = moved(state, entry, reasons, upheld=upheld)
    asked = tuple(verdict for verdict in verdicts if isinstance(verdict, Question))
    if asked:
        return state, asked
    met = state.flick.met if judged.flick is None else judged.flick.met
    return with_flick(state, held=(*state.flick.held, (entry, upheld)), met=met), ()


def judge_held(state: State, reasons: Reasons = NO_REASONS) -> Judged:
    """Judge the incidents of a flick that were kept until rest, in their order. Leave out each
    crossing that does not count.

    A crossing does not count if the coin's last crossing of that line in the flick went the other
    way and was no step. A coin that fell off the table passes no wicket.
    """
    assert state.flick is not None
    held, start = state.flick.held, with_flick(state, held=(), met=frozenset())
    fell = {entry.coin for entry, _ in held if isinstance(entry, LeftTable)}
    out = {
        str(entry.id): "the coin left the table"
        for entry, _ in held
        if isinstance(entry, LineCrossed) and entry.coin in fell
    }
    while True:
        after, verdicts = _play(start, held, out, reasons)
        undone = _first_undone(held, out, verdicts)
        if undone is None:
            return after, verdicts
        out[undone] = "the coin came back through it"


def gain(state: State, entry: LineCrossed) -> int | None:
    """Return how many steps (for a rover, how many flicks) the crossing gains for the coin's owner;
    None for a coin that no player has.
    """
    index = state.table.by_coin.get(entry.coin)
    if index is None or state.flick is None:
        return None
    without, _ = judge_held(state)
    after, _ = judge_held(with_flick(state, held=(*state.flick.held, (entry, False))))
    steps = after.coins[index].progress - without.coins[index].progress
    return steps or (after.flicks - without.flicks if after.coins[index].state == "rover" else 0)


def _play(state: State, held: Held, out: dict[str, str], reasons: Reasons) -> Judged:
    """Play the kept incidents. `out` maps the crossings that earn nothing to the reason."""
    verdicts: tuple[Verdict, ...] = ()
    for entry, upheld in held:
        asked, why = reasons.about(str(entry.id)), out.get(str(entry.id), "")
        after, more = moved(state, entry, asked, upheld=upheld)
        if isinstance(entry, LineCrossed) and not asked.holds("stays_through", not why):
            more = (_not_counted(state, entry, why),)
        else:
            state = after
        verdicts += more
    return state, verdicts


def _not_counted(state: State, entry: LineCrossed, why: str) -> Call:
    index = state.table.by_coin.get(entry.coin)
    player = None if index is None else state.table.seats[index].name
    text = (
        f"{player}'s coin crosses {entry.line.replace('-', ' ')}, but {why}: judged at rest, the"
        " crossing does not count."
    )
    return Call(
        on=str(entry.id),
        call="no_effect",
        player=player,
        coin=entry.coin,
        place=entry.line,
        flicks=0,
        rule=TURNS,
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
