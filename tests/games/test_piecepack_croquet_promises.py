"""What the fold of Croquet for piecepack promises for random play, legal or not."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from referee.domain.call import Call
from referee.games import piecepack_croquet as game
from referee.games.piecepack_croquet.lawn import EDGE, NAMES, STARTS, STEPS, on_lawn
from referee.replay.adjudication import adjudicate
from referee.replay.fold import fold
from tests.games.promises import Lines, checks, read

CHECKS = checks(50)
FACES = ("null", "ace", "2", "3", "4", "5")
PAWNS = ("black", "red", "blue", "green")
SUITS = ("moons", "suns", "arms", "crowns")
FORMS: tuple[list[dict[str, Any]], ...] = (
    [{"name": "Ann", "pawns": ["black", "blue"]}, {"name": "Ben", "pawns": ["red", "green"]}],
    [
        {"name": "Ann", "pawn": "black", "team": "A"},
        {"name": "Ben", "pawns": ["red", "green"], "team": "B"},
        {"name": "Cyd", "pawn": "blue", "team": "A"},
    ],
    [
        {"name": name, "pawn": pawn}
        for name, pawn in zip(("Ann", "Ben", "Cyd", "Dee"), PAWNS, strict=True)
    ],
)
EXPECTS = {"place", "shot", "continuation", "croquet", "roll", "disaster", "nothing"}
ROLLS = {"shot", "direction", "hoop", "croquet", "follow", "peg"}
#: Routes of aces after which Black has run hoop 1 and roqueted Red, with Blue and Green nearby.
ROQUET: tuple[tuple[str, list[list[int]]], ...] = (
    ("black", [[2, 0], [2, 1]]),
    ("red", [[3, 0], [3, 1], [3, 2], [3, 3]]),
    ("blue", [[1, 0], [1, 1], [1, 2], [1, 3]]),
    ("green", [[3, 0], [3, 1]]),
    ("", [[2, 2], [2, 3]]),
    ("", [[3, 3]]),
)


def incident(kind: str, **fields: Any) -> dict[str, Any]:
    return {"entry": "incident", "kind": kind, **fields}


def said(kind: str, **fields: Any) -> dict[str, Any]:
    return {"entry": "declaration", "kind": kind, **fields}


def up_to_a_roquet() -> Lines:
    lines: Lines = []
    for pawn, points in ROQUET:
        if pawn:
            lines.append(incident("moved", pawn=pawn, **{"from": None, "to": points[0]}))
        lines += [
            said("shot", route=points[1:] if pawn else points),
            incident("rolled", die="roll", face="ace"),
        ]
    return [{"id": f"o{number}", **line} for number, line in enumerate(lines)]


def route(dice: random.Random, at: list[int]) -> list[list[int]]:
    """Return a route that mostly may be announced: two neighbouring directions, on the lawn."""
    first = dice.randrange(8)
    found, here = [], tuple(at)
    for _ in range(dice.choice((1, 1, 2, 2, 3, 4, 6))):
        dx, dy = STEPS[(first + dice.randrange(2)) % 8]
        here = (here[0] + dx, here[1] + dy)
        if not on_lawn(here) and dice.random() < 0.95:
            break
        found.append(list(here))
    return found


def wanted(dice: random.Random, state: Any) -> dict[str, Any]:
    """Return an entry of the kind that is expected."""
    turn = game.turn(state)
    own = next(row for row in game.standings(state) if row["pawn"] == turn["pawn"])
    direction, aside = dice.randrange(8), dice.choice((-1, 0, 1))
    match turn["expects"]:
        case "place":
            return incident(
                "moved", pawn=turn["pawn"], **{"from": None, "to": dice.choice(turn["places"])}
            )
        case "shot" | "continuation":
            return said("shot", route=route(dice, own["at"]))
        case "croquet":
            stroke = dice.choice(("play-off", "stop-shot", "follow-through"))
            fields: dict[str, Any] = (
                {}
                if stroke == "play-off"
                else {"direction": NAMES[direction], "distance": dice.choice((1, 2, 3, 6, 10**9))}
            )
            return said(
                "croquet",
                stroke=stroke,
                **fields,
                **(
                    {"follow_direction": NAMES[(direction + aside) % 8]}
                    if stroke == "follow-through"
                    else {}
                ),
            )
        case "roll":
            coin = dice.choice([*own["special_shots"], "suns-5"])
            return (
                said("special_shot", coin=coin)
                if dice.random() < 0.1
                else incident("rolled", die="roll", face=dice.choice(FACES))
            )
        case _:
            return said("disaster", choice=choice(dice, state, direction))


def choice(dice: random.Random, state: Any, direction: int) -> dict[str, Any]:
    points = [list(at) for at in getattr(state.said, "route", ())] or [[3, 3]]
    return dice.choice(
        (
            {"kind": "stop", "at": dice.choice(points)},
            {"kind": "straight", "direction": NAMES[direction]},
            {
                "kind": "ball",
                "direction": NAMES[direction],
                "distance": dice.choice((1, getattr(state.said, "distance", 2))),
            },
            {
                "kind": "ball",
                "direction": NAMES[direction],
                "distance": 1,
                "own_direction": dice.choice(NAMES),
            },
            {"kind": "follow", "own_direction": dice.choice(NAMES)},
        )
    )


def anything(dice: random.Random) -> dict[str, Any]:
    """Return an entry that can be read, allowed by the rules or not."""
    coin, point = (
        f"{dice.choice(SUITS)}-{dice.choice(FACES)}",
        [dice.randrange(-1, 10), dice.randrange(-1, 14)],
    )
    return dice.choice(
        (
            said("shot", route=[point]),
            said("pass"),
            said("special_shot", coin=coin),
            said("disaster", choice={"kind": "stop", "at": point}),
            said("croquet", stroke="stop-shot", direction=dice.choice(NAMES), distance=2),
            incident("rolled", die="roll", face=dice.choice(FACES)),
            incident(
                "rolled",
                die="roll",
                face=dice.choice(FACES),
                probability=dice.choice((0.01, 0.5, 0.99)),
            ),
            incident(
                "moved",
                pawn=dice.choice(PAWNS),
                **{
                    "from": dice.choice((None, point)),
                    "to": dice.choice((None, point, list(STARTS[0]))),
                },
            ),
            incident("coin_flipped", coin=coin),
            incident("coin_turned", coin=coin, angle_deg=float(dice.randrange(0, 360, 45))),
            incident("unseen", pieces=["black"], from_s=1.0, to_s=2.0),
            incident("renamed", coins={"black": "red", "red": "black"}),
            said("challenge", on=None),
            *(
                [said("concede", player="Ben"), said("agreed", winner=None)]
                if dice.random() < 0.05
                else []
            ),
        )
    )


def ruling(dice: random.Random, names: list[tuple[str, str]]) -> dict[str, Any]:
    """Return a ruling on something in the record. `names` are ids with what they are."""
    name, what = dice.choice(names)
    verdict = dice.choice(
        ("upheld", "overturned")
        if what == "ruling"
        else ("upheld", "overturned", "replaced", "added")
    )
    found: dict[str, Any] = {
        "entry": "ruling",
        "verdict": verdict,
        "after" if verdict == "added" else "on": name,
    }
    then = dice.choice((None, None, "rewind", "keep"))
    if then is not None:
        found["then"] = then
    if verdict in ("replaced", "added"):
        found["replacement"] = incident("rolled", die="roll", face=dice.choice(FACES))
    return found


@st.composite
def records(draw: st.DrawFn, *, ruled: bool = True, wild: float = 0.15, longest: int = 60) -> Lines:
    """Draw a setup and entries that can be read. Most of them are expected ones."""
    dice = draw(
        st.randoms(use_true_random=False, note_method_calls=False).map(
            lambda one: random.Random(one.random())
        )
    )
    options = {"min_knock_on": dice.choice((0, 1)), "challenges": dice.choice((None, 1))}
    first = {
        "entry": "setup",
        "format": "piecepack-match/1",
        "game": "piecepack-croquet",
        "players": dice.choice(FORMS),
        "options": options,
    }
    lines: Lines = [first]
    names: list[tuple[str, str]] = []
    lines += up_to_a_roquet() if dice.random() < 0.6 else []
    folded = fold(read(lines))
    for number in range(draw(st.integers(0, longest))):
        how = dice.random()
        if ruled and names and how < 0.05:
            entry = ruling(dice, names)
        elif how < wild or game.is_over(folded.state):
            entry = anything(dice)
        else:
            entry = wanted(dice, folded.state)
        lines.append({"id": f"n{number}", **entry})
        names.append((f"n{number}", entry["entry"]))
        folded.push(read(lines)[-1])
    return lines


@CHECKS
@given(records())
def test_balls_are_where_a_ball_can_be(lines: Lines) -> None:
    folded = fold(read(lines))
    for step in folded.steps:
        rows = game.standings(step.state)
        assert [row["pawn"] for row in rows] == list(PAWNS)
        for row in rows:
            assert row["state"] in {"not_entered", "in_play", "off_lawn", "pegged_out"}
            assert (row["at"] is None) == (row["state"] in {"not_entered", "pegged_out"})
            assert row["at"] is None or on_lawn(tuple(row["at"]))
            assert row["state"] != "off_lawn" or tuple(row["at"]) in EDGE
            assert 0 <= row["hoops"] <= 6
            assert (row["state"] == "not_entered" and row["hoops"] == 0) or row[
                "state"
            ] != "not_entered"


@CHECKS
@given(records())
def test_what_is_waited_for_has_a_name_of_the_record(lines: Lines) -> None:
    folded = fold(read(lines))
    for step in folded.steps:
        turn = game.turn(step.state)
        assert turn["expects"] in EXPECTS
        assert (turn["expects"] == "roll") == ("roll" in turn)
        assert turn.get("roll", "shot") in ROLLS
        assert (turn["expects"] == "nothing") == game.is_over(step.state)
        hash(step.state)


@CHECKS
@given(records())
def test_hoops_are_run_one_by_one_and_lost_only_at_the_peg(lines: Lines) -> None:
    folded = fold(read(lines))
    before = folded.begun
    for step in folded.steps:
        calls = [verdict for verdict in step.verdicts if isinstance(verdict, Call)]
        for index, (old, new) in enumerate(zip(before.balls, step.state.balls, strict=True)):
            run = [call for call in calls if call.call == "hoop_run" and call.coin == PAWNS[index]]
            pegged = any(call.call == "pegged" and call.coin == PAWNS[index] for call in calls)
            assert new.hoops == (0 if pegged else old.hoops + len(run))
            assert set(new.shots) <= set(old.shots)
            assert new.state == "pegged_out" or old.state != "pegged_out"
        before = step.state


@CHECKS
@given(records(ruled=False, wild=0.0))
def test_play_as_asked_for_is_never_stuck(lines: Lines) -> None:
    """Play that only answers what is expected never comes at the wrong time, and its placings are
    always accepted.
    """
    adjudged = adjudicate(read(lines))
    if adjudged.status != "won":
        assert not {one.what for one in adjudged.irregularities} & {
            "declaration_not_allowed",
            "roll_not_expected",
            "wrong_place",
            "pawn_misplaced",
        }
