"""`match.yaml`: what is accepted, and what is refused with which words."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.entry import plain
from referee.domain.errors import InputError
from referee.domain.layout import template_course
from referee.domain.pieces import COINS, PieceSizes
from referee.games.words import words_of
from referee.session.match_file import Match, match_from, read_match

TWO = "players: [{name: Ann, coin: moons}, {name: Ben, coin: suns}]\n"
HEAD = "game: tabletop-croquet\n"
WATCHED_GAMES = "tabletop-croquet, castle-croquetnole, carroms"
OF_THIS_GAME = (
    " that a player of this game may have (2, 3, 4, 5, ace, arms, crowns, moons, null, suns)"
)
ITS_OPTIONS = f"; its options are {', '.join(words_of('tabletop-croquet').options)}"
BAND = "options.too_close_band: is {}, but must be two numbers from 0 to 1, the smaller first"


def read(tmp_path: Path, text: str) -> Match:
    path = tmp_path / "match.yaml"
    path.write_text(text, encoding="utf-8")
    return read_match(path)


def refused(tmp_path: Path, text: str) -> str:
    with pytest.raises(InputError) as wrong:
        read(tmp_path, text)
    line = str(wrong.value)
    assert "\n" not in line
    assert line.startswith(f"{tmp_path / 'match.yaml'}: ")
    return line.removeprefix(f"{tmp_path / 'match.yaml'}: ")


def test_a_match(tmp_path: Path) -> None:
    match = read(
        tmp_path,
        HEAD + TWO + "options: {too_close_band: [0.1, 0.9], challenges: 2, wicket_credit: rest}\n",
    )
    assert match.game == "tabletop-croquet"
    assert [(p.name, p.coin) for p in match.players] == [("Ann", "moons"), ("Ben", "suns")]
    assert match.options == {"too_close_band": [0.1, 0.9], "challenges": 2, "wicket_credit": "rest"}


def test_a_coin_may_begin_off_the_table(tmp_path: Path) -> None:
    players = (
        "players:\n- {name: Ann, coin: null, on_table: false}\n- {name: Ben, coin: 2, on_table:"
        " true}\n- {name: Cy, coin: ace}\n"
    )
    assert read(tmp_path, HEAD + players).off_table == {"null"}


def test_unquoted_null_and_2_are_coins(tmp_path: Path) -> None:
    match = read(
        tmp_path,
        HEAD
        + "players:\n- {name: Ann, coin: null}\n- {name: Ben, coin: 2}\n- {name: Cy, coin: '3'}\n-"
        " {name: Di, coin: ace}\n",
    )
    assert match.coins == ("null", "2", "3", "ace")


def test_a_match_of_carroms_has_the_coins_of_the_board(tmp_path: Path) -> None:
    players = "players:\n- {name: Ann, coin: suns}\n- {name: Ben, coin: arms}\n"
    match = read(tmp_path, "game: carroms\n" + players)
    suits = [f"{suit}-{number}" for suit in ("suns", "arms") for number in range(1, 7)]
    assert sorted(match.coins) == sorted(["moons", "striker", *suits])


FOUR = (
    "game: castle-croquetnole\nplayers:\n- {name: Ann, coin: moons}\n- {name: Ben, coin: suns}\n"
    "- {name: Cy, coin: crowns}\n"
)


def test_a_match_of_castle_croquetnole_has_four_knights_and_their_guards(tmp_path: Path) -> None:
    match = read(tmp_path, FOUR + "- {name: Dee, coin: arms}\n")
    assert match.coins == ("moons", "suns", "crowns", "arms", "ace", "2", "3", "4")
    assert match.off_table == frozenset()


def test_a_knight_that_begins_off_the_table_has_its_guard_with_it(tmp_path: Path) -> None:
    match = read(tmp_path, FOUR + "- {name: Dee, coin: arms, on_table: false}\n")
    assert match.off_table == {"arms", "4"}


def test_no_player_of_carroms_begins_off_the_table(tmp_path: Path) -> None:
    players = "players:\n- {name: Ann, coin: suns, on_table: false}\n- {name: Ben, coin: arms}\n"
    with pytest.raises(InputError, match="players: carroms has no on_table"):
        read(tmp_path, "game: carroms\n" + players)


@pytest.mark.parametrize("options", ["", "options:\n", "options: null\n", "options: {}\n"])
def test_options_may_be_missing_or_empty(tmp_path: Path, options: str) -> None:
    assert read(tmp_path, HEAD + TWO + options).options == {}


def test_the_setup_is_the_records(tmp_path: Path) -> None:
    match = read(
        tmp_path,
        HEAD + "players: [{name: Ann, coin: moons, progress: 3}, {name: Ben, coin: null}]\noptions:"
        " {poison: false}\n",
    )
    course = template_course("tabletop-croquet", 50.0)
    entry = json.loads(
        msgspec.json.encode(
            plain(
                match.setup(
                    PieceSizes(tile_mm=50.0, coin_mm=20.0), course, [(0, 0), (9, 0), (9, 5)]
                )
            )
        )
    )
    layout = entry.pop("layout")
    assert layout["tiles"]["left-endpost"] == {
        "centre_mm": [25.0, 0.0],
        "rotation_deg": 0.0,
        "stack": 3,
    }
    assert entry == {
        "entry": "setup",
        "format": "piecepack-match/1",
        "game": "tabletop-croquet",
        "players": [
            {"name": "Ann", "coin": "moons", "progress": 3},
            {"name": "Ben", "coin": "null"},
        ],
        "options": {"poison": False},
        "tile_mm": 50.0,
        "coin_mm": 20.0,
        "table_edge_mm": [[0, 0], [9, 0], [9, 5]],
    }


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "must hold the fields game, players"),
        ("- a\n", "must hold the fields game, players"),
        (HEAD, "players: is missing"),
        (TWO, "game: is missing"),
        (
            "game: chess\n" + TWO,
            f"game: 'chess' is not a game that can be watched ({WATCHED_GAMES})",
        ),
        ("game: [a]\n" + TWO, f"game: ['a'] is not a game that can be watched ({WATCHED_GAMES})"),
        (HEAD + TWO + "table: x\n", "table: no such field (known: game, options, players)"),
        (HEAD + TWO + "game: tabletop-croquet\n", "line 3: 'game' is given twice"),
        (
            HEAD + "players: Ann\n",
            "players: must be a list, with a line `- {name: Ann, coin: moons}` for each",
        ),
        (
            HEAD + "players: [{name: Ann, coin: moons}]\n",
            "players: 1 player, but this game is for 2 to 10",
        ),
        (
            HEAD + "players: [{name: Ann, coin: moons}, Ben]\n",
            "players[1]: must hold the fields coin, name",
        ),
        (
            HEAD + "players: [{name: Ann, coin: moons}, {name: Ben}]\n",
            "players[1].coin: is missing",
        ),
        (
            HEAD + "players: [{name: Ann, coin: moons}, {name: Ben, coin: }]\n",
            "players[1].coin: is empty",
        ),
        (
            HEAD + "players: [{name: Ann, coin: moons}, {name: Ben, coin: moon}]\n",
            "players[1].coin: 'moon' is not a coin" + OF_THIS_GAME,
        ),
        (
            HEAD + "players: [{name: Ann, coin: moons}, {name: Ben, coin: 6}]\n",
            "players[1].coin: '6' is not a coin" + OF_THIS_GAME,
        ),
        (
            HEAD + "players: [{name: Ann, coin: moons}, {name: Ben, coin: true}]\n",
            "players[1].coin: True is not text; write it in quotes",
        ),
        (
            HEAD + "players: [{name: Ann, coin: 2}, {name: Ben, coin: '2'}]\n",
            "players[1].coin: two players have the coin '2'",
        ),
        (
            HEAD + "players: [{name: Ann, coin: 2}, {name: Ann, coin: 3}]\n",
            "players[1].name: there are two players called 'Ann'",
        ),
        (
            HEAD + "players: [{name: 7, coin: 2}, {name: Ann, coin: 3}]\n",
            "players[0].name: 7 is not text; write it in quotes",
        ),
        (
            HEAD + "players: [{name: Ann, coin: 2, on_table: later}, {name: Ben, coin: 3}]\n",
            "players[0].on_table: 'later' should be true or false",
        ),
        (
            HEAD + "players: [{name: Ann, coin: 2, pawn: red}, {name: Ben, coin: 3}]\n",
            "players[0].pawn: no such field (known: coin, name, on_table, progress, team)",
        ),
        (
            HEAD + "players: [{name: Ann, coin: 2, team: 1}, {name: Ben, coin: 3}]\n",
            "players[0].team: 1 is not text; write it in quotes",
        ),
        (
            HEAD + "players: [{name: Ann, coin: 2}, {name: Ben, coin: 3, team: A}]\n",
            "players[1].team: teams need the option teams: true",
        ),
        (
            "game: carroms\nplayers: [{name: A, coin: suns, team: B}, {name: B, coin: arms}]\n",
            "players[0].team: carroms is played without teams",
        ),
        (
            HEAD + "players: [{name: 2026-01-01, coin: 2}, {name: Ann, coin: 3}]\n",
            "players[0].name: 2026-01-01 is not text; write it in quotes",
        ),
        (
            HEAD + "players: [{name: Ann, coin: 2, progress: 16}, {name: Ben, coin: 3}]\n",
            "players[0].progress: 16 should be a whole number from 0 to 15",
        ),
        (
            HEAD + TWO + "options: {lives: 3}\n",
            f"options.lives: is not an option of tabletop-croquet{ITS_OPTIONS}",
        ),
        (HEAD + TWO + "options: [poison]\n", "options: must hold fields"),
        (
            HEAD + TWO + "options: {teams: true}\n",
            "players: 2 players, but a match with teams needs 4, 6, 8 or 10",
        ),
        (HEAD + TWO + "options: {poison: 1}\n", "options.poison: is 1, but must be true or false"),
        (
            HEAD + TWO + "options: {too_close: shrug}\n",
            "options.too_close: is 'shrug', but must be ask or for-striker or against-striker",
        ),
        (
            HEAD + TWO + "options: {too_close: [ask]}\n",
            "options.too_close: is ['ask'], but must be ask or for-striker or against-striker",
        ),
        (HEAD + TWO + "options: {too_close_band: [0.9, 0.1]}\n", BAND.format("[0.9, 0.1]")),
        (HEAD + TWO + "options: {too_close_band: [.nan, 1]}\n", BAND.format("[nan, 1]")),
        (
            HEAD + TWO + "options: {challenges: -1}\n",
            "options.challenges: is -1, but must be null or a whole number",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, text: str, line: str) -> None:
    assert refused(tmp_path, text) == line


def test_broken_yaml_names_the_line(tmp_path: Path) -> None:
    assert refused(tmp_path, HEAD + "players: [{name: Ann, coin: moons\n").startswith("line 3: ")
    assert refused(tmp_path, HEAD + "players: !python/object:os.system {}\n").startswith("line 2: ")


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"match\.yaml: no such file$"):
        read_match(tmp_path / "match.yaml")


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "match.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read"):
        read_match(tmp_path / "match.yaml")


@pytest.mark.parametrize("count", [2, 10])
def test_two_to_ten_can_play(count: int) -> None:
    players = [{"name": f"P{i}", "coin": coin} for i, coin in enumerate(COINS[:count])]
    assert (
        len(match_from({"game": "tabletop-croquet", "players": players}, "match.yaml").players)
        == count
    )


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(COINS),
)
keys = st.sampled_from(
    ["game", "players", "options", "name", "coin", "team", "progress", "poison", "challenges"]
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=8,
)


@given(st.dictionaries(keys, values, max_size=3), values)
def test_whatever_is_given_is_taken_or_refused_in_one_line(
    content: dict[str, object], players: object
) -> None:
    for whole in (content, {"game": "tabletop-croquet", "players": players, **content}):
        try:
            match = match_from(whole, "m.yaml")
        except InputError as wrong:
            assert str(wrong).startswith("m.yaml: ")
        else:
            assert len(set(match.coins)) == len(match.players) >= 2
