"""Shots that a ruling leaves as they were played (`then: keep`), even if it follows from the ruling
that the player had no right to them, or had a right to more shots.

Each shot starts from where the balls stood when it was played, and keeps its go and its kind. Which
hoops count is decided under all rulings made so far. A shot that its player had no right to make is
void: that player's balls run no hoop in it, and it earns and roquets nothing.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from referee.domain.call import Irregularity, Verdict
from referee.domain.clause import Reasons
from referee.domain.declaration import (
    Concede,
    Declaration,
    Disaster,
    Pass,
    PiecepackCroquet,
    Shot,
    SpecialShot,
)
from referee.domain.incident import CoinFlipped, CoinTurned, Incident, Moved, Rolled
from referee.games.piecepack_croquet.state import Ball, Judged, State, Stroke, seat_of
from referee.games.piecepack_croquet.turns import end_go, turn_began, turn_ended

#: The entries that belong to a shot. They do nothing once its ball is out of the game.
OF_SHOTS: Final = (Rolled, Moved, Shot, PiecepackCroquet, SpecialShot, Disaster)
#: The entries that belong to a player's own go.
OF_GOES: Final = (*OF_SHOTS, CoinFlipped, CoinTurned, Concede, Pass)


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
    if (state.go, state.active) == (was.go, was.active):
        if begins and void != "go":
            lacks = was.expects == "croquet" != state.expects
            void = "shot" if reasons.fails("croquet_earned", lacks) else ""
    elif reasons.fails("go_goes_on", state.go > was.go or not state.balls[was.active].plays):
        void = "go"
    else:
        verdicts, void = _gone_on(state, was, on, reasons), ""
    if begins and void:
        verdicts += (_void(was, on),)
    roqueted = state.roqueted if state.go == was.go else was.roqueted
    balls = as_they_stood(state, was, ended, plays=was.active)
    ready = replace(was, balls=balls, roqueted=roqueted, void=void)
    if cannot_be_played(ready, entry):
        ready = replace(ready, void="go")
    return ready, verdicts


def as_they_stood(
    state: State, was: State, ended: State | None, plays: int | None = None
) -> tuple[Ball, ...]:
    """Return the balls with their progress under all rulings so far, but in the places where they
    stood in `was`.

    A ball that is out of the game now, or was out of it in `was`, keeps its present place. With
    `ended` (see `KnowsPawns.play_kept`), a ball also keeps its present place if it did not move
    between `ended` and `was`, unless `plays` is its index.
    """
    found = []
    for index, (now, old) in enumerate(zip(state.balls, was.balls, strict=True)):
        stays = (
            ended is not None
            and index != plays
            and (ended.balls[index].state, ended.balls[index].at) == (old.state, old.at)
        )
        lies = not stays and now.state != "pegged_out" and old.state in ("in_play", "off_lawn")
        found.append(replace(now, state=old.state, at=old.at) if lies else now)
    return tuple(found)


def cannot_be_played(state: State, entry: Incident | Declaration) -> bool:
    """Return whether an entry belongs to a shot with a ball that is out of the game."""
    said, motions = state.said, (state.moving, state.following)
    balls = {state.active, *(motion.ball for motion in motions if motion is not None)}
    if isinstance(said, Stroke):
        balls.add(said.ball)
    if state.struck is not None:
        balls.add(state.struck)
    return isinstance(entry, OF_SHOTS) and any(
        state.balls[index].state == "pegged_out" for index in balls
    )


def not_played(state: State, on: str) -> State:
    """Return the state after an entry that could not be played: the go is over."""
    return end_go(replace(state, void="go"), on)[0]


def owed(state: State) -> int:
    """Return how many shots the active player still has. A croquet is followed by a continuation
    shot.
    """
    return 2 if state.expects == "croquet" or state.kind in ("croquet", "play-off") else 1


def _gone_on(state: State, was: State, on: str, reasons: Reasons) -> tuple[Verdict, ...]:
    """Return the verdicts when play went on before a go was over."""
    seat, left = seat_of(state), owed(state)
    if not reasons.fails("shots_used_up", not state.void, seat.player, seat.pawn, left):
        return ()
    shots = "a shot" if left == 1 else f"{left} shots"
    text = (
        f"Under the rulings so far, {seat.player} had {shots} left with the {seat.pawn} ball when"
        f" play went on; {'it is' if left == 1 else 'they are'} lost."
    )
    denied = Irregularity(
        on=on,
        what="denied_entitlement",
        rule="Play",
        text=text,
        coin=seat.pawn,
        player=seat.player,
        facts={"flicks": left},
    )
    return denied, turn_ended(state, on), turn_began(was, on)


def _void(was: State, on: str) -> Irregularity:
    seat = seat_of(was)
    text = (
        f"Under the rulings so far, {seat.player} had no right to this shot with the {seat.pawn}"
        " ball: the shot earns nothing, and the ball roquets nothing."
    )
    return Irregularity(
        on=on, what="void_entitlement", rule="Play", text=text, coin=seat.pawn, player=seat.player
    )
