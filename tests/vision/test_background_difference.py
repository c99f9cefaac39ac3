"""How a frame differs from the background: where that has edges of its own, what a pushed tile
changes, and which changes may be a coin.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.vision.background.background import Background
from referee.vision.background.foreground import Foreground
from referee.vision.background_difference import BackgroundDifference, bare_table, tile_boxes
from referee.vision.coins.face_levels import FaceLevels
from referee.vision.coins.rim_fit import LUMINANCE
from referee.vision.image.picture import Bytes, Picture
from referee.vision.image.projection_cache import ProjectionCache
from tests.vision.drawn import SIZES, course, looking, table

PLAIN = np.full((looking().camera.height // 2, looking().camera.width // 2), 140, np.uint8)


def against_plain(now: Bytes, coin_px: float, faintest: float) -> Foreground:
    """Return how a small copy differs from a plain table, sorted."""
    return plain_difference(now, coin_px, faintest).foreground()


def plain_difference(
    now: Bytes, coin_px: float, faintest: float, moving: tuple[float, ...] = ()
) -> BackgroundDifference:
    """Return how a small copy differs from a plain table."""
    view = looking(0.0)
    height, width = PLAIN.shape
    still = np.full((2 * height, 2 * width), 140, np.uint8)
    grey = np.full((height, width), 128, np.uint8)
    background = Background.of(Picture(still, grey, grey), LUMINANCE, 2)
    return BackgroundDifference(
        now,
        background,
        background,
        None,
        np.full((height, width), 255, np.uint8),
        5.6,
        23.0,
        coin_px,
        table(view, course()),
        ProjectionCache(view, SIZES.coin_thickness_mm, 2, width, height),
        (),
        FaceLevels(149.0, 160.0, faintest, moving=moving),
    )


@pytest.mark.parametrize(("step", "found"), [(5.6, 1), (30.0, 0)])
def test_a_coin_that_differs_from_the_table_in_its_luminance_alone_is_seen_by_that(step, found):
    """A disc of 5 small pixels' radius is darker by 20. The channel mix shows nothing of it."""
    luma = PLAIN.copy()
    cv2.circle(luma, (80, 60), 5, 120, -1)
    assert not against_plain(PLAIN, 70.0, 3.0).coin_like
    difference = replace(plain_difference(PLAIN, 70.0, 3.0), luma=luma, luma_step=step)
    regions = difference.foreground().coin_like
    assert len(regions) == found
    for region in regions:
        assert region.middle == pytest.approx((80.0, 60.0), abs=0.5)


@pytest.mark.parametrize(("level", "found"), [(142.0, True), (190.0, False)])
def test_a_coin_as_light_as_the_table_there_may_be_where_its_print_or_shadow_differs(level, found):
    """A disc of 5 small pixels' radius is darker by 20, on a table of 140. Elsewhere on the table
    every coin stands out by 23.
    """
    now = PLAIN.copy()
    cv2.circle(now, (80, 60), 5, 120, -1)
    foreground = plain_difference(now, 78.0, 23.0, (level,)).foreground()
    (region,) = foreground.coin_like
    assert (foreground.unexplained_middle(region, [], 30.0) is not None) == found


def test_what_no_known_coin_explains_is_told_though_it_is_less_than_a_coin():
    """A disc of 5 small pixels' radius is gone from one place and lies 3 pixels beside it. Half a
    crescent more is noise.
    """
    now = PLAIN.copy()
    cv2.circle(now, (80, 60), 5, 120, -1)
    cv2.circle(now, (83, 60), 5, 160, -1)
    cv2.circle(now, (83, 60), 3, 140, -1)
    now[100:103, 40:42] = 120
    difference = plain_difference(now, 78.0, 23.0)
    (at_mm,) = difference.unexplained([])
    assert difference.unexplained([at_mm]) == ()
    column, row = difference.table.view.pixel_of(*at_mm, SIZES.coin_thickness_mm)
    assert (column, row) == pytest.approx((2 * 81.5, 2 * 60), abs=2.0)


def test_the_table_is_bare_inside_its_edge_and_beside_its_tiles() -> None:
    """The small copy is half as large as the picture. The table reaches 100 mm to either side
    of the origin, and 60 mm up and down."""
    view = looking(0.0)
    laid = course(("wicket-1-left", (60.0, 10.0)))
    surveyed = table(view, laid, half_mm=(100.0, 60.0))
    width, height = view.camera.width // 2, view.camera.height // 2
    seen = ProjectionCache(view, SIZES.coin_thickness_mm, 2, width, height)
    bare = bare_table(np.full((height, width), 255, np.uint8), surveyed, laid, seen)

    def at(x_mm: float, y_mm: float) -> int:
        column, row = (view.to_image(np.array([[x_mm, y_mm, 0.0]]))[0] / 2).round().astype(int)
        return int(bare[row, column])

    assert (at(-96.0, 0.0), at(-104.0, 0.0)) == (255, 0)
    assert (at(0.0, 56.0), at(0.0, 64.0)) == (255, 0)
    assert (at(60.0, 10.0), at(0.0, 10.0)) == (0, 255)


def test_a_tile_that_was_pushed_and_turned_lies_within_its_surroundings() -> None:
    """Pushed by 20 mm and turned by 45 degrees, its corner lies 20 + 50 / sqrt(2) = 55.4 mm from
    where its middle was.
    """
    view = looking(0.0)
    laid = course(("wicket-1-left", (0.0, 0.0)))
    width, height = view.camera.width // 2, view.camera.height // 2
    seen = ProjectionCache(view, SIZES.coin_thickness_mm, 2, width, height)
    (box,) = tile_boxes(table(view, laid), laid, seen)
    corner = view.to_image(np.array([[55.4, 0.0, SIZES.tile_thickness_mm]]))[0] / 2
    assert box.left < corner[0] < box.right


@pytest.mark.parametrize(("faintest", "found"), [(5.9, True), (23.0, False)])
def test_a_coin_of_the_tables_own_colour_shows_by_its_dark_outline(faintest: float, found: bool):
    """Its face differs by 2 grey levels, which noise does, too, and its outline is darker by 9.
    Where all coins differ from the table by 23 and more, what is darker is a shadow.
    """
    now = PLAIN.copy()
    cv2.circle(now, (80, 60), 5, 142, -1)
    cv2.circle(now, (80, 60), 5, 131, 2)
    foreground = against_plain(now, 78.0, faintest)
    (region,) = foreground.coin_like
    middle = foreground.unexplained_middle(region, [], 20.0)
    assert (middle is not None) == found
    if middle is not None:
        assert middle == pytest.approx((160.5, 120.5), abs=1.0)


@pytest.mark.parametrize(("wide_px", "found"), [(3, True), (1, False)])
def test_the_dark_side_of_a_small_coin_is_wider_than_the_edge_of_a_shadow(
    wide_px: int, found: bool
):
    """A coin 5 px wide slides up to the right: what is darker is a streak over 6 rows."""
    now = PLAIN.copy()
    for k in range(6):
        now[62 - k, 76 + k : 76 + k + wide_px] = 131
    foreground = against_plain(now, 19.6, 5.0)
    (region,) = foreground.coin_like
    middle = foreground.unexplained_middle(region, [], 5.0)
    assert (middle is not None) == found
    if middle is not None:  # of columns 76 to 83 and rows 57 to 62, two pixels a pixel
        assert middle == pytest.approx((159.5, 119.5), abs=0.6)
