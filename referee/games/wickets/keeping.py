"""Moves that a ruling leaves as they were played (`then: keep`), even if it follows from the ruling
that the player had no right to them, or had a right to more moves.

Each move is played from where the balls stood when it was first played, and in the same turn.
Points and dead balls are decided under all rulings made so far. A shot that its player had no right
to make is void: that player's balls make no step in it, and it earns and roquets nothing.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from referee.domain.call import Irregularity, Verdict
from referee.domain.clause import Reasons
from referee.domain.declaration import Concede, Continuation, Declaration, Pass, WicketsCroquet
from referee.domain.incident import Incident, Moved, Rolled
from referee.games.wickets.state import BOTH, Ball, Judged, State, seat_of, standing_on, with_ball
from referee.games.wickets.turns import can_play, turn_began, turn_ended, turn_over

#: The entries that belong to a strike or a croquet. They do nothing once the ball is out.
OF_SHOTS: Final = (Rolled, Moved, Continuation, WicketsCroquet, Pass)
#: The entries that belong to a player's own turn.
OF_TURNS: Final = (*OF_SHOTS, Concede)


def as_played(
    state: State,
    was: State,
    ended: State | None,
    entry: Incident | Declaration,
    reasons: Reasons,
    *,
    begins: bool,
) -> Judged:
    """Return the state in which a kept entry is played, and the verdicts about what is void or
    denied. The entry was first played in the state `was`.

    `begins` says that the entry begins a shot.
    """
    on, void, verdicts = str(entry.id), state.void, tuple[Verdict, ...]()
    if (state.number, state.active) == (was.number, was.active):
        if begins and void != "turn" and was.phase == "choice":
            lacks = reasons.fails("choice_given", not _has_right(state, entry))
            void = "shot" if lacks else ""
    elif reasons.fails(
        "turn_goes_on", state.number > was.number or not can_play(state, was.active)
    ):
        void = "turn"
    else:
        verdicts, void = _gone_on(state, was, on, reasons), ""
    if (
        begins
        and void
        and not isinstance(entry, Pass)
        and (was.phase == "choice" or state.void != void)
    ):
        verdicts += (_void(was, on),)
    balls = as_they_stood(state, was, ended, was.active if isinstance(entry, Moved) else None)
    ready = replace(was, balls=balls, conceded=state.conceded, void=void)
    ready = with_ball(ready, was.active, dead=was.balls[was.active].dead)
    if cannot_be_played(ready, entry):
        ready = replace(ready, void="turn")
    return ready, verdicts


def _has_right(state: State, entry: Incident | Declaration) -> bool:
    """Return whether the player has a right to the choice that the entry makes."""
    return state.phase == "choice" and (
        bool(state.met) or not isinstance(entry, Rolled | WicketsCroquet)
    )


def as_they_stood(
    state: State, was: State, ended: State | None, plays: int | None = None
) -> tuple[Ball, ...]:
    """Return the balls with their progress under all rulings so far, but in the places where they
    stood in `was`. A ball that is out now stays out, and a ball that was out in `was` keeps its
    present place.

    With `ended` (see `KnowsPawns.play_kept`), a ball that did not move between `ended` and `was`
    keeps its present place, unless `plays` is its index or another ball stands there in `was`.
    """
    found = []
    for index, (now, old) in enumerate(zip(state.balls, was.balls, strict=True)):
        stays = (
            ended is not None
            and index != plays
            and ended.balls[index].at == old.at
            and (now.at is None or not standing_on(was, now.at, index))
        )
        gone = now.out or old.out
        found.append(now if gone or stays else replace(now, at=old.at, came=old.came))
    return tuple(found)


def counted(state: State, was: State, after: State) -> State:
    """Return `after` with a corrected list of the balls that are dead to the ball that played: the
    list that follows from all rulings so far. `state` and `was` are the states before the entry.
    """
    index = was.active
    now, old, new = state.balls[index], was.balls[index], after.balls[index]
    if new.points > now.points:
        return after
    seats = zip(after.table.seats, after.balls, strict=True)
    return with_ball(
        after,
        index,
        dead=(now.dead | (new.dead - old.dead)) - {seat.pawn for seat, ball in seats if ball.out},
    )


def cannot_be_played(state: State, entry: Incident | Declaration) -> bool:
    """Return whether an entry belongs to a shot with a ball that is out, or with a met ball that is
    not on the board.
    """
    met = (*state.met, *(state.sent or ())[:1])
    gone = any(state.balls[state.table.by_pawn[pawn]].at is None for pawn in met)
    return isinstance(entry, OF_SHOTS) and (gone or state.balls[state.active].out)


def not_played(state: State, on: str) -> State:
    """Return the state after an entry that could not be played: the turn is over."""
    return turn_over(replace(state, void="turn"), on)[0]


def _gone_on(state: State, was: State, on: str, reasons: Reasons) -> tuple[Verdict, ...]:
    """Return the verdicts when play went on before a turn was over."""
    seat = seat_of(state)
    if not reasons.fails("shots_used_up", not state.void, seat.name, seat.pawn):
        return ()
    text = (
        f"Under the rulings so far, {seat.name} had a shot left with the {seat.pawn} ball when play"
        " went on; it is lost."
    )
    denied = Irregularity(
        on=on,
        what="denied_entitlement",
        rule=BOTH,
        text=text,
        coin=seat.pawn,
        player=seat.name,
        facts={"flicks": 1},
    )
    return denied, turn_ended(state, on), turn_began(was, on)


def _void(was: State, on: str) -> Irregularity:
    seat = seat_of(was)
    text = (
        f"Under the rulings so far, {seat.name} had no right to this shot with the {seat.pawn}"
        " ball: the shot earns nothing, and the ball roquets nothing."
    )
    return Irregularity(
        on=on, what="void_entitlement", rule=BOTH, text=text, coin=seat.pawn, player=seat.name
    )
