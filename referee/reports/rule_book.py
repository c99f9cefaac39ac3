"""How each game is refereed, in our own words: its course, its options, and how unclear rules are
read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, get_args

import yaml

from referee.domain.entry import GameName
from referee.games.words import Option, words_of

#: All games, in the order in which they are listed.
GAMES: Final[tuple[str, ...]] = get_args(GameName)


@dataclass(frozen=True, slots=True)
class Reading:
    """One question that the rules leave open, and its answer. `name` is its name in fixtures and
    code.
    """

    name: str
    of: str
    reading: str


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One game as it is refereed. `common` are the readings that it shares with other games."""

    game: str
    title: str
    players: str
    course: tuple[str, ...]
    turn: str
    options: Mapping[str, Option]
    readings: tuple[Reading, ...]
    common: tuple[Reading, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the rulebook as plain values."""
        options = {
            name: {"meaning": o.meaning, "allowed": o.allowed, "default": o.default}
            for name, o in self.options.items()
        }
        readings, common = (
            [{"id": one.name, "of": one.of, "reading": one.reading} for one in some]
            for some in (self.readings, self.common)
        )
        return {
            "game": self.game,
            "title": self.title,
            "players": self.players,
            "course": list(self.course),
            "turn": self.turn,
            "options": options,
            "readings": readings,
            "common": common,
        }


def rulebook_of(game: str) -> Rulebook:
    """Return the rulebook of one game. Raises FileNotFoundError for an unknown game."""
    texts, shared, words = _texts(game), _texts("common"), words_of(game)
    common = shared["every"] | (shared["flicking"] if "flicked" in words.incidents else {})
    return Rulebook(
        game,
        texts["title"],
        texts["players"],
        tuple(texts["course"]),
        texts["turn"],
        words.options,
        _readings(texts["readings"]),
        _readings(common),
    )


def _texts(name: str) -> dict[str, Any]:
    text = (
        resources.files("referee").joinpath("readings", f"{name}.yaml").read_text(encoding="utf-8")
    )
    texts: dict[str, Any] = yaml.safe_load(text)
    return texts


def _readings(readings: Mapping[str, Mapping[str, str]]) -> tuple[Reading, ...]:
    return tuple(Reading(name, one["of"], one["is"]) for name, one in readings.items())
