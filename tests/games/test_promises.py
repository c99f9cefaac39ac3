"""What Tabletop Croquet's fold promises for random play, legal or not."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from referee.replay.adjudication import adjudicate
from referee.replay.fold import fold
from tests.games.promises import Lines, as_can_be_read, checks, rulings
from tests.record.matches import COINS, entries, setup

CHECKS = checks(60)
SPOTS = st.sampled_from([[76.2, 0.0], [300.0, 20.0], [310.0, 40.0], [600.0, 376.0], [600.0, 400.0]])


@cache
def seen(coins: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    coin = st.sampled_from(coins)
    measured = st.fixed_dictionaries(
        {},
        optional={
            "probability": st.sampled_from([0.01, 0.3, 0.5, 0.99]),
            "frames": st.sampled_from([[10, 12], [11, 13], [12, 14], [20, 20]]),
        },
    )
    wicket = st.sampled_from([f"wicket-{n}" for n in (1, 2, 3, 7)])
    other = st.sampled_from([*coins, "left-endpost", "right-endpost", "wicket-1-left"])
    crossing = st.fixed_dictionaries(
        {
            "kind": st.just("line_crossed"),
            "coin": coin,
            "line": wicket,
            "direction": st.sampled_from(["outward", "homeward"]),
        }
    )
    contact = st.fixed_dictionaries({"kind": st.just("contact"), "coin": coin, "with": other})
    fall = st.fixed_dictionaries({"kind": st.just("left_table"), "coin": coin, "at_mm": SPOTS})
    flick = st.fixed_dictionaries(
        {"kind": st.just("flicked"), "coin": coin, "touching": st.lists(coin, max_size=1)}
    )
    rest = st.fixed_dictionaries(
        {"kind": st.just("at_rest"), "coins": st.dictionaries(coin, SPOTS, max_size=2)}
    )
    placed = st.fixed_dictionaries(
        {"kind": st.just("placed"), "coin": coin, "at_mm": st.one_of(st.none(), SPOTS)}
    )
    unseen = st.fixed_dictionaries(
        {
            "kind": st.just("unseen"),
            "pieces": st.lists(coin, max_size=1),
            "from_s": st.just(1.0),
            "to_s": st.just(2.0),
        }
    )
    renamed = st.permutations(coins[:2]).map(
        lambda to: {"kind": "renamed", "coins": dict(zip(coins[:2], to, strict=True))}
    )
    moving = st.tuples(st.one_of(crossing, contact, fall), measured).map(
        lambda both: {**both[0], **both[1]}
    )
    return st.one_of(
        moving, moving, moving, flick, flick, rest, rest, rest, placed, unseen, renamed
    ).map(lambda entry: {"entry": "incident", **entry})


@cache
def said(coins: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    coin = st.sampled_from(coins)
    return st.one_of(
        st.fixed_dictionaries(
            {"kind": st.just("after_hit"), "option": st.integers(1, 4), "coin": coin}
        ),
        st.fixed_dictionaries({"kind": st.sampled_from(["rover", "leave"]), "coin": coin}),
        st.sampled_from(
            [
                {"kind": "pass"},
                {"kind": "challenge", "on": None},
                {"kind": "concede", "player": "Ben"},
                {"kind": "concede"},
            ]
        ),
        st.just({"kind": "agreed", "winner": None}),
    ).map(lambda entry: {"entry": "declaration", **entry})


@st.composite
def records(draw: st.DrawFn, *, ruled: bool = True) -> Lines:
    """Draw a setup and entries that can be read, allowed by the rules or not. Much of it is legal
    play.
    """
    teams = draw(st.sampled_from([None, None, "AB"]))
    number = 4 if teams else draw(st.integers(2, 4))
    coins = COINS[:number]
    options: dict[str, Any] = {
        "wicket_credit": draw(st.sampled_from(["crossing", "rest"])),
        "too_close": draw(st.sampled_from(["ask", "for-striker", "against-striker"])),
        "challenges": draw(st.sampled_from([None, 1])),
    }
    if not teams:
        options["poison"] = draw(st.booleans())
    steps = draw(
        st.lists(st.sampled_from([None, 0, 1, 6, 7, 14, 15]), min_size=number, max_size=number)
    )
    first = setup(
        steps,
        teams=teams,
        options=options,
        table_edge_mm=draw(
            st.sampled_from([None, [[-100, -400], [1300, -400], [1300, 400], [-100, 400]]])
        ),
    )
    lines: Lines = []
    names: list[tuple[str, str]] = []
    for number in range(draw(st.integers(0, 24))):
        how = draw(st.integers(0, 9))
        entry = (
            draw(rulings(names, seen(coins)))
            if ruled and how < 2 and names
            else draw(said(coins))
            if how == 2
            else draw(seen(coins))
        )
        lines.append(as_can_be_read([first, *lines], {"id": f"n{number}", **entry}))
        names.append((f"n{number}", entry["entry"]))
    return [first, *lines]


@CHECKS
@given(records())
def test_flicks_are_never_negative_and_progress_stays_on_the_course(record: Lines) -> None:
    folded = fold(entries(*record))
    for step in folded.steps:
        assert step.state.flicks >= 0
        assert all(0 <= coin.progress <= 16 for coin in step.state.coins)
        assert folded.game.turn(step.state)["flicks_left"] == step.state.flicks


@CHECKS
@given(records())
def test_every_coin_is_somewhere(record: Lines) -> None:
    folded = fold(entries(*record))
    states = {"not_entered", "playing", "rover", "poison", "finished", "killed"}
    assert [row["player"] for row in folded.game.standings(folded.state)] == [
        player["name"] for player in record[0]["players"]
    ]
    assert {coin.state for step in folded.steps for coin in step.state.coins} <= states


@CHECKS
@given(records(ruled=False), st.data())
def test_where_no_flick_was_played_in_between_any_ruling_comes_to_what_a_right_record_says(
    record: Lines, data: st.DataObject
) -> None:
    """The entry is overturned, replaced, upheld or added, with `keep` or without. With `rewind`,
    what comes after the flick would not have been there.
    """
    first, *lines = record
    lines = [entry for entry in lines if entry.get("kind") not in ("renamed", "challenge")]
    begins = [i for i, entry in enumerate(lines) if entry.get("kind") == "flicked"]
    places = (
        [
            i
            for i in range(begins[-1] + 1, len(lines))
            if lines[i]["entry"] == "incident" and lines[i]["kind"] != "at_rest"
        ]
        if begins
        else []
    )
    if not places:
        return
    place, then = (
        data.draw(st.sampled_from(places)),
        data.draw(st.sampled_from([None, "keep", "rewind"])),
    )
    verdict = data.draw(st.sampled_from(["overturned", "replaced", "added"]))
    crossed = {
        "entry": "incident",
        "kind": "line_crossed",
        "coin": data.draw(st.sampled_from(COINS[:2])),
        "line": "wicket-1",
        "direction": "outward",
    }
    ruling = {
        "entry": "ruling",
        "id": "r",
        "verdict": verdict,
        "after" if verdict == "added" else "on": lines[place]["id"],
        "then": then,
    }
    right = {
        "overturned": [],
        "replaced": [{**crossed, "id": lines[place]["id"]}],
        "added": [lines[place], {**crossed, "id": "r+"}],
    }[verdict]
    if verdict != "overturned":
        ruling["replacement"] = crossed
    rest = next(
        (i + 1 for i in range(begins[-1], len(lines)) if lines[i].get("kind") == "at_rest"),
        len(lines),
    )
    behind = lines[place + 1 :] if then != "rewind" else lines[place + 1 : rest]
    before = lines[:place] if then != "rewind" else lines[: min(place, rest)]
    if then == "rewind" and place >= rest and verdict == "added":
        right = right[1:]
    ruled = adjudicate(entries(first, *lines, ruling))
    at_once = adjudicate(entries(first, *before, *right, *behind))
    assert (ruled.standings, ruled.winner, ruled.status, ruled.calls) == (
        at_once.standings,
        at_once.winner,
        at_once.status,
        at_once.calls,
    )
    assert [ruled.turn[name] for name in ("player", "coin", "flicks_left")] == [
        at_once.turn[name] for name in ("player", "coin", "flicks_left")
    ]
