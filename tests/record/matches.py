"""Matches written in a few words, for tests: `match("flick moons", "cross moons 1 out",
"rest")`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from referee.domain.entry import Entry
from referee.record.reading import parse_record
from referee.replay.adjudication import Adjudication, adjudicate

NAMES = ("Ann", "Ben", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon")
COINS = ("moons", "suns", "arms", "crowns", "null", "ace", "2", "3", "4", "5")
DIRECTIONS = {"out": "outward", "home": "homeward"}
FRAMING = ("turn_began", "turn_ended", "flick_began")


def setup(
    players: int | list[int | None] = 2, *, teams: str | None = None, **more: Any
) -> dict[str, Any]:
    """Return a setup of Tabletop Croquet. `players` is a number of players whose coins have
    entered, or the steps that each has made (None: not entered).
    """
    steps = [0] * players if isinstance(players, int) else players
    seats: list[dict[str, Any]] = [
        {"name": name, "coin": coin} for name, coin, _ in zip(NAMES, COINS, steps, strict=False)
    ]
    for i, (seat, progress) in enumerate(zip(seats, steps, strict=True)):
        if progress is not None:
            seat["progress"] = progress
        if teams is not None:
            seat["team"] = teams[i % len(teams)]
    options = dict(more.pop("options", {}))
    if teams is not None:
        options["teams"] = True
    return {
        "entry": "setup",
        "format": "piecepack-match/1",
        "game": "tabletop-croquet",
        "players": seats,
        "options": options,
        **more,
    }


def line(text: str) -> dict[str, Any]:
    """Return one entry from a few words. Words like `key=value` are added unchanged (values are
    read as JSON where possible).
    """
    words = text.split()
    plain = [word for word in words if "=" not in word]
    more = {
        key: _value(value)
        for key, _, value in (word.partition("=") for word in words if "=" in word)
    }
    return {**_entry(plain[0], plain[1:]), **more}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _entry(what: str, rest: list[str]) -> dict[str, Any]:
    if what in ("upheld", "overturned", "replaced", "added", "before"):
        return _ruling(what, rest)
    if what in ("after_hit", "rover", "leave", "pass", "concede", "agreed", "challenge"):
        return {"entry": "declaration", "kind": what, **_said(what, rest)}
    return {"entry": "incident", **SEEN[what](rest)}


def _ruling(what: str, rest: list[str]) -> dict[str, Any]:
    ruling: dict[str, Any] = {"entry": "ruling", "verdict": what}
    if what == "before":
        return ruling | {"on": rest[0], "other": rest[1]}
    ruling["after" if what == "added" else "on"] = rest[0]
    if len(rest) > 1:
        ruling["replacement"] = line(" ".join(rest[1:]).replace(":", "="))
    return ruling


def _said(what: str, rest: list[str]) -> dict[str, Any]:
    match what:
        case "after_hit":
            return {"option": int(rest[0]), "coin": rest[1]}
        case "rover" | "leave":
            return {"coin": rest[0]}
        case "agreed":
            return {"winner": rest[0] if rest else None}
        case "challenge":
            return {"on": rest[0] if rest else None}
        case _:
            return {"player": rest[0]} if rest else {}


def _points(rest: list[str]) -> list[float]:
    return [float(number) for number in rest]


def _tile(kind: str, tile: str) -> dict[str, Any]:
    place = {"centre_mm": [0.0, 0.0], "rotation_deg": 0.0}
    return {
        "kind": kind,
        "tile": tile,
        "moved_mm": 5.0,
        "turned_deg": 0.0,
        "by": "coin",
        "from": place,
        "to": place,
    }


SEEN: dict[str, Callable[[list[str]], dict[str, Any]]] = {
    "flick": lambda rest: {"kind": "flicked", "coin": rest[0], "touching": rest[1:]},
    "cross": lambda rest: {
        "kind": "line_crossed",
        "coin": rest[0],
        "line": f"wicket-{rest[1]}",
        "direction": DIRECTIONS[rest[2]],
    },
    "hit": lambda rest: {"kind": "contact", "coin": rest[0], "with": rest[1]},
    "post": lambda rest: {"kind": "contact", "coin": rest[0], "with": f"{rest[1]}-endpost"},
    "fall": lambda rest: {
        "kind": "left_table",
        "coin": rest[0],
        "at_mm": _points(rest[1:]) or [600.0, 400.0],
    },
    "rest": lambda rest: {
        "kind": "at_rest",
        "coins": {rest[i]: _points(rest[i + 1 : i + 3]) for i in range(0, len(rest), 3)},
    },
    "place": lambda rest: {"kind": "placed", "coin": rest[0], "at_mm": _points(rest[1:])},
    "lift": lambda rest: {"kind": "placed", "coin": rest[0], "at_mm": None},
    "push": lambda rest: _tile("tile_displaced", rest[0]),
    "restore": lambda rest: _tile("tile_restored", rest[0]),
    "unseen": lambda rest: {"kind": "unseen", "pieces": rest, "from_s": 1.0, "to_s": 2.0},
    "rename": lambda rest: {"kind": "renamed", "coins": {rest[0]: rest[1], rest[1]: rest[0]}},
}


def text_of(first: Mapping[str, Any], *lines: str | Mapping[str, Any]) -> bytes:
    """Return the record's text. Entries are named i1, i2, ... and rulings r1, r2, ... unless they
    have an id.
    """
    rows: list[Mapping[str, Any]] = [first]
    counts = {"i": 0, "r": 0}
    for said in lines:
        entry = line(said) if isinstance(said, str) else dict(said)
        kind = "r" if entry["entry"] == "ruling" else "i"
        counts[kind] += 1
        rows.append({"id": f"{kind}{counts[kind]}", **entry})
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def entries(first: Mapping[str, Any], *lines: str | Mapping[str, Any]) -> tuple[Entry, ...]:
    """Return the record's entries."""
    return parse_record(text_of(first, *lines), "match")


def play(
    first: Mapping[str, Any], *lines: str | Mapping[str, Any], at: str | None = None
) -> Adjudication:
    """Return what the rules make of the match."""
    return adjudicate(entries(first, *lines), at)


def progress(result: Adjudication) -> list[int]:
    """Return how many steps each player has made."""
    return [row["progress"] for row in result.standings]


def turn(result: Adjudication) -> tuple[str, int]:
    """Return whose turn it is, and the flicks left."""
    return result.turn["coin"], result.turn["flicks_left"]


def calls(result: Adjudication) -> list[tuple[str, str, int | None]]:
    """Return the calls without those that frame flicks and turns: entry, name, flicks."""
    return [(call.on, call.call, call.flicks) for call in result.calls if call.call not in FRAMING]


def asked(result: Adjudication) -> list[tuple[str, str]]:
    """Return the questions: entry and what is asked."""
    return [(question.on, question.what) for question in result.questions]


def odd(result: Adjudication) -> list[tuple[str, str]]:
    """Return the irregularities: entry and code."""
    return [(one.on, one.what) for one in result.irregularities]
