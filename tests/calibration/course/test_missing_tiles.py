"""Tiles that no picture shows: where they are put, and when the course is refused instead."""

from __future__ import annotations

import pytest

from calibration.course.course_places import LAID_TILES
from calibration.course.misplaced_tiles import misfit
from calibration.course.missing_tiles import whole_course
from referee.domain.geometry import distance
from referee.domain.layout import Tile, template_course

TILE_MM = 50.8
TEMPLATE = template_course("tabletop-croquet", TILE_MM)


def without(*pieces: str) -> dict[str, Tile]:
    return {
        name: tile
        for name, tile in TEMPLATE.tiles.items()
        if name not in pieces and name.rsplit("-", 1)[0] not in pieces
    }


def test_a_whole_piece_may_be_missing_only_where_glare_hides_it() -> None:
    post = frozenset({"left-endpost"})
    assert misfit(without("left-endpost"), TEMPLATE, [], post) is None
    assert misfit(without("left-endpost"), TEMPLATE, [], frozenset({"right-endpost"})) is not None
    refused = misfit(without("left-endpost", "wicket-3"), TEMPLATE, [], post)
    assert refused is not None
    assert "wicket-3 is missing" in refused
    assert "endpost" not in refused


@pytest.mark.parametrize("piece", ["left-endpost", "right-endpost", "wicket-3"])
def test_a_piece_that_glare_hides_lies_where_an_even_course_has_it(piece: str) -> None:
    """The other tiles lie exactly as in the template, so the hidden ones do, too."""
    tiles, words = whole_course(without(piece), TEMPLATE)
    hidden = [name for name in TEMPLATE.tiles if name not in without(piece)]
    for name in hidden:
        template = TEMPLATE.tiles[name]
        assert distance(tiles[name].centre_mm, template.centre_mm) < 0.5
        assert tiles[name].stack == template.stack
        assert tiles[name].sigma_mm == pytest.approx(LAID_TILES * TILE_MM)
    assert len(words) == len(hidden)
    assert all("the table shines" in word for word in words)
