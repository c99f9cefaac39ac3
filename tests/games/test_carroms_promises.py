"""What Carroms' fold promises for random play, legal or not."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from referee.domain.call import Call, Irregularity
from referee.domain.declaration import Agreed, Concede
from referee.games.carroms.state import COINS, own_down
from referee.replay.fold import fold
from tests.games.promises import Lines, as_can_be_read, checks, clauses_can_be_told, rulings
from tests.record.matches import entries

CHECKS = checks(40)
COLOURED = [coin for coin in COINS if "-" in coin]
COIN = st.one_of(st.sampled_from(["striker", "moons"]), st.sampled_from(COLOURED))
SPOTS = st.sampled_from([[0.0, 0.0], [19.05, 0.0], [0.0, -200.0], [60.0, 60.0], [400.0, 0.0]])
MEASURED = st.fixed_dictionaries(
    {},
    optional={
        "probability": st.sampled_from([0.01, 0.3, 0.5, 0.99]),
        "frames": st.sampled_from([[10, 12], [11, 13], [12, 14], [20, 20]]),
    },
)
FLICK = {"kind": "flicked", "coin": "striker", "touching": []}


def setup(**options: Any) -> dict[str, Any]:
    players = [{"name": "Ann", "coin": "suns"}, {"name": "Ben", "coin": "arms"}]
    return {
        "entry": "setup",
        "format": "piecepack-match/1",
        "game": "carroms",
        "players": players,
        "options": options,
    }


@cache
def moving() -> st.SearchStrategy[dict[str, Any]]:
    down = st.fixed_dictionaries(
        {
            "kind": st.just("pocketed"),
            "coin": COIN,
            "pocket": st.sampled_from(["pocket-ne", "pocket-sw"]),
        }
    )
    fall = st.fixed_dictionaries({"kind": st.just("left_table"), "coin": COIN, "at_mm": SPOTS})
    contact = st.fixed_dictionaries({"kind": st.just("contact"), "coin": COIN, "with": COIN})
    return st.tuples(st.one_of(down, down, down, fall, contact), MEASURED).map(
        lambda both: {**both[0], **both[1]}
    )


@cache
def seen() -> st.SearchStrategy[dict[str, Any]]:
    flick = st.fixed_dictionaries(
        {
            "kind": st.just("flicked"),
            "coin": st.one_of(st.just("striker"), st.just("striker"), COIN),
            "touching": st.just([]),
        },
        optional={"player": st.sampled_from(["Ann", "Ben"])},
    )
    rest = st.fixed_dictionaries(
        {"kind": st.just("at_rest"), "coins": st.dictionaries(COIN, SPOTS, max_size=3)}
    )
    placed = st.fixed_dictionaries(
        {"kind": st.just("placed"), "coin": COIN, "at_mm": st.one_of(st.none(), SPOTS)}
    )
    unseen = st.fixed_dictionaries(
        {
            "kind": st.just("unseen"),
            "pieces": st.lists(COIN, max_size=1),
            "from_s": st.just(1.0),
            "to_s": st.just(2.0),
        }
    )
    renamed = st.permutations(["suns-1", "arms-1"]).map(
        lambda to: {"kind": "renamed", "coins": dict(zip(["suns-1", "arms-1"], to, strict=True))}
    )
    lies = {"centre_mm": [0.0, 0.0], "rotation_deg": 0.0}
    tile = st.sampled_from(["tile_displaced", "tile_restored"]).map(
        lambda kind: {
            "kind": kind,
            "tile": "wall-n-1",
            "moved_mm": 3.0,
            "turned_deg": 0.0,
            "by": "coin",
            "from": lies,
            "to": lies,
        }
    )
    plain = st.just(FLICK)
    return st.one_of(
        moving(),
        moving(),
        moving(),
        moving(),
        plain,
        plain,
        flick,
        rest,
        rest,
        rest,
        placed,
        placed,
        unseen,
        renamed,
        tile,
    ).map(lambda entry: {"entry": "incident", **entry})


@cache
def said() -> st.SearchStrategy[dict[str, Any]]:
    hold = st.fixed_dictionaries(
        {"kind": st.just("hold"), "walls": st.lists(st.sampled_from("NESW"), max_size=3)},
        optional={"player": st.just("Ben")},
    )
    other = st.sampled_from(
        [
            {"kind": "pass"},
            {"kind": "challenge", "on": None},
            {"kind": "concede"},
            {"kind": "agreed", "winner": None},
        ]
    )
    return st.one_of(hold, hold, hold, other).map(lambda entry: {"entry": "declaration", **entry})


@st.composite
def records(draw: st.DrawFn, *, ruled: bool = True) -> Lines:
    """Draw a setup and entries that can be read, allowed by the rules or not. In many of them Ann
    has pocketed all her coins already.
    """
    too_close = draw(st.sampled_from(["ask", "for-striker", "against-striker"]))
    first = setup(
        black_same_flick=draw(st.booleans()),
        too_close=too_close,
        challenges=draw(st.sampled_from([None, 1])),
    )
    lines: Lines = []
    if draw(st.booleans()):
        fallen = [
            {"kind": "pocketed", "coin": f"suns-{n}", "pocket": "pocket-ne"}
            for n in range(1, draw(st.integers(5, 6)) + 1)
        ]
        lines = [
            {"entry": "incident", **entry, "id": f"p{n}"}
            for n, entry in enumerate([FLICK, *fallen, {"kind": "at_rest", "coins": {}}])
        ]
    names: list[tuple[str, str]] = []
    for number in range(draw(st.integers(0, 18))):
        how = draw(st.integers(0, 11))
        entry = (
            draw(rulings(names, seen()))
            if ruled and how < 2 and names
            else draw(said())
            if how == 2
            else draw(seen())
        )
        lines.append(as_can_be_read([first, *lines], {"id": f"n{number}", **entry}))
        names.append((f"n{number}", entry["entry"]))
    return [first, *lines]


@CHECKS
@given(records())
def test_every_coin_is_in_one_place_and_everything_can_be_explained(record: Lines) -> None:
    folded = fold(entries(*record))
    state = folded.begun
    for step in folded.steps:
        clauses_can_be_told("carroms", state, step.item.entry, upheld=step.item.upheld)
        state = step.state
        pieces = dict(zip(COINS, state.pieces, strict=True))
        assert len(set(state.pile)) == len(state.pile)
        assert set(state.pile) <= set(COLOURED)
        assert all(
            pieces[coin].at_mm is None and not pieces[coin].owed and not pieces[coin].lifted
            for coin in state.pile
        )
        assert all(row["pocketed"] + row["left"] == 6 for row in folded.game.standings(state))
        assert folded.game.turn(state)["flicks_left"] == 1


@CHECKS
@given(records())
def test_coins_come_out_of_pockets_only_as_a_penalty_and_one_at_a_time(record: Lines) -> None:
    folded = fold(entries(*record))
    before = folded.begun
    for step in folded.steps:
        lost = [len(own_down(before, index)) - len(own_down(step.state, index)) for index in (0, 1)]
        penalties = [
            verdict
            for verdict in step.verdicts
            if isinstance(verdict, Call) and verdict.call == "penalty"
        ]
        assert sum(max(0, number) for number in lost) == len(penalties) <= 1
        before = step.state


@CHECKS
@given(records())
def test_only_a_player_without_coins_wins_by_the_black_and_never_without_the_striker(
    record: Lines,
) -> None:
    folded = fold(entries(*record))
    before = folded.begun
    for step in folded.steps:
        if (
            step.state.over
            and not before.over
            and not isinstance(step.item.entry, Concede | Agreed)
        ):
            flick = before.flick
            assert flick is not None
            assert not flick.struck
            assert len(own_down(step.state, flick.by)) == 6
            assert step.state.winner == step.state.table.seats[flick.by].name
        before = step.state


@CHECKS
@given(records())
def test_the_turn_passes_when_all_is_at_rest_or_play_has_gone_on(record: Lines) -> None:
    folded = fold(entries(*record))
    before = folded.begun
    for step in folded.steps:
        if step.state.active != before.active:
            denied = [
                verdict
                for verdict in step.verdicts
                if isinstance(verdict, Irregularity) and verdict.what == "denied_entitlement"
            ]
            assert before.flick is not None or denied
            assert denied or not (before.flick.earned and not before.flick.struck)
        before = step.state
