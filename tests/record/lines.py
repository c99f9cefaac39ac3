"""Setups of every game, and entries of each kind as lines of a record, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

GRID: dict[str, Any] = {"entry": "setup", "format": "piecepack-match/1", "options": {}}
LAWN = {
    **GRID,
    "game": "piecepack-croquet",
    "players": [
        {"name": "Ann", "pawns": ["black", "blue"]},
        {"name": "Ben", "pawns": ["red", "green"]},
    ],
}
SIX = {
    **GRID,
    "game": "wickets-six",
    "players": [
        {"name": "Ann", "pawns": ["blue", "black"]},
        {"name": "Ben", "pawns": ["red", "yellow"]},
    ],
}
NINE = {
    **GRID,
    "game": "wickets-nine",
    "players": [{"name": "Ann", "pawn": "blue"}, {"name": "Ben", "pawn": "red"}],
}
CASTLE = {
    **GRID,
    "game": "castle-croquetnole",
    "players": [
        {"name": n, "coin": c}
        for n, c in zip("ABCD", ("moons", "suns", "crowns", "arms"), strict=True)
    ],
}
CARROMS = {
    **GRID,
    "game": "carroms",
    "players": [{"name": "Ann", "coin": "suns"}, {"name": "Ben", "coin": "arms"}],
}


def incident(kind: str, **fields: Any) -> dict[str, Any]:
    return {"entry": "incident", "kind": kind, **fields}


def said(kind: str, **fields: Any) -> dict[str, Any]:
    return {"entry": "declaration", "kind": kind, **fields}


def ruling(verdict: str, **fields: Any) -> dict[str, Any]:
    return {"entry": "ruling", "verdict": verdict, **fields}


def without(entry: Mapping[str, Any], field: str) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != field}


FLICK = incident("flicked", coin="moons", id="f")
