"""Which castle is Moons' where the survey could not tell: nobody plays on a guess."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from calibration.rough_survey.quarter_turns import turned_names
from calibration.store.store import read_table
from calibration.table.castle_order import with_castle_at
from calibration.table.surveyed_table import SurveyedTable
from referee.desk.feed import Feed
from referee.domain.errors import InputError
from referee.domain.layout import Course
from referee.session import watching
from referee.session.input_checks import surveyed
from referee.session.watching import UNANSWERED, watch
from tests.clips.bundled import options, true_table

CLIP = "castle"  # Moons' castle is near the camera, and Suns' on its left


def guessed() -> SurveyedTable:
    """Return a table with Suns' castle, on the camera's left, taken for Moons': its tower lies in
    the south, and each tile has the name of the place in which it then is.
    """
    table = true_table(CLIP)
    names = turned_names(table.course, 1)
    tiles = {
        names[name]: replace(tile, centre_mm=(-tile.centre_mm[1], tile.centre_mm[0]))
        for name, tile in table.course.tiles.items()
    }
    course = Course(MappingProxyType(tiles), table.course.tile_mm)
    edge = tuple(
        replace(
            side,
            begin_mm=(-side.begin_mm[1], side.begin_mm[0]),
            end_mm=(-side.end_mm[1], side.end_mm[0]),
        )
        for side in table.edge
    )
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    view = replace(table.view, R_camera_table=table.view.R_camera_table @ turn.T)
    return replace(table, course=course, edge=edge, view=view, castle_assumed="left")


def test_a_castle_that_is_only_assumed_is_asked_for_before_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert watch(options(CLIP, guessed(), tmp_path)) == UNANSWERED == 3
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "which castle is Moons'" in told
    assert "--moons-side near|left|far|right" in told
    assert not (tmp_path / "out").exists()


def test_what_people_say_holds_and_every_tile_gets_its_castles_name(tmp_path: Path) -> None:
    """In the picture each tile and side of the edge is where it was; in the table frame Moons'
    tower is in the south.
    """
    asked = options(CLIP, guessed(), tmp_path, moons_side="near")
    (found, _), true = surveyed(asked), true_table(CLIP)
    for name, tile in true.course.tiles.items():
        shown, wanted = (
            table.view.to_image(np.array([[*each.centre_mm, 0.0]]))[0]
            for table, each in ((found, found.course.tiles[name]), (true, tile))
        )
        assert shown == pytest.approx(wanted, abs=0.1)
    east, north = found.course.tiles["tower-moons"].centre_mm
    assert abs(east) < 15.0 and north < -230.0
    corners = [
        {tuple(np.round(px)) for px in t.view.to_image(np.array([[*at, 0.0] for at in t.edge_mm]))}
        for t in (found, true)
    ]
    assert corners[0] == corners[1]
    assert found.castle_assumed is None


def test_a_survey_that_knows_the_castle_refuses_the_option(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^--moons-side: .*table\.yaml does not ask for it"):
        watch(options(CLIP, true_table(CLIP), tmp_path, moons_side="near"))


def test_the_file_keeps_that_a_castle_is_assumed_until_people_have_said_it(tmp_path: Path) -> None:
    kept = read_table(options(CLIP, guessed(), tmp_path).table)
    assert kept.castle_assumed == "left"
    answered = with_castle_at(kept, "left")
    assert answered.course == kept.course and answered.castle_assumed is None


def answering(monkeypatch: pytest.MonkeyPatch, say: str | None) -> list[dict[str, Any]]:
    """Serve no page, and let no frame be refereed. Whoever would read the page says `say` when it
    is asked which castle is Moons', or closes it. Return what was shown when it was asked.
    """
    asked: list[dict[str, Any]] = []

    def serve(_options: object, feed: Feed, _desk: object, _stack: object) -> None:
        def read() -> None:
            serial = 0
            while not feed.latest("castle"):
                serial = feed.changes_since(serial, 5.0)[-1].serial
            asked.append(feed.snapshot())
            picture = feed.picture("castle")
            assert picture is not None and picture.content.startswith(b"\xff\xd8")
            if say is None:
                feed.close()
            else:
                feed.answer("castle", say)

        threading.Thread(target=read, daemon=True).start()

    monkeypatch.setattr(watching, "serve_dashboard", serve)
    return asked


def test_the_page_asks_which_castle_is_moons_and_play_begins_with_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, played = answering(monkeypatch, "near"), []
    monkeypatch.setattr(watching, "_referee", lambda _o, table, *_: played.append(table) or 0)
    assert watch(options(CLIP, guessed(), tmp_path, ui=True)) == 0
    (table,), (shown,), view = played, asked, true_table(CLIP).view
    assert table.castle_assumed is None
    assert table.course == with_castle_at(guessed(), "near").course
    assert "table" not in shown  # its drawing would give every castle a name
    for castle, tower in zip(
        shown["castle"]["castles"], ("moons", "suns", "crowns", "arms"), strict=True
    ):
        x, y = true_table(CLIP).course.tiles[f"tower-{tower}"].centre_mm
        assert castle["in_picture"]["at_px"] == pytest.approx(view.pixel_of(x, y, 12.7), abs=3)
    assert [castle["side"] for castle in shown["castle"]["castles"]] == [
        "near",
        "left",
        "far",
        "right",
    ]


def test_a_place_that_is_given_for_a_coin_is_judged_once_the_castle_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, "near")
    off = {"moons": (0.0, -9000.0)}
    with pytest.raises(InputError, match=r"^--name moons=0,-9000: this place is not on the table"):
        watch(options(CLIP, guessed(), tmp_path, ui=True, names_mm=off))


def test_a_page_that_closes_without_an_answer_ends_as_if_nobody_could_be_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answering(monkeypatch, None)
    assert watch(options(CLIP, guessed(), tmp_path, ui=True)) == UNANSWERED
    assert "--moons-side near|left|far|right" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
