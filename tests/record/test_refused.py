"""What cannot be read is refused in one line with file, line and field."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from referee.domain.errors import InputError
from referee.domain.incident import CoinTurned
from referee.record.reading import line_of, parse_record, read_record
from tests.record.lines import CARROMS, CASTLE, FLICK, LAWN, SIX, incident, ruling, said, without
from tests.record.matches import line, setup, text_of

CROSS = incident("line_crossed", coin="moons", line="wicket-1", direction="outward")
TILE = {"centre_mm": [0, 0], "rotation_deg": 0}
PUSH = incident(
    "tile_displaced",
    tile="any tile",
    moved_mm=3,
    turned_deg=0,
    by="coin",
    **{"from": TILE, "to": TILE},
)
TEAMS = setup(4, teams="AB")
ADDED = ruling("added", id="r", after="setup", replacement=CROSS)

LAST = [
    (setup(2), [{"kind": "flicked"}], "entry"),
    (setup(2), [{"entry": "event", "kind": "flicked"}], "entry"),
    (setup(2), [{"entry": 3}], "entry"),
    (setup(2), [setup(2)], "entry"),
    (setup(2), [{"entry": "incident"}], "kind"),
    (setup(2), [incident("teleported", coin="moons")], "kind"),
    (setup(2), [said("begged")], "kind"),
    (setup(2), [incident("pocketed", coin="moons", pocket="pocket-ne")], "kind"),
    (setup(2), [incident("rolled", die="roll", face="ace")], "kind"),
    (setup(2), [said("hold", walls=["N"])], "kind"),
    (setup(2), [incident("flicked")], "coin"),
    (setup(2), [incident("flicked", coin=2)], "coin"),
    (setup(2), [incident("flicked", coin="moon")], "coin"),
    (setup(2), [incident("flicked", coin="striker")], "coin"),
    (setup(2), [incident("flicked", coin="moons", touching=["gold"])], "touching[0]"),
    (setup(2), [incident("flicked", coin="moons", touching="suns")], "touching"),
    (setup(2), [incident("flicked", coin="moons", player="Zoe")], "player"),
    (setup(2), [{**CROSS, "line": "wicket-10"}], "line"),
    (setup(2), [{**CROSS, "line": "gate-moons"}], "line"),
    (setup(2), [{**CROSS, "direction": "sideways"}], "direction"),
    (setup(2), [{**CROSS, "direction": "in"}], "direction"),
    (setup(2), [without(CROSS, "line")], "line"),
    (setup(2), [{**CROSS, "probability": 1.2}], "probability"),
    (setup(2), [{**CROSS, "probability": "high"}], "probability"),
    (setup(2), [{**CROSS, "sigma_mm": -1}], "sigma_mm"),
    (setup(2), [{**CROSS, "frames": [12, 10]}], "frames"),
    (setup(2), [{**CROSS, "frames": [12]}], "frames"),
    (setup(2), [{**CROSS, "t_s": "soon"}], "t_s"),
    (setup(2), [{**CROSS, "id": 7}], "id"),
    (setup(2), [{**CROSS, "id": ""}], "id"),
    (setup(2), [incident("contact", coin="moons")], "with"),
    (setup(2), [incident("contact", coin="moons", **{"with": "the lamp"})], "with"),
    (setup(2), [incident("left_table", coin="moons")], "at_mm"),
    (setup(2), [incident("left_table", coin="moons", at_mm=[1, 2, 3])], "at_mm"),
    (setup(2), [incident("placed", coin="moons")], "at_mm"),
    (setup(2), [incident("placed", coin="moons", at_mm=[1, "2"])], "at_mm[1]"),
    (setup(2), [incident("at_rest")], "coins"),
    (setup(2), [incident("at_rest", coins={"moons": [1]})], "coins.moons"),
    (setup(2), [incident("at_rest", coins={"moons": [1, 2], "suns": [1, "b"]})], "coins.suns[1]"),
    (setup(2), [incident("at_rest", coins={"gold": [1, 2]})], "coins.gold"),
    (setup(2), [without(PUSH, "tile")], "tile"),
    (setup(2), [{**PUSH, "by": "wind"}], "by"),
    (setup(2), [{**PUSH, "from": {"centre_mm": [0, 0]}}], "from.rotation_deg"),
    (setup(2), [incident("unseen", pieces=["gold"], from_s=1, to_s=2)], "pieces[0]"),
    (setup(2), [incident("unseen", pieces=[], from_s=2, to_s=1)], "to_s"),
    (setup(2), [incident("renamed", coins={"moons": "suns"})], "coins"),
    (
        setup(2),
        [incident("renamed", coins={"moons": "suns", "suns": "moons"}, until="later")],
        "until",
    ),
    (setup(2), [incident("surveyed", layout={"tiles": 3})], "layout.tiles"),
    (setup(2), [said("after_hit", option=5, coin="suns")], "option"),
    (setup(2), [said("after_hit", option=2)], "coin"),
    (setup(2), [said("concede", player="Zoe")], "player"),
    (setup(2), [said("agreed")], "winner"),
    (setup(2), [said("agreed", winner="Zoe")], "winner"),
    (TEAMS, [said("agreed", winner=["Ann", "Ben"])], "winner"),
    (TEAMS, [said("agreed", winner="Ann")], "winner"),
    (TEAMS, [said("agreed", winner=["Ann", "Ann", "Cyd"])], "winner"),
    (TEAMS, [said("agreed", winner=["Ann"])], "winner"),
    (setup(2), [said("agreed", winner=["Ann"])], "winner"),
    (setup(2), [{**FLICK, "id": "r+"}, ADDED], "replacement.id"),
    (setup(2), [{**FLICK, "id": "#3+"}, without(ADDED, "id")], "replacement.id"),
    (setup(2), [ADDED, {**FLICK, "id": "r+"}], "id"),
    (
        setup(2),
        [FLICK, ruling("upheld", on="f", id="r"), ruling("before", on="r", other="f")],
        "verdict",
    ),
    (setup(2), [FLICK, {**said("pass"), "id": "p"}, ruling("before", on="f", other="p")], "other"),
    (setup(2), [ruling("before", on="setup", other="setup")], "verdict"),
    (setup(2), [ruling("added", after="setup", replacement=setup(2))], "replacement"),
    (
        setup(2),
        [ruling("added", after="setup", replacement=ruling("upheld", on="setup"))],
        "replacement",
    ),
    (setup(2), [said("challenge")], "on"),
    (setup(2), [said("challenge", on="i9")], "on"),
    (setup(2), [FLICK, FLICK], "id"),
    (setup(2), [{**FLICK, "id": "#3"}, without(CROSS, "id")], "id"),
    (setup(2), [{**FLICK, "id": "setup"}], "id"),
    (setup(2), [ruling("forgiven", on="f")], "verdict"),
    (setup(2), [ruling("overturned")], "on"),
    (setup(2), [ruling("overturned", on="f"), FLICK], "on"),
    (setup(2), [FLICK, ruling("overturned", on="f", then="shrug")], "then"),
    (setup(2), [FLICK, ruling("replaced", on="f")], "replacement"),
    (
        setup(2),
        [FLICK, ruling("replaced", on="f", replacement=ruling("upheld", on="f"))],
        "replacement",
    ),
    (setup(2), [FLICK, ruling("replaced", on="f", replacement=setup(2))], "replacement"),
    (
        setup(2),
        [FLICK, ruling("replaced", on="f", replacement=without(FLICK, "coin"))],
        "replacement.coin",
    ),
    (
        setup(2),
        [FLICK, ruling("replaced", on="f", replacement={**FLICK, "coin": "gold"})],
        "replacement.coin",
    ),
    (setup(2), [FLICK, ruling("added", replacement=CROSS)], "after"),
    (setup(2), [FLICK, ruling("added", after="f", on="setup", replacement=CROSS)], "on"),
    (setup(2), [FLICK, ruling("added", after="f", replacement=FLICK)], "replacement.id"),
    (
        setup(2),
        [FLICK, ruling("upheld", on="f", id="r"), ruling("added", after="r", replacement=CROSS)],
        "after",
    ),
    (
        setup(2),
        [FLICK, ruling("upheld", on="f", id="r"), ruling("replaced", on="r", replacement=CROSS)],
        "verdict",
    ),
    (setup(2), [ruling("overturned", on="setup")], "verdict"),
    (setup(2), [ruling("replaced", on="setup", replacement=CARROMS)], "replacement.game"),
    (setup(2), [ruling("replaced", on="setup", replacement=setup(1))], "replacement.players"),
    (setup(2), [ruling("replaced", on="setup", replacement=FLICK)], "replacement"),
    (setup(2), [FLICK, ruling("before", on="f")], "other"),
    (setup(2), [FLICK, ruling("before", on="f", other="f")], "other"),
    (setup(2), [FLICK, ruling("before", on="f", other="setup")], "other"),
    (CARROMS, [incident("pocketed", coin="suns-1", pocket="pocket-n")], "pocket"),
    (CARROMS, [incident("flicked", coin="suns-7")], "coin"),
    (CARROMS, [said("hold", walls=["X"])], "walls[0]"),
    (CASTLE, [said("croquet", option=6)], "option"),
    (CASTLE, [{**CROSS, "line": "gate-moons", "direction": "outward"}], "direction"),
    (LAWN, [incident("rolled", die="die-1", face="ace")], "die"),
    (LAWN, [incident("rolled", die="roll", face="6")], "face"),
    (LAWN, [incident("rolled", die="roll", face=2)], "face"),
    (LAWN, [incident("moved", pawn="purple", **{"from": None, "to": [1, 0]})], "pawn"),
    (LAWN, [incident("moved", pawn="black", **{"from": None, "to": [1.5, 0]})], "to[0]"),
    (LAWN, [incident("coin_flipped", coin="moons-6")], "coin"),
    (LAWN, [incident("coin_turned", coin="moons-null", angle_deg="up")], "angle_deg"),
    (LAWN, [said("croquet", stroke="whack")], "stroke"),
    (LAWN, [said("croquet", stroke="stop-shot", direction="n")], "distance"),
    (LAWN, [said("croquet", stroke="play-off", direction="n")], "direction"),
    (LAWN, [said("shot", route=[[1, 2], [3]])], "route[1]"),
    (LAWN, [said("disaster", choice={"kind": "straight"})], "choice.direction"),
    (LAWN, [incident("flicked", coin="moons")], "kind"),
    (SIX, [incident("rolled", die="die-1", face=7)], "face"),
    (SIX, [incident("rolled", die="roll", face=3)], "die"),
    (SIX, [incident("moved", pawn="green", **{"from": [1, 1], "to": [1, 2]})], "pawn"),
    (SIX, [said("croquet", direction="n")], "pawn"),
    (SIX, [said("croquet", pawn="red", direction="up")], "direction"),
    (LAWN, [incident("coin_flipped", coin="moons")], "coin"),
    (LAWN, [incident("coin_turned", coin="moon", angle_deg=0)], "coin"),
    (setup(2), [{**PUSH, "to": None}], "to"),
    (setup(2), [incident("surveyed", moved_px="far")], "moved_px"),
]


@pytest.mark.parametrize(
    ("first", "rest", "field"), LAST, ids=lambda value: value if isinstance(value, str) else ""
)
def test_entry_is_refused(first: dict[str, Any], rest: list[dict[str, Any]], field: str) -> None:
    wrong = 2 if rest[0].get("verdict") == "overturned" and len(rest) == 2 else len(rest) + 1
    text = "\n".join(json.dumps(row) for row in (first, *rest))
    with pytest.raises(InputError) as refused:
        parse_record(text.encode(), "here.jsonl")
    assert str(refused.value).startswith(f"here.jsonl: line {wrong}: {field}: "), str(refused.value)
    assert "\n" not in str(refused.value)


BROKEN = [
    b"{",
    b"[]",
    b"3",
    b'"flicked"',
    b"null",
    b"{'entry': 'incident'}",
    b'{"entry":"incident","kind":"flicked","coin":"moons"} {}',
    b'{"entry":"incident","kind":"left_table","coin":"moons","at_mm":[NaN,1]}',
    b'{"entry":"incident","kind":"left_table","coin":"moons","at_mm":[1e999,1]}',
    b'{"entry":"incident","kind":"flicked","coin":"\xff"}',
    b'{"entry":"incident","kind":"flicked","coin":"moons","mood":"\xff"}',
    b'{"entry":"incident","kind":"flicked","coin":"\\ud800"}',
    b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
]


TWICE = [
    (b'{"entry":"incident","kind":"flicked","coin":"moons","coin":"suns"}', "coin"),
    (b'{"entry":"incident","kind":"flicked","coin":"moons","coin":"moons"}', "coin"),
    (b'{"entry":"incident","kind":"flicked","coin":"moons","\\u0063oin":"suns"}', "coin"),
    (b'{"entry":"incident","entry":"ruling","kind":"flicked","coin":"moons"}', "entry"),
    (
        b'{"entry":"incident","kind":"at_rest","coins":{"moons":[1,2],"suns":[3,4],"moons":[5,6]}}',
        "coins.moons",
    ),
    (
        b'{"entry":"ruling","verdict":"added","after":"setup",'
        b'"replacement":{"entry":"incident","kind":"flicked","coin":"moons","coin":"suns"}}',
        "replacement.coin",
    ),
    (
        b'{"entry":"incident","kind":"flicked","coin":"moons","mood":[{},{"good":1,"good":2}]}',
        "mood[1].good",
    ),
    (b'{"entry":"incident","kind":"flicked","coin":"moons","a":"b",":x":1,":x":2}', ":x"),
    (b'{"entry":"incident","kind":"flicked","coin":"moons","mood":[1e999]}', "mood[0]"),
    (
        b'{"entry":"incident","kind":"flicked","coin":"moons","mood":[' + b"9" * 309 + b".0]}",
        "mood[0]",
    ),
    (b'{"entry":"incident","kind":"flicked","coin":"moons","t_s":-1e999}', "t_s"),
]


@pytest.mark.parametrize(("text", "field"), TWICE)
def test_a_key_given_twice_and_a_number_without_end_are_refused(text: bytes, field: str) -> None:
    what = "is not a finite number" if b"e999" in text or b"999." in text else "is given twice"
    with pytest.raises(InputError) as refused:
        parse_record(json.dumps(setup(2)).encode() + b"\n" + text + b"\n", "here.jsonl")
    assert str(refused.value) == f"here.jsonl: line 2: {field}: {what}"


def test_a_key_given_twice_in_the_setup_is_refused() -> None:
    twice = json.dumps(setup(2)).replace(
        '"options": {', '"options": {"poison": true, "poison": false'
    )
    with pytest.raises(InputError, match=r"^here\.jsonl: line 1: options\.poison: is given twice$"):
        parse_record(twice.encode(), "here.jsonl")


@pytest.mark.parametrize("text", BROKEN, ids=lambda text: repr(text[:30]))
def test_bad_json_is_refused(text: bytes) -> None:
    with pytest.raises(InputError, match=r"^here\.jsonl: line 2: [^\n]+$"):
        parse_record(json.dumps(setup(2)).encode() + b"\n" + text + b"\n", "here.jsonl")


def test_empty_and_missing_files_are_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"\n\n")
    with pytest.raises(InputError, match="line 1: entry: the record is empty"):
        read_record(empty)
    with pytest.raises(InputError, match=r"no\.jsonl: cannot be read: No such file"):
        read_record(tmp_path / "no.jsonl")
    with pytest.raises(InputError, match="cannot be read"):
        read_record(tmp_path)


def test_mutated_records_are_read_or_refused_never_worse() -> None:
    """A short form of the fuzz test: bytes and JSON values of a sound record are changed at
    random.
    """
    dice = random.Random(4)
    sound = text_of(
        setup(2),
        "place moons 70 0",
        "flick moons",
        "cross moons 1 out frames=[1,2] probability=0.5",
        "hit moons suns",
        "fall suns 1 2",
        "rest moons 1 2",
        "after_hit 2 suns",
        "unseen moons",
        "rename moons suns",
        "challenge i2",
        "upheld i3",
        "added i3 cross moons 2 out",
        "before i3 i4",
        "push wicket-1-left",
        "concede",
    )
    values = [b"null", b"3", b'"x"', b"[]", b"{}", b"true", b"-1e9", b'"moons"', b'"i3"']
    for _ in range(4000):
        text = bytearray(sound)
        for _ in range(dice.randint(1, 3)):
            at = dice.randrange(len(text))
            colon = text.find(b":", at)
            if dice.random() < 0.5 and colon > 0:
                end = min(
                    i for i in (text.find(b",", colon), text.find(b"}", colon), len(text)) if i > 0
                )
                text[colon + 1 : end] = dice.choice(values)
            else:
                text[at : at + dice.randint(0, 3)] = dice.choice(
                    [b"", b"\xff", b'"', b"0", b"\n", b"}"]
                )
        try:
            parse_record(bytes(text), "f")
        except InputError as error:
            assert str(error).startswith("f: line ") and "\n" not in str(error)


def test_unknown_fields_are_ignored() -> None:
    read = parse_record(
        text_of({**setup(2), "venue": "here"}, {**line("flick moons"), "mood": ["good"]})
    )
    assert len(read) == 2


READ = [
    (setup(2), incident("flicked", coin="moons")),
    (setup(2), without(without(PUSH, "from"), "to")),
    (setup(2), {**without(without(PUSH, "from"), "to"), "kind": "tile_restored"}),
    (SIX, incident("moved", pawn="blue", path=[[6, 4]])),
    (LAWN, incident("moved", pawn="black", to=[2, 0])),
    (SIX, said("croquet", pawn="red", direction="nw")),
    (setup(2), incident("surveyed", moved_px=3.5)),
]


@pytest.mark.parametrize(("first", "entry"), READ, ids=lambda value: value.get("kind"))
def test_what_may_be_missing_is_read_and_stays_missing(
    first: dict[str, Any], entry: dict[str, Any]
) -> None:
    read = parse_record("\n".join(map(json.dumps, (first, entry))).encode())[1]
    assert {"touching": [], **entry, "id": "#2"} == {"touching": [], **json.loads(line_of(read))}


@pytest.mark.parametrize("name", ["moons", "moons-null"])
def test_a_hoop_marker_may_be_named_by_its_face_alone(name: str) -> None:
    turned = incident("coin_turned", coin=name, angle_deg=45)
    read = parse_record("\n".join(map(json.dumps, (LAWN, turned))).encode())[1]
    assert isinstance(read, CoinTurned)
    assert read.coin == "moons-null"


def test_a_team_is_ignored_where_no_teams_play() -> None:
    for first in (CASTLE, CARROMS):
        players = [{**player, "team": "A"} for player in first["players"]]
        rows = ({**first, "players": players}, said("agreed", winner=players[0]["name"]))
        assert len(parse_record("\n".join(map(json.dumps, rows)).encode())) == 2


def test_a_tile_of_any_name_that_was_displaced_may_be_unseen() -> None:
    unseen = incident("unseen", pieces=["any tile"], from_s=1, to_s=2)
    assert len(parse_record("\n".join(map(json.dumps, (setup(2), PUSH, unseen))).encode())) == 3
