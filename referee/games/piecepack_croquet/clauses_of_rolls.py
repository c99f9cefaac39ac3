"""What a roll of Croquet for piecepack had to be, and what had to hold for each thing that came of
it.
"""

from __future__ import annotations

from typing import Any

from referee.domain.call import Call
from referee.domain.clause import Clause
from referee.games.piecepack_croquet import lawn
from referee.games.piecepack_croquet.rolling import ACE, BLANK, meant_for_peg, rolled, succeeds
from referee.games.piecepack_croquet.state import (
    LAST_HOOP,
    Announced,
    State,
    Stroke,
    index_of,
    name_of,
)

FOR = {
    "shot": "the shot",
    "direction": "which way the misshot goes on",
    "hoop": "the hoop that is entered diagonally",
    "peg": "whether the ball hits the peg",
    "croquet": "the croquet",
    "follow": "whether the follow-through succeeds",
}


def of_roll(state: State, face: str) -> tuple[Clause, ...]:
    """The clauses of a roll, or of a special shot in its place, and of what the balls then did."""
    if state.expects != "roll":
        return (Clause(text="A roll was awaited.", met=False, facts={"awaited": state.expects}),)
    facts = {"rolled": face}
    awaited = Clause(text=f"A roll was awaited: for {FOR[state.roll]}.", met=True, facts=facts)
    return awaited, *_decides(state, face), *_events(state, face)


def _decides(state: State, face: str) -> tuple[Clause, ...]:
    said, motion = state.said, state.moving
    if state.roll in ("shot", "croquet") and isinstance(said, Announced | Stroke):
        return _against(face, said.distance if isinstance(said, Stroke) else len(said.steps))
    if state.roll == "hoop" and motion is not None:
        return _against(face, motion.difficulty)
    if state.roll == "direction" and motion is not None:
        way = lawn.NAMES[motion.steps[0]]
        aside = (
            None
            if face in (BLANK, "2")
            else lawn.NAMES[lawn.turned(motion.steps[0], -1 if face in ("3", "4") else 1)]
        )
        text = (
            "It keeps to its route, one short of the end: a blank or a 2. A 3 or 4 turns it 45"
            " degrees to the left, a 5 or the ace to the right."
        )
        return (
            Clause(
                text=text,
                met=aside is None,
                facts={
                    "next_step": way,
                    "steps_left": len(motion.steps),
                    **({"goes": aside} if aside else {}),
                },
            ),
        )
    if state.roll == "follow":
        return (
            Clause(
                text="The follow-through succeeds: neither a blank nor the ace.",
                met=face not in (BLANK, ACE),
            ),
        )
    return _peg(state, face)


def _against(face: str, difficulty: int) -> tuple[Clause, ...]:
    return (
        Clause(text="It is no blank, which is a disaster.", met=face != BLANK),
        Clause(
            text="It is at least the difficulty; the ace always is.",
            met=succeeds(face, difficulty),
            facts={"difficulty": difficulty},
        ),
    )


def _peg(state: State, face: str) -> tuple[Clause, ...]:
    motion = state.moving
    assert motion is not None
    meant, number = meant_for_peg(state, motion), face not in (BLANK, ACE)
    text = (
        "The ball is meant for the peg: the active player's own, with all six hoops run, on an"
        " announced route that holds the peg."
    )
    facts = {
        "ball": state.table.seats[motion.ball].pawn,
        "hoops": state.balls[motion.ball].hoops,
        "on_its_announced_route": motion.meant,
    }
    wanted = "2 to 5" if meant else "a blank or the ace"
    rows = [
        Clause(text=text, met=meant, facts=facts),
        Clause(
            text=(
                f"It hits the peg: {wanted}, for a ball that is {'' if meant else 'not '}meant"
                " for it."
            ),
            met=number == meant,
        ),
    ]
    if number == meant:
        hoops = state.balls[motion.ball].hoops
        rows.append(
            Clause(
                text="It has run all six hoops, so that it is out and need not start again.",
                met=hoops == LAST_HOOP,
                facts={"hoops": hoops},
            )
        )
    return tuple(rows)


def _events(state: State, face: str) -> tuple[Clause, ...]:
    """What came of the roll, in order, judged by what had come of it before."""
    after, verdicts = rolled(state, "?", face)
    hoops, roqueted, found = (
        [ball.hoops for ball in state.balls],
        set(state.roqueted),
        list[Clause](),
    )
    for call in (
        verdict for verdict in verdicts if isinstance(verdict, Call) and verdict.coin is not None
    ):
        index = index_of(str(call.coin))
        if (call.place or "").startswith("hoop-"):
            found += _hoop(state, call, index, hoops[index])
        elif call.call == "collision":
            found += _collision(state, call, index, hoops[index], roqueted)
        if call.call == "hoop_run":
            hoops[index] += 1
            roqueted = set() if index == state.active else roqueted
        elif call.call == "roquet":
            roqueted.add(index_of(str(call.with_)))
    return (
        *found,
        *_earned(
            state,
            after,
            any(
                one.call == "hoop_run" and one.coin == state.table.seats[state.active].pawn
                for one in _calls(verdicts)
            ),
        ),
    )


def _calls(verdicts: tuple[Any, ...]) -> list[Call]:
    return [verdict for verdict in verdicts if isinstance(verdict, Call)]


def _hoop(state: State, call: Call, index: int, hoops: int) -> tuple[Clause, ...]:
    """A hoop come to: run, gone through without effect, stopped on, or met from the side."""
    hoop, who = int(str(call.place).removeprefix("hoop-")), name_of(state, index)
    facts: dict[str, Any] = {"next": f"hoop-{hoops + 1}" if hoops < LAST_HOOP else "peg"}
    following = Clause(
        text=f"Hoop {hoop} is the next hoop of {who}.",
        met=hoop == hoops + 1,
        about="step",
        facts=facts,
    )
    if call.call == "on_hoop":
        return following, Clause(
            text=f"{who} leaves hoop {hoop} by its far side; it stands on it.",
            met=False,
            about="step",
        )
    came = (call.facts or {}).get("way", "forwards")
    if came == "sideways":
        return (
            Clause(
                text=(
                    f"{who} comes to hoop {hoop} from the front, from behind or diagonally, not"
                    " from the side."
                ),
                met=False,
                about="step",
            ),
        )
    way = "upwards" if lawn.HOOPS[hoop - 1][1] > 0 else "downwards"
    return following, Clause(
        text=f"{who} leaves hoop {hoop} by its far side, going {way}.",
        met=came == "forwards",
        about="step",
    )


def _collision(
    state: State, call: Call, index: int, hoops: int, roqueted: set[int]
) -> tuple[Clause, ...]:
    """A collision: whether it is a roquet."""
    first, other = name_of(state, index), index_of(str(call.with_))
    second = name_of(state, other)
    text = f"{first}, which hits {second}, is the ball whose go it is; only that one roquets."
    mine = Clause(text=text, met=index == state.active, facts=dict(call.facts or {}))
    if index != state.active:
        return (mine,)
    pawns = [state.table.seats[one].pawn for one in sorted(roqueted)]
    return (
        mine,
        Clause(
            text=f"{first} has run hoop 1, before which nobody roquets.",
            met=hoops > 0,
            facts={"hoops": hoops},
        ),
        Clause(
            text=f"{second} has not been roqueted in this go, since the last hoop.",
            met=other not in roqueted,
            facts={"roqueted": pawns},
        ),
    )


def _earned(state: State, after: State, ran: bool) -> tuple[Clause, ...]:
    """Whether a hoop the own ball has run in this shot earns a bonus shot, once all is still."""
    if after.over or after.expects in ("roll", "disaster") or not (ran or state.ran):
        return ()
    kind = "ordinary" if state.kind == "shot" else state.kind
    text = (
        "The hoop is run on a shot of the ball's own, no croquet, which ends on the lawn and"
        " roquets nobody: it earns a bonus shot."
    )
    return (
        Clause(
            text=text,
            met=after.go == state.go and after.kind == "bonus",
            facts={"kind_of_shot": kind, "roquet": after.expects == "croquet"},
        ),
    )
