"""Rectangles of pixels, and a frame's luminance and colour differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.vision.image.picture import ChannelMix, Picture, Rect, picture_from_bgr, rect_around


def test_a_rectangle_is_cut_to_the_picture():
    assert Rect(-3, 5, 700, 490).within(640, 480) == Rect(0, 5, 640, 480)
    assert Rect(650, 5, 660, 9).within(640, 480).empty
    assert not Rect(0, 0, 1, 1).empty
    assert Rect(2, 3, 2, 9).empty


def test_a_rectangle_s_part_of_an_image_is_a_view_of_those_rows_and_columns():
    image = np.arange(20).reshape(4, 5)
    part = Rect(1, 2, 4, 4).of(image)
    assert part.tolist() == [[11, 12, 13], [16, 17, 18]]
    assert np.shares_memory(part, image)


@given(st.floats(-50, 50), st.floats(-50, 50), st.floats(0, 20), st.floats(0, 20))
def test_the_rectangle_around_a_point_holds_what_is_in_reach(x, y, across, up):
    rect = rect_around(x, y, across, up)
    assert rect.left <= x - across and x + across <= rect.right - 1
    assert rect.top <= y - up and y + up <= rect.bottom - 1
    assert rect.right - rect.left < 2 * across + 4 and rect.bottom - rect.top < 2 * up + 4


def test_a_tint_mixes_what_it_says():
    luma, u, v = (np.full((2, 3), value, np.uint8) for value in (100, 40, 200))
    picture = Picture(luma, u, v)
    whole = Rect(0, 0, 3, 2)
    assert picture.mixed(whole, ChannelMix(0.5, -1.0, 0.25)) == pytest.approx(
        np.full((2, 3), 0.5 * 100 - 40 + 0.25 * 200)
    )
    assert picture.mixed(whole, ChannelMix(-1.0)) == pytest.approx(np.full((2, 3), -100.0))
    assert picture.mixed(Rect(1, 0, 2, 2), ChannelMix()).shape == (2, 1)


def test_a_tint_of_colour_leaves_a_grey_picture_with_its_luminance():
    assert Picture(np.full((2, 2), 70, np.uint8)).mixed(
        Rect(0, 0, 2, 2), ChannelMix(1.0, 3.0, 3.0)
    ) == pytest.approx(np.full((2, 2), 70.0))


def test_colour_of_half_the_size_sits_between_its_pixels():
    # A colour sample lies in the middle of its two pixels, at 2 k + 0.5. A plane that rises by 10 a
    # sample rises by 5 a pixel.
    u = np.tile(np.arange(8, dtype=np.uint8) * 10, (4, 1))
    picture = Picture(np.zeros((8, 16), np.uint8), u, np.zeros((4, 8), np.uint8))
    row = picture.mixed(Rect(3, 2, 13, 3), ChannelMix(0.0, 1.0, 0.0))[0]
    assert row == pytest.approx(
        [(x - 0.5) * 5 for x in range(3, 13)], abs=0.51
    )  # whole grey levels; a sample misplaced by half a pixel is off by 2.5


def test_grey_stays_grey_in_colour_and_none_is_made_up():
    picture = Picture(
        np.full((4, 4), 90, np.uint8),
        np.full((2, 2), 128, np.uint8),
        np.full((2, 2), 128, np.uint8),
    )
    bgr = picture.bgr(Rect(0, 0, 4, 3))
    assert bgr is not None and bgr.shape == (3, 4, 3)
    assert np.abs(bgr.astype(int) - 90).max() <= 1
    assert Picture(np.zeros((4, 4), np.uint8)).bgr(Rect(0, 0, 2, 2)) is None


def test_there_and_back_a_colour_is_the_same():
    bgr = np.zeros((6, 8, 3), np.uint8)
    bgr[:, :4], bgr[:, 4:] = (40, 90, 160), (150, 60, 50)
    picture = picture_from_bgr(bgr)
    assert (picture.width, picture.height) == (8, 6)
    back = picture.bgr(Rect(0, 0, 8, 6))
    assert back is not None
    assert np.abs(back.astype(int) - bgr).max() <= 3
    assert (
        picture.u is not None and picture.u[0, 0] < 128 < picture.u[0, 7]
    )  # U is blue's excess: orange on the left, blue on the right


def test_a_copy_does_not_follow_the_original():
    luma = np.zeros((2, 2), np.uint8)
    copy = Picture(luma, luma[:1], luma[:1]).copy()
    luma[...] = 9
    assert copy.luma.max() == 0 and copy.u is not None and copy.u.max() == 0


@pytest.mark.parametrize("y", [1.0, 0.06, -1.0])
def test_in_every_mix_the_small_copy_tells_all_colours_of_a_table_apart(y):
    """Brown wood, skin and a yellow coin are all less blue than grey."""
    mix = ChannelMix(y, 1.0, -0.56)
    colours = {"wood": (110, 100, 150), "skin": (170, 108, 152), "yellow": (180, 70, 140)}
    seen = {
        name: int(Picture(*(np.full((8, 8), v, np.uint8) for v in yuv)).small(mix, 1)[4, 4])
        for name, yuv in colours.items()
    }
    for name, (luma, u, v) in colours.items():
        assert seen[name] == pytest.approx(
            min(max(128 + y * (luma - 128) + (u - 128) - 0.56 * (v - 128), 0), 255), abs=2
        )
    assert len(set(seen.values())) == 3 and min(seen.values()) > 0
