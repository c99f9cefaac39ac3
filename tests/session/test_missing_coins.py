"""A match's coins that were not seen when play began: they are told, recorded, or laid where
somebody says.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.domain.entry import Player
from referee.domain.geometry import Point
from referee.session.match_file import Match, read_match
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.session.watch_options import WatchOptions
from referee.session.watching import watch
from tests.clips.bundled import CLIPS, off_mm, options, true_table, truth_of

CLIP = "wicket-missed"
NAMES: dict[str, Point] = {
    n: (c["mm"][0], c["mm"][1]) for n, c in truth_of(CLIP)["frames"][0]["coins"].items()
}


def asked(folder: Path, **more: Any) -> WatchOptions:
    return options(CLIP, true_table(CLIP), folder, **{"names_mm": NAMES, **more})


def entries(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "record.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def with_a_fourth_coin(**more: Any) -> Match:
    """Return the clip's match with a player whose coin is nowhere in the picture."""
    match = read_match(CLIPS / CLIP / "match.yaml")
    return replace(match, players=(*match.players, Player(name="Dan", coin="crowns")), **more)


def test_a_coin_that_is_not_seen_is_told_and_recorded_and_play_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert watch(asked(tmp_path, match=with_a_fourth_coin())) == 0
    assert "3 of 4 coins seen: crowns is not" in capsys.readouterr().out
    kinds = [(e.get("kind", "setup"), e.get("pieces")) for e in entries(tmp_path / "out")]
    # Nobody knows what the coin did in the flick either.
    assert kinds == [
        ("setup", None),
        ("at_rest", None),
        ("unseen", ["crowns"]),
        ("flicked", None),
        ("unseen", ["crowns"]),
        ("at_rest", None),
    ]


def test_a_coin_that_begins_off_the_table_is_not_missing(tmp_path: Path) -> None:
    match = with_a_fourth_coin(off_table=frozenset({"crowns"}))
    assert watch(asked(tmp_path, match=match)) == 0
    kinds = [e.get("kind", "setup") for e in entries(tmp_path / "out")]
    assert kinds == ["setup", "at_rest", "flicked", "at_rest"]


def test_a_name_given_where_no_coin_was_seen_lays_the_coin_there(tmp_path: Path) -> None:
    empty = (0.0, 0.0)
    assert all(off_mm(empty, at) > 60 for at in NAMES.values())
    given = {**NAMES, "crowns": empty}
    match = with_a_fourth_coin()
    assert watch(asked(tmp_path, match=match, names_mm=given)) == 0
    first = entries(tmp_path / "out")[1]
    assert set(first["coins"]) == {*NAMES, "crowns"}
    assert off_mm(first["coins"]["crowns"], empty) < 30


def test_a_name_given_where_a_coin_lay_that_is_lost_since_belongs_to_that_coin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names are looked for when faces are seen well enough: that may be after the first flick."""
    known, rename = EpisodeBuilder.known, EpisodeBuilder.rename
    names: dict[str, str] = {}
    opened: list[set[str]] = []

    def without_the_ace(builder: EpisodeBuilder) -> dict[str, Any]:
        opened.append(set(builder.opening))
        return {n: r for n, r in known(builder).items() if off_mm(r.at_mm, NAMES["ace"]) > 20}

    def noted(builder: EpisodeBuilder, given: dict[str, str]) -> None:
        names.update(given)
        rename(builder, given)

    monkeypatch.setattr(EpisodeBuilder, "known", without_the_ace)
    monkeypatch.setattr(EpisodeBuilder, "rename", noted)
    assert watch(asked(tmp_path)) == 0
    assert sorted(names.values()) == sorted(NAMES)
    assert set(names) <= opened[0]
