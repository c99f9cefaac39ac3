"""The background: its small copy, its noise, and what is added to it and removed from it."""

from __future__ import annotations

import numpy as np
import pytest

from referee.vision.background.background import Background
from referee.vision.image.picture import ChannelMix, Picture, Rect, shrunk
from referee.vision.image.projection_cache import ProjectionCache
from tests.vision.drawn import SIZES, looking

PLAIN = ChannelMix()


def random_planes(seed: int = 3, shape: tuple[int, int] = (24, 40)) -> Picture:
    rng = np.random.default_rng(seed)
    half = (shape[0] // 2, shape[1] // 2)
    return Picture(*(rng.integers(60, 190, s).astype(np.uint8) for s in (shape, half, half)))


def block_means(values: np.ndarray, by: int) -> np.ndarray:
    h, w = values.shape
    return values.reshape(h // by, by, w // by, by).mean(axis=(1, 3))


@pytest.mark.parametrize("by", [1, 2, 4])
def test_a_small_pixel_is_the_mean_of_its_block(by):
    luma = random_planes().luma
    assert shrunk(luma, by).astype(float) == pytest.approx(
        block_means(luma.astype(float), by), abs=0.8
    )  # rounded once for each halving


@pytest.mark.parametrize("channel_mix", [ChannelMix(0.5, 1.0, -0.4), ChannelMix(-1.0, 0.3, 0.3)])
def test_the_small_copy_is_the_mean_of_the_mixture_up_to_a_constant(channel_mix):
    picture = random_planes()
    mixed = channel_mix.y * picture.luma.astype(float)
    for weight, plane in ((channel_mix.u, picture.u), (channel_mix.v, picture.v)):
        assert plane is not None
        mixed += weight * np.kron(plane, np.ones((2, 2)))
    small = picture.small(channel_mix, 4).astype(float)
    expected = block_means(mixed, 4)
    inside = (small > 0) & (small < 255)
    assert inside.mean() > 0.8
    offset = (small - expected)[inside]
    assert np.ptp(offset) < 3.0


def test_a_grey_picture_s_small_copy_is_its_luminance():
    picture = Picture(random_planes().luma)
    assert np.array_equal(picture.small(ChannelMix(1.0, 0.5, 0.5), 2), shrunk(picture.luma, 2))


def test_a_plate_keeps_its_own_pixels():
    picture = random_planes()
    background = Background.of(picture, PLAIN, 4)
    before = picture.luma.copy()
    picture.luma[...] = 0
    assert np.array_equal(background.picture.luma, before)
    assert background.small.astype(float) == pytest.approx(
        block_means(before.astype(float), 4), abs=0.8
    )


def test_only_the_pixels_asked_for_are_taken_over_in_every_plane():
    old, new = random_planes(1), random_planes(2)
    background = Background.of(old, ChannelMix(1.0, 1.0, 1.0), 2)
    rect = Rect(8, 4, 20, 16)
    where = np.zeros((12, 12), np.bool_)
    where[4:8, 4:10] = True
    background.take_over(new, rect, where)
    taken = np.zeros(old.luma.shape, np.bool_)
    taken[8:12, 12:18] = True
    assert np.array_equal(background.picture.luma, np.where(taken, new.luma, old.luma))
    assert background.picture.u is not None and old.u is not None and new.u is not None
    assert np.array_equal(background.picture.u[4:6, 6:9], new.u[4:6, 6:9])
    assert np.array_equal(background.picture.u[:3], old.u[:3])
    assert np.array_equal(background.small, background.picture.small(background.channel_mix, 2))


def test_what_is_taken_out_is_filled_as_its_surroundings_let_expect():
    ramp = np.tile(np.linspace(60, 180, 80), (60, 1))
    with_coin = ramp.copy()
    rows, columns = np.mgrid[:60, :80]
    disc = np.hypot(columns - 40, rows - 30) < 10
    with_coin[disc] = 240
    background = Background.of(Picture(with_coin.astype(np.uint8)), PLAIN, 2)
    rect = Rect(24, 14, 57, 47)
    background.take_out(rect, (disc[14:47, 24:57] * 255).astype(np.uint8))
    assert np.abs(background.picture.luma.astype(float) - ramp)[disc].max() < 15
    assert np.array_equal(background.picture.luma[~disc], with_coin.astype(np.uint8)[~disc])
    assert np.array_equal(background.small, shrunk(background.picture.luma, 2))


@pytest.mark.parametrize(
    ("shape", "shrink"), [((48, 80), 4), ((48, 80), 2), ((48, 80), 1), ((46, 70), 4)]
)
@pytest.mark.parametrize("channel_mix", [PLAIN, ChannelMix(0.5, 1.0, -0.4)])
@pytest.mark.parametrize("rect", [Rect(9, 5, 30, 22), Rect(0, 0, 3, 3), Rect(57, 33, 70, 46)])
def test_after_every_change_the_small_copy_is_that_of_the_whole(shape, shrink, channel_mix, rect):
    background = Background.of(random_planes(shape=shape), channel_mix, shrink)
    before, _ = background.small, (background.luma, background.half)  # made before the change
    kept = before.copy()
    background.take_over(
        random_planes(seed=9, shape=shape),
        rect,
        np.ones((rect.bottom - rect.top, rect.right - rect.left), np.bool_),
    )
    assert np.array_equal(
        background.small, background.picture.small(channel_mix, shrink)
    ) and not np.array_equal(background.small, kept)
    if shrink > 1:
        assert np.array_equal(before, kept)  # whoever kept the old one still has it unchanged
    background.take_out(
        rect, np.full((rect.bottom - rect.top, rect.right - rect.left), 1, np.uint8)
    )
    assert np.array_equal(background.small, background.picture.small(channel_mix, shrink))
    whole = Background.of(background.picture, channel_mix, shrink)
    assert np.array_equal(background.luma, whole.luma)
    assert np.array_equal(background.half, whole.half)


def test_what_is_to_be_read_before_a_part_changes_is_read_once_and_not_before():
    background, seen = Background.of(random_planes(shape=(48, 80)), PLAIN, 4), []
    was, new = background.picture.luma.copy(), random_planes(seed=9, shape=(48, 80))
    part, beside = Rect(8, 8, 24, 24), Rect(24, 8, 40, 24)
    background.before_change(part, lambda: seen.append(background.picture.luma.copy()))
    all_of_it = np.ones((16, 16), np.bool_)
    background.take_over(new, beside, all_of_it)
    assert not seen
    background.take_over(new, Rect(20, 20, 36, 36), all_of_it)
    background.take_out(part, np.ones((16, 16), np.uint8))
    assert len(seen) == 1
    assert np.array_equal(part.of(seen[0]), part.of(was))


@pytest.mark.parametrize("copied", [False, True])
def test_what_was_taken_out_comes_back_unless_a_frame_was_copied_there_since(copied: bool):
    projections = ProjectionCache(looking(0.0), SIZES.coin_thickness_mm, 2, 640, 360)
    here, beside = projections.at((0.0, 0.0)), projections.at((30.0, 0.0))
    background = Background.of(random_planes(shape=(720, 1280)), PLAIN, 2)
    was = [plane.copy() for plane in background.picture.planes(Rect(0, 0, 1280, 720))]
    background.take_out_disc(here, 8.0)
    background.take_out_disc(beside, 8.0)
    out = [plane.copy() for plane in background.picture.planes(Rect(0, 0, 1280, 720))]
    copy = background.copy()
    new = random_planes(seed=9, shape=(720, 1280))
    if copied:
        background.take_over_disc(new, here, 2.0)
        kept = background.picture.luma.copy()
        background.put_back([here.at_mm])
        assert np.array_equal(background.picture.luma, kept)
        return
    for one in (background, copy):
        one.put_back([here.at_mm])
        put_back = one.picture.planes(Rect(0, 0, 1280, 720))
        inside = here.rect(8.0)
        for then, removed, now in zip(was, out, put_back, strict=True):
            half = then.shape[0] < 720
            rect = one.picture.part_of_colour(inside) if half else inside
            assert np.array_equal(rect.of(now), rect.of(then))
            assert not np.array_equal(now, then)  # the disc beside it stays out
            assert not np.array_equal(now, removed)
        assert np.array_equal(one.small, one.picture.small(PLAIN, 2))
