"""What Castle Croquetnole's fold promises for random play, legal or not."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from referee.games.castle_croquetnole.state import GUARD, KNIGHT, LENGTH, State
from referee.replay.adjudication import adjudicate
from referee.replay.fold import fold
from tests.games.promises import Lines, as_can_be_read, checks, clauses_can_be_told, rulings
from tests.record.matches import entries

CHECKS = checks(40)
SUITS = ("moons", "suns", "crowns", "arms")
COINS = ("moons", "ace", "suns", "2", "crowns", "3", "arms", "4")
NAMES = ("Ann", "Ben", "Cyd", "Dee")
SPOTS = st.sampled_from(
    [[40.0, -254.0], [-40.0, -254.0], [-254.0, 0.0], [0.0, 0.0], [80.0, 0.0], [0.0, 500.0]]
)
COIN = st.sampled_from(COINS)
SUIT = st.sampled_from(SUITS)
EDGES = st.sampled_from([None, [[-500, -500], [500, -500], [500, 500], [-500, 500]]])


def incident(kind: str, **fields: Any) -> dict[str, Any]:
    return {"entry": "incident", "kind": kind, **fields}


@st.composite
def moving(draw: st.DrawFn) -> dict[str, Any]:
    """Draw something that happens while coins move, mostly something that decides a call."""
    coin = draw(st.one_of(COIN, st.sampled_from(("moons", "ace", "suns", "2"))))
    what = draw(st.sampled_from(["gate", "gate", "gate", "door", "tower", "hit", "hit", "fall"]))
    suit = draw(SUIT)
    if what == "fall":
        found = incident("left_table", coin=coin, at_mm=draw(SPOTS))
    elif what == "hit":
        found = incident("contact", coin=coin, **{"with": draw(COIN)})
    elif what == "tower":
        found = incident("contact", coin=coin, **{"with": f"tower-{suit}"})
    else:
        found = incident(
            "line_crossed",
            coin=coin,
            line=f"{what}-{suit}",
            direction=draw(st.sampled_from(["in", "out"])),
        )
    if draw(st.integers(0, 5)) == 0:
        found |= {"probability": draw(st.sampled_from([0.01, 0.3, 0.99]))}
    if draw(st.integers(0, 3)) == 0:
        found |= {"frames": draw(st.sampled_from([[10, 12], [11, 13], [20, 20]]))}
    return found


@cache
def still() -> st.SearchStrategy[dict[str, Any]]:
    """Draw what hands do and players say between flicks, allowed or not."""
    coins = st.dictionaries(COIN, SPOTS, max_size=3)
    say = {"entry": "declaration"}
    return st.one_of(
        st.builds(
            lambda coin, at: incident("placed", coin=coin, at_mm=at),
            COIN,
            st.one_of(st.none(), SPOTS),
        ),
        st.builds(lambda found: incident("at_rest", coins=found), coins),
        st.builds(lambda coin: incident("unseen", pieces=[coin], from_s=1.0, to_s=2.0), COIN),
        st.builds(lambda option: {**say, "kind": "croquet", "option": option}, st.integers(1, 5)),
        st.sampled_from(
            [
                {**say, "kind": "pass"},
                {**say, "kind": "pass"},
                {**say, "kind": "concede", "player": "Ben"},
            ]
        ),
        st.just({**say, "kind": "challenge", "on": None}),
        st.builds(
            lambda to, sure: incident(
                "renamed", coins=dict(zip(COINS[:2], to, strict=True)), **sure
            ),
            st.permutations(COINS[:2]),
            st.sampled_from([{}, {"probability": 0.01}, {"probability": 0.5}]),
        ),
    )


def invasion() -> Lines:
    """Return play in which Ann's knight comes out of its castle, enters Ben's, and hits the guard
    there.
    """
    crossed = [
        incident("line_crossed", coin="moons", line=line, direction=way)
        for line, way in (("gate-moons", "out"), ("gate-suns", "in"))
    ]
    met = incident("contact", coin="moons", **{"with": "2"})
    rest = incident("at_rest", coins={})
    return [
        incident("flicked", coin="moons"),
        *crossed,
        rest,
        incident("flicked", coin="moons"),
        met,
        rest,
    ]


def likely(coin: str, standings: list[dict[str, Any]]) -> Lines:
    """Return what players would try with `coin`: its next step, its own gate, the other own coin,
    the guard of the castle it is in, a rescue.
    """
    row = next(row for row in standings if coin in (row["knight"], row["guard"]))
    other = row["guard"] if coin == row["knight"] else row["knight"]
    found = [incident("contact", coin=coin, **{"with": other})]
    if coin == row["guard"]:
        found += [
            incident("line_crossed", coin=coin, line=f"gate-{row['knight']}", direction=way)
            for way in ("out", "in")
        ]
        if row["prisoner_of"]:
            found.append(incident("contact", coin=coin, **{"with": f"tower-{row['prisoner_of']}"}))
        return found
    if row["inside"] in SUITS and row["inside"] != coin:
        guard = COINS[2 * SUITS.index(row["inside"]) + 1]
        found += [
            incident("contact", coin=guard, **{"with": coin}),
            incident("line_crossed", coin=guard, line=f"gate-{row['inside']}", direction="out"),
        ]
    place = row["next"] or "gate-moons"
    if place.startswith("tower"):
        return [*found, incident("contact", coin=coin, **{"with": place})]
    return [
        *found,
        incident("line_crossed", coin=coin, line=place, direction=row["direction"] or "in"),
    ]


@st.composite
def play(draw: st.DrawFn, first: dict[str, Any]) -> Lines:
    """Draw flicks, each with what happens in it until nothing moves, and what comes in between. The
    coins flicked are mostly the right ones.
    """
    lines: Lines = invasion()[: draw(st.sampled_from([0, 4, 7, 7]))]
    for _ in range(draw(st.integers(0, 7))):
        lines += draw(st.lists(still(), max_size=1))
        now = adjudicate(entries(first, *lines))
        coin = draw(st.sampled_from([*now.turn["may_flick"] * 12, "moons", "2"]))
        lines.append(
            incident(
                "flicked",
                coin=coin,
                touching=draw(st.lists(COIN, max_size=draw(st.integers(0, 1)))),
            )
        )
        lines += draw(
            st.lists(st.one_of(st.sampled_from(likely(coin, now.standings)), moving()), max_size=4)
        )
        if draw(st.integers(0, 19)):
            lines.append(incident("at_rest", coins=draw(st.dictionaries(COIN, SPOTS, max_size=2))))
    return lines


@st.composite
def records(draw: st.DrawFn, *, ruled: bool = True) -> Lines:
    """Draw a setup and entries that can be read, allowed by the rules or not."""
    options = {
        "own_gate_bonus": draw(st.booleans()),
        "inset": draw(st.booleans()),
        "too_close": draw(st.sampled_from(["ask", "for-striker", "against-striker"])),
    }
    seats = [{"name": name, "coin": coin} for name, coin in zip(NAMES, SUITS, strict=True)]
    first = {
        "entry": "setup",
        "format": "piecepack-match/1",
        "game": "castle-croquetnole",
        "players": seats,
        "options": options,
        "table_edge_mm": draw(EDGES),
    }
    lines: Lines = []
    names: list[tuple[str, str]] = []
    for number, entry in enumerate(draw(play(first))):
        lines.append({"id": f"n{number}", **entry})
        names.append((f"n{number}", entry["entry"]))
    for number in range(draw(st.integers(0, 3)) if ruled and names else 0):
        ruled_on = {"id": f"r{number}", **draw(rulings(names, moving()))}
        lines.append(as_can_be_read([first, *lines], ruled_on))
        names.append((f"r{number}", "ruling"))
    return [first, *lines]


@CHECKS
@given(records())
def test_states_are_sound_and_everything_can_be_explained(record: Lines) -> None:
    folded = fold(entries(*record))
    before = folded.begun
    for step in folded.steps:
        clauses_can_be_told("castle-croquetnole", before, step.item.entry, upheld=step.item.upheld)
        before = step.state
        assert_sound(step.state)
        shown = folded.game.turn(step.state)
        assert shown["flicks_left"] == step.state.flicks
        assert shown["coin"] in shown["may_flick"] or shown["expects"] != "flick"


def assert_sound(state: State) -> None:
    """Flicks are never negative, progress stays on the course, every coin is somewhere, and a
    knight is in one place only.
    """
    hash(state)
    assert state.flicks >= 0
    assert len(state.coins) == 8
    for index, (seat, side) in enumerate(zip(state.table.seats, state.sides, strict=True)):
        knight, guard = state.coins[2 * index + KNIGHT], state.coins[2 * index + GUARD]
        assert 0 <= side.progress <= LENGTH
        assert {knight.inside, guard.inside} <= {None, *SUITS}
        assert side.prisoner_of is None or (
            side.prisoner_of == knight.inside
            and side.prisoner_of != seat.knight
            and not side.waiting
        )
        assert not side.waiting or knight.inside == seat.knight
        warder = None if side.prisoner_of is None else SUITS.index(side.prisoner_of)
        assert warder is None or state.coins[2 * warder + GUARD].inside == side.prisoner_of


@CHECKS
@given(records())
def test_progress_only_grows_but_where_a_release_takes_it_back(record: Lines) -> None:
    folded = fold(entries(*record))
    before = folded.begun
    for step in folded.steps:
        for index, (new, old) in enumerate(zip(step.state.sides, before.sides, strict=True)):
            if new.progress < old.progress:
                assert old.prisoner_of is not None and new.prisoner_of is None and new.waiting
                assert old.progress - new.progress <= 4 and new.progress in (1, 5, 9), index
        if all(call.call != "prisoner_released" for call in step.verdicts if hasattr(call, "call")):
            assert all(
                new.progress >= old.progress
                for new, old in zip(step.state.sides, before.sides, strict=True)
            )
        before = step.state
