"""A record continues from the file it was made from: nothing is refereed twice, and nothing is left
out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.domain.errors import InputError
from referee.session.watching import MatchWatch, watch
from referee.vision.sources.frame import VideoFrame
from tests.clips.bundled import learnt_pieces, options, true_table, truth_of
from tests.session.test_watching import NAMES, asked, entries

CLIP = "demo"  # several flicks


def told(folder: Path) -> list[tuple[Any, ...]]:
    """Return the incidents of a record, except where coins lie: kind, coin, with what, and when, to
    a hundredth of a second.
    """
    found = [e for e in entries(folder) if e.get("kind", "at_rest") != "at_rest"]
    return [
        (e["kind"], e.get("coin"), e.get("with"), e.get("line"), round(e["t_s"], 2)) for e in found
    ]


def asked_demo(folder: Path, **more: Any) -> Any:
    return options(
        CLIP, true_table(CLIP), folder, pieces=learnt_pieces(CLIP, folder / "pieces.yaml"), **more
    )


def test_interrupted_between_flicks_a_match_goes_on_from_its_file_as_if_it_had_not_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    whole.mkdir()
    parts.mkdir()
    assert watch(asked_demo(whole)) == 0
    take = MatchWatch.take

    def interrupted(run: MatchWatch, frame: VideoFrame) -> None:
        take(run, frame)
        if run.recorded:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(MatchWatch, "take", interrupted)
        watch(asked_demo(parts))
    first = told(parts / "out")
    assert 0 < len(first) < len(told(whole / "out"))
    assert watch(asked_demo(parts, resume=True)) == 0
    assert told(parts / "out") == told(whole / "out")
    assert sum(kind == "flicked" for kind, *_ in told(whole / "out")) == sum(
        i["kind"] == "flicked" for i in truth_of(CLIP)["incidents"]
    )


def test_a_file_that_is_recorded_to_its_end_adds_nothing_that_happened(tmp_path: Path) -> None:
    assert watch(asked(tmp_path)) == 0
    before = told(tmp_path / "out")
    assert watch(asked(tmp_path, resume=True)) == 0
    assert told(tmp_path / "out") == before


def test_a_name_given_for_a_coin_the_record_does_not_know_there_is_heeded(tmp_path: Path) -> None:
    assert watch(asked(tmp_path)) == 0
    known = [
        line
        for line in (tmp_path / "out" / "record.jsonl").read_text(encoding="utf-8").splitlines()
        if '"at_rest"' not in line
    ]
    (tmp_path / "out" / "record.jsonl").write_text("\n".join(known) + "\n", encoding="utf-8")
    twice = {coin: NAMES["moons"] for coin in ("moons", "ace")}
    with pytest.raises(InputError, match="that coin was already named moons"):
        watch(asked(tmp_path, resume=True, names_mm=twice))


def test_a_note_of_its_source_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    assert watch(asked(tmp_path)) == 0
    note = tmp_path / "out" / "source.json"
    assert json.loads(note.read_text(encoding="utf-8"))["file"] == "clip.mp4"
    note.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"source\.json"):
        watch(asked(tmp_path, resume=True))
