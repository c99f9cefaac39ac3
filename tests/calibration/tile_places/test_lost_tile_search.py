"""Where a tile that the first search missed is taken to lie: where it looks like the other tiles,
or where a tile's outline is seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from calibration.tile_places import lost_tile_search
from calibration.tiles.template_match import CLEARLY, LEAST_SIMILARITY
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

ALIKE, OUTLINED = Tile((20.0, -30.0)), Tile((3.0, 2.0))
COLOURED = Tile((5.0, 5.0))
BETWEEN = 0.5 * (LEAST_SIMILARITY + CLEARLY)


@dataclass(frozen=True)
class Colours:
    """Colours that say which tiles are `odd`."""

    odd: frozenset[Tile] = frozenset()

    def are_odd(self, tile: Tile) -> bool:
        return tile in self.odd


COLOURS: Any = Colours()


@pytest.mark.parametrize(
    ("similarity", "outline_there", "outlined", "found"),
    [
        pytest.param(BETWEEN, 2.2, OUTLINED, OUTLINED, id="print looks a little like the face"),
        pytest.param(BETWEEN, 2.9, OUTLINED, ALIKE, id="print has a slightly better outline"),
        pytest.param(BETWEEN, 3.5, OUTLINED, ALIKE, id="the better outline is where it is alike"),
        pytest.param(CLEARLY + 0.01, 0.0, OUTLINED, ALIKE, id="clearly the face, half hidden"),
        pytest.param(BETWEEN, 0.0, None, ALIKE, id="no outline anywhere"),
        pytest.param(LEAST_SIMILARITY, 2.9, OUTLINED, ALIKE, id="a faint face, nearly outlined"),
        pytest.param(0.1, 3.5, OUTLINED, OUTLINED, id="alike nowhere"),
        pytest.param(LEAST_SIMILARITY, 3.5, None, None, id="neither"),
    ],
)
def test_a_lost_tile_lies_where_face_and_outline_say(
    monkeypatch: pytest.MonkeyPatch,
    similarity: float,
    outline_there: float,
    outlined: Tile | None,
    found: Tile | None,
) -> None:
    scores = {ALIKE.centre_mm: outline_there, OUTLINED.centre_mm: 3.0}
    elsewhere = {OUTLINED.centre_mm: (similarity - 0.1, OUTLINED)}
    monkeypatch.setattr(
        lost_tile_search,
        "find_alike",
        lambda _l, _v, t, *_: elsewhere.get(t.centre_mm, (similarity, ALIKE)),
    )
    monkeypatch.setattr(lost_tile_search, "search_tile", lambda *_: outlined)
    monkeypatch.setattr(
        lost_tile_search, "best_outline", lambda _l, _v, t, *_: (scores[t.centre_mm], t)
    )
    unused: Any = None
    near, sizes = Tile((0.0, 0.0)), PieceSizes()
    face: Any = object()
    assert (
        lost_tile_search.sought([unused], unused, near, sizes, face, unused, COLOURS, None) == found
    )
    assert (
        lost_tile_search.sought([unused], unused, near, sizes, None, unused, COLOURS, None)
        == outlined
    )


def test_where_face_and_outline_are_close_together_the_face_gives_the_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are 12 mm apart, less than a quarter of a tile of 50.8 mm."""
    alike = Tile((3.0, -10.0))
    monkeypatch.setattr(lost_tile_search, "find_alike", lambda *_: (BETWEEN, alike))
    monkeypatch.setattr(lost_tile_search, "search_tile", lambda *_: OUTLINED)
    unused: Any = None
    face: Any = object()
    near = Tile((0.0, 0.0))
    found = lost_tile_search.sought(
        [unused], unused, near, PieceSizes(), face, unused, COLOURS, None
    )
    assert found == alike


@pytest.mark.parametrize(
    ("similarity", "odd", "outlined", "coloured", "found"),
    [
        pytest.param(BETWEEN, {OUTLINED}, OUTLINED, None, ALIKE, id="print has the outline"),
        pytest.param(0.1, {OUTLINED}, OUTLINED, None, OUTLINED, id="a tile in glare"),
        pytest.param(BETWEEN, {ALIKE}, OUTLINED, None, OUTLINED, id="print looks like the face"),
        pytest.param(0.1, {ALIKE}, None, COLOURED, COLOURED, id="only its colours are seen"),
        pytest.param(0.1, {ALIKE}, OUTLINED, COLOURED, OUTLINED, id="its outline is seen there"),
    ],
)
def test_a_lost_tile_lies_where_the_colours_of_tiles_are(
    monkeypatch: pytest.MonkeyPatch,
    similarity: float,
    odd: set[Tile],
    outlined: Tile | None,
    coloured: Tile | None,
    found: Tile,
) -> None:
    monkeypatch.setattr(lost_tile_search, "find_alike", lambda *_: (similarity, ALIKE))
    monkeypatch.setattr(lost_tile_search, "search_tile", lambda *_: outlined)
    unused: Any = None
    face: Any = object()
    colours: Any = Colours(frozenset(odd))
    near = Tile((0.0, 0.0))
    assert (
        lost_tile_search.sought(
            [unused], unused, near, PieceSizes(), face, unused, colours, coloured
        )
        == found
    )


def test_only_the_first_picture_is_searched_around_the_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They were seen in that picture. In another one, a hand may be away that hid the tile."""
    near, tried = Tile((0.0, 0.0)), list[tuple[str, Tile, float, bool]]()

    def search_tile(
        light: Any, _v: Any, start: Tile, _s: Any, reach_mm: float, _e: Any, is_likely: Any
    ) -> None:
        tried.append((light, start, reach_mm, is_likely(ALIKE)))

    monkeypatch.setattr(lost_tile_search, "search_tile", search_tile)
    lights: Any = ["first", "second"]
    unused: Any = None
    colours: Any = Colours(frozenset({ALIKE}))
    sizes = PieceSizes(tile_mm=50.0)
    found = lost_tile_search.sought(lights, unused, near, sizes, None, unused, colours, COLOURED)
    # a quarter of a tile around the colours; 0.8 tiles around the expected place
    assert tried == [("first", COLOURED, 12.5, False), ("second", near, 40.0, True)]
    assert found == COLOURED
