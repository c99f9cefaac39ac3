"""`referee demo`: what it keeps from one run to the next."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from referee.commands import demo
from referee.session.match_file import read_match


def test_the_demo_surveys_again_after_a_change_in_a_package_of_the_survey(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clip, code = tmp_path / "clip", tmp_path / "calibration" / "tiles" / "rims.py"
    clip.mkdir()
    code.parent.mkdir(parents=True)
    code.write_text("before = 1\n", encoding="utf-8")
    monkeypatch.setattr(demo, "_CHECKOUT", tmp_path)
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: str(tmp_path / "cache"))
    surveyed: list[Path] = []

    def survey(_: Path, table: Path, __: Path) -> None:
        surveyed.append(table)
        table.touch()

    monkeypatch.setattr(demo, "_survey", survey)
    demo.surveyed(clip)
    demo.surveyed(clip)
    assert len(surveyed) == 1
    code.write_text("after = 1\n", encoding="utf-8")
    demo.surveyed(clip)
    assert len(surveyed) == 2


@pytest.mark.parametrize("game", ["tabletop-croquet", "castle-croquetnole", "carroms"])
def test_the_demo_has_a_clip_of_each_game(game: str) -> None:
    assert read_match(demo.demo_folder(game) / "match.yaml").game == game
