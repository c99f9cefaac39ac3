"""Which setups are refused, and which of their fields is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.domain.errors import InputError
from referee.record.reading import parse_record
from tests.record.lines import CARROMS, CASTLE, FLICK, LAWN, NINE, SIX, without
from tests.record.matches import setup

SETUPS = [
    (without(setup(2), "format"), "format"),
    ({**setup(2), "format": "piecepack-match/2"}, "format"),
    ({**setup(2), "game": "chess"}, "game"),
    (without(setup(2), "game"), "game"),
    (without(setup(2), "players"), "players"),
    ({**setup(2), "players": {}}, "players"),
    (setup(2, options={"wicket_credits": "rest"}), "options.wicket_credits"),
    (setup(2, options={"wicket_credit": "never"}), "options.wicket_credit"),
    (setup(2, options={"poison": "yes"}), "options.poison"),
    (setup(2, options={"poison": 1}), "options.poison"),
    (setup(2, options={"too_close": "guess"}), "options.too_close"),
    (setup(2, options={"too_close_band": [0.9, 0.1]}), "options.too_close_band"),
    (setup(2, options={"too_close_band": 0.5}), "options.too_close_band"),
    (setup(2, options={"challenges": -1}), "options.challenges"),
    (setup(2, options={"challenges": 1.5}), "options.challenges"),
    (setup(2, options={"black_same_flick": True}), "options.black_same_flick"),
    ({**setup(2), "tile_mm": 0}, "tile_mm"),
    ({**setup(2), "coin_mm": "19"}, "coin_mm"),
    (
        {**setup(2), "layout": {"tiles": {"wicket-1-left": {}}}},
        "layout.tiles.wicket-1-left.centre_mm",
    ),
    ({**setup(2), "layout": 3}, "layout"),
    ({**setup(2), "table_edge_mm": [[0, 0], [1, 1]]}, "table_edge_mm"),
    ({**setup(2), "table_edge_mm": [[0, 0], [1, 1], [1]]}, "table_edge_mm[2]"),
    ({**setup(2), "players": [{"name": "Ann", "coin": "moons"}]}, "players"),
    (
        {
            **setup(2),
            "players": [{"name": "Ann", "coin": "moons"}, {"name": "Ann", "coin": "suns"}],
        },
        "players[1].name",
    ),
    (
        {
            **setup(2),
            "players": [{"name": "Ann", "coin": "moons"}, {"name": "Ben", "coin": "moons"}],
        },
        "players[1].coin",
    ),
    (
        {**setup(2), "players": [{"name": "Ann", "coin": "moon"}, {"name": "Ben", "coin": "suns"}]},
        "players[0].coin",
    ),
    (
        {**setup(2), "players": [{"name": "Ann"}, {"name": "Ben", "coin": "suns"}]},
        "players[0].coin",
    ),
    (
        {**setup(2), "players": [{"coin": "moons"}, {"name": "Ben", "coin": "suns"}]},
        "players[0].name",
    ),
    (setup([16, 0]), "players[0].progress"),
    (setup([-1, 0]), "players[0].progress"),
    (setup([1.5, 0]), "players[0].progress"),
    (setup(4, teams="AB", options={"poison": True}), "options.poison"),
    (setup(6, teams="AAB"), "players"),
    (setup(4, teams="AABB"), "players[1].team"),
    (setup(4, teams="ABCD"), "players"),
    (setup(4, teams="A"), "players"),
    (setup(3, teams="AB"), "players"),
    (setup(4, options={"teams": True}), "players[0].team"),
    ({**CASTLE, "players": CASTLE["players"][:3]}, "players"),
    ({**CASTLE, "players": CASTLE["players"][::-1]}, "players[0].coin"),
    (
        {
            **CARROMS,
            "players": [
                {"name": "Ann", "coin": "suns", "progress": 3},
                {"name": "Ben", "coin": "arms"},
            ],
        },
        "players[0].progress",
    ),
    (
        {**CARROMS, "players": [{"name": "Ann", "coin": "moons"}, {"name": "Ben", "coin": "arms"}]},
        "players[0].coin",
    ),
    (
        {
            **LAWN,
            "players": [
                {"name": "Ann", "pawns": ["black", "red"]},
                {"name": "Ben", "pawns": ["blue", "green"]},
            ],
        },
        "players",
    ),
    (
        {**LAWN, "players": [{"name": "Ann", "pawn": "black"}, {"name": "Ben", "pawn": "red"}]},
        "players",
    ),
    (
        {**LAWN, "players": [{"name": "Ann", "pawn": "purple"}, {"name": "Ben", "pawn": "red"}]},
        "players[0].pawn",
    ),
    ({**LAWN, "options": {"min_knock_on": 2}}, "options.min_knock_on"),
    (
        {
            **SIX,
            "players": [
                {"name": "Ann", "pawns": ["blue", "green"]},
                {"name": "Ben", "pawns": ["red", "yellow"]},
            ],
        },
        "players[0].pawn",
    ),
    (
        {
            **NINE,
            "players": [
                {"name": "Ann", "pawn": "blue", "team": "A"},
                {"name": "Ben", "pawn": "red", "team": "A"},
            ],
        },
        "players",
    ),
    (FLICK, "entry"),
    ({"entry": "end"}, "entry"),
]


@pytest.mark.parametrize(
    ("first", "field"), SETUPS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_setup_is_refused(first: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError, match=r"^here\.jsonl: line 1: ") as refused:
        parse_record(json.dumps(first).encode(), "here.jsonl")
    assert str(refused.value).startswith(f"here.jsonl: line 1: {field}: "), str(refused.value)


def seated(first: dict[str, Any], *seats: str) -> bytes:
    """Return the setup with other players: `blue black:A` plays both pawns in team A."""
    players = []
    for name, seat in zip("ABCDEFG", seats, strict=False):
        pawns, _, team = seat.partition(":")
        players.append({"name": name, "pawns": pawns.split(), **({"team": team} if team else {})})
    return json.dumps({**first, "players": players}).encode()


@pytest.mark.parametrize(
    ("first", "seats"),
    [
        (NINE, ("blue red", "black yellow")),
        (NINE, ("blue black", "red", "yellow")),
        (NINE, ("blue red", "black")),
        (NINE, ("blue:A", "red")),
        (NINE, ("blue:A", "red:B", "black:B", "yellow:A")),
        (NINE, ("blue", "red", "black", "yellow", "green", "orange", "blue")),
        (SIX, ("blue red", "black yellow")),
        (SIX, ("blue:A", "red:A", "black:B", "yellow:B")),
        (SIX, ("blue red black yellow",)),
        (SIX, ("blue", "red")),
        (LAWN, ("black red", "blue green")),
        (LAWN, ("black:A", "blue:B", "red green")),
        (LAWN, ("black blue red green",)),
    ],
    ids=str,
)
def test_sides_other_than_the_colours_are_an_error_of_the_players(
    first: dict[str, Any], seats: tuple[str, ...]
) -> None:
    with pytest.raises(InputError, match=r"^here\.jsonl: line 1: players: "):
        parse_record(seated(first, *seats), "here.jsonl")


@pytest.mark.parametrize(
    ("first", "seats"),
    [
        (NINE, ("blue black", "red yellow")),
        (NINE, ("blue red black",)),
        (NINE, ("blue yellow", "red green", "black orange")),
        (NINE, ("blue", "red", "black", "yellow", "green", "orange")),
        (NINE, ("blue:A", "red:B", "black:A", "yellow:B")),
        (SIX, ("blue black", "red", "yellow")),
        (LAWN, ("black blue", "red", "green")),
    ],
    ids=str,
)
def test_sides_that_take_turns_evenly_may_play(
    first: dict[str, Any], seats: tuple[str, ...]
) -> None:
    assert len(parse_record(seated(first, *seats))) == 1
