"""What the last pass of a refinement still moved counts as an error of the tiles."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibration.store.store import read_camera
from calibration.table import refine
from calibration.table.settling import last_moves_mm, with_last_moves
from calibration.table.survey import survey_table
from calibration.table.tower_places import CENTRE_SHARE
from calibration.tiles.bundle import Adjusted
from calibration.tiles.bundle import adjust as fitted
from calibration.tiles.field_error import FieldError
from referee.commands.calibration.still_pictures import read_stills
from referee.domain.layout import Tile, template_course
from referee.domain.pieces import PieceSizes
from tests.vision.drawn import looking

TILES = dict(template_course("tabletop-croquet", 50.8).tiles)
MOVED = "wicket-3-left"
DEMO = Path(__file__).parents[3] / "fixtures" / "clips" / "demo"
PASSES = refine._PASSES


def shared(tile: Tile, turn_deg: float = 2.0, larger: float = 1.03) -> Tile:
    """Return a tile after a turn, a growth and a shift of the whole table."""
    (x, y), turn = tile.centre_mm, math.radians(turn_deg)
    cos, sin = larger * math.cos(turn), larger * math.sin(turn)
    return replace(tile, centre_mm=(cos * x - sin * y + 7.0, sin * x + cos * y - 4.0))


def after(aside_mm: float) -> dict[str, Tile]:
    """Return the tiles after a pass that moves them together, and one of them aside as well."""
    found = {name: shared(tile) for name, tile in TILES.items()}
    x, y = found[MOVED].centre_mm
    return found | {
        MOVED: replace(found[MOVED], centre_mm=(x + 0.6 * aside_mm, y + 0.8 * aside_mm))
    }


@pytest.mark.parametrize("aside_mm", [0.0, 3.0])
def test_what_all_tiles_share_is_no_move(aside_mm):
    moved_mm = last_moves_mm(TILES, after(aside_mm))
    assert moved_mm.pop(MOVED) == pytest.approx(aside_mm, abs=1e-3)
    assert moved_mm == pytest.approx(dict.fromkeys(moved_mm, 0.0), abs=1e-3)
    assert len(moved_mm) == len(TILES) - 1


def test_a_tile_that_was_found_in_the_last_pass_did_not_move():
    assert MOVED not in last_moves_mm({n: t for n, t in TILES.items() if n != MOVED}, after(3.0))


def test_two_tiles_tell_nothing_about_the_others():
    two = {name: TILES[name] for name in list(TILES)[:2]}
    assert last_moves_mm(two, after(3.0)) == {}


def test_the_error_of_a_tile_grows_by_its_last_move():
    """A centre's error is 3 mm over the square root of 2 along each axis then, and edges are off by
    more than the centre.
    """
    field = FieldError()
    found = Adjusted(looking(), TILES, 0.1, dict.fromkeys(TILES, 0.2), field)
    off_mm = dict(with_last_moves(found, TILES, after(3.0)).off_mm)
    assert off_mm.pop(MOVED) == pytest.approx(math.hypot(0.2, 3.0 / CENTRE_SHARE))
    assert off_mm == pytest.approx(dict.fromkeys(off_mm, 0.2))


def test_a_survey_states_what_its_last_pass_moved(monkeypatch):
    """3 mm are 2.1 mm along each axis."""
    passes = []

    def adjust(*given: Any, **options: Any) -> Adjusted:
        found = fitted(*given, **options)
        passes.append(found)
        if len(passes) < PASSES:
            return found
        x, y = found.tiles[MOVED].centre_mm
        aside = replace(found.tiles[MOVED], centre_mm=(x + 3.0, y))
        return replace(found, tiles={**found.tiles, MOVED: aside})

    monkeypatch.setattr(refine, "adjust", adjust)
    camera = read_camera(DEMO / "camera.yaml")
    still = read_stills(DEMO / "clip.mp4")[0]
    table = survey_table(still, camera, "tabletop-croquet", PieceSizes())
    assert len(passes) == PASSES
    sigmas_mm = {name: tile.sigma_mm for name, tile in table.course.tiles.items()}
    assert sigmas_mm.pop(MOVED) == pytest.approx(3.0 / math.sqrt(2.0), abs=0.3)
    assert max(sigmas_mm.values()) < 1.0
