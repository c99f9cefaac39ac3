"""The words for coins and towers in the line that says what is expected next: "Ben's knight", "the
black coin".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any


def said_in(game: str, standings: Sequence[Mapping[str, Any]]) -> Callable[[str], str]:
    """Return the function that gives the words for a piece: in Castle Croquetnole its role and
    owner, in Carroms its colour, elsewhere the face it shows.

    >>> said = said_in("castle-croquetnole", [{"player": "Ben", "knight": "suns", "guard": "2"}])
    >>> said("suns"), said("2"), said("tower-suns"), said("gatepost-sw")
    ("Ben's knight", "Ben's guard", "Ben's tower", 'gatepost-sw')
    >>> said_in("carroms", [])("moons")
    'the black coin'
    """
    if game == "carroms":
        from referee.games.carroms.state import in_words

        return in_words
    names: dict[str, str] = {}
    for row in standings:
        if "knight" in row:
            knight, owner = row["knight"], row["player"]
            names |= {
                knight: f"{owner}'s knight",
                row["guard"]: f"{owner}'s guard",
                f"tower-{knight}": f"{owner}'s tower",
            }
    return lambda piece: names.get(piece, piece)


def with_what(turn: Mapping[str, Any], said: Callable[[str], str]) -> str:
    """Return with which piece the player in turn plays (" with the knight", " with black"), if the
    game has a choice of pieces; otherwise an empty text.

    >>> with_what({"player": "Ben", "coin": "suns"}, lambda coin: "Ben's knight")
    ' with the knight'
    """
    if "pawn" in turn:
        return f" with {turn['pawn']}"
    role = said(str(turn.get("coin"))).removeprefix(f"{turn.get('player')}'s ")
    return f" with the {role}" if role in ("knight", "guard") else ""
