"""A disc is fitted as the coin looks at rest, or as what is seen at a place looks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.domain.geometry import Point, distance
from referee.vision.coins.coin_template import RADII, CoinTemplate
from referee.vision.coins.laid_coins import LaidTemplate
from referee.vision.coins.rim_appearance import UNKNOWN_RIMS, RimAppearance
from referee.vision.image.disc import spot_at
from referee.vision.image.picture import ChannelMix, Floats, Picture, Rect
from referee.vision.image.projection_cache import ProjectionCache
from referee.vision.moving_coins.disc_fits import FrameFits, SearchArea
from tests.vision.drawn import LIGHT, SIZES, WOOD, Scenery, looking, table

VIEW = looking(30.0)
AT: Point = (12.0, -8.0)
AWAY: Point = (13.0, -7.5)
HOME: Point = (-60.0, 20.0)


def drawn(*discs: tuple[Point, float], wood: float = WOOD) -> Picture:
    """Return a picture in which coins are as light as the table, and bluer by what is given."""
    luma, blue = (
        Scenery(VIEW, shown, wood=level, noise=1.0, seed=seed).values()
        for shown, level, seed in (((), wood, 1), (discs, 128.0, 2))
    )
    planes = (luma, blue, np.full_like(luma, 128.0))
    return Picture(*(np.clip(np.rint(plane), 0, 255).astype(np.uint8) for plane in planes))


def fits(picture: Picture, **templates: CoinTemplate) -> FrameFits:
    height, width = picture.luma.shape
    projections = ProjectionCache(VIEW, SIZES.coin_thickness_mm, 1, width, height)
    return FrameFits(picture, drawn(), table(VIEW), projections, LIGHT, UNKNOWN_RIMS, templates)


def from_a_dark_square(colour: tuple[float, ...] | None) -> CoinTemplate:
    """Return the template of a coin as light as the wood, from a dark square, on which the coin's
    luminance alone shows it.
    """
    spot, radius_mm = spot_at(VIEW, HOME, SIZES.coin_thickness_mm), SIZES.coin_mm / 2
    rect = spot.rect(RADII * radius_mm)
    mask = np.ones((rect.bottom - rect.top, rect.right - rect.left), np.bool_)
    coin, bare = (
        rect.of(Scenery(VIEW, shown, wood=60.0).values()).astype(np.float32)
        for shown in (((HOME, WOOD),), ())
    )
    known = None if colour is None else np.array(colour)
    return CoinTemplate(
        rect, mask, ~mask, coin, bare, lifted=True, spot=spot, radius_mm=radius_mm, colour=known
    )


def test_a_coin_that_is_no_lighter_than_the_table_is_found_by_its_colour():
    blue = fits(drawn((AT, 168.0)))
    as_usual = blue.near(AWAY, (0.0, 0.0), None)
    assert as_usual is None or distance(as_usual.at_mm, AT) > SIZES.coin_mm / 2
    found = blue.as_it_looks(AWAY, (0.0, 0.0))
    assert found is not None
    assert distance(found.at_mm, AT) < found.sigma_mm
    half_wall_mm = 0.5 * SIZES.coin_thickness_mm * np.tan(np.radians(30.0))
    assert half_wall_mm < found.sigma_mm < 2.0


def test_a_coin_from_a_dark_square_is_found_by_its_colour_on_wood_as_light_as_itself():
    picture = drawn((AT, 168.0))
    unknown = fits(picture, suns=from_a_dark_square(None)).near(AWAY, (0.0, 0.0), "suns")
    assert unknown is None or distance(unknown.at_mm, AT) > 3.0
    known = from_a_dark_square((WOOD, 168.0, 128.0))
    found = fits(picture, suns=known).near(AWAY, (0.0, 0.0), "suns")
    assert found is not None
    assert distance(found.at_mm, AT) < 1.0
    assert found.is_sharp
    assert 0.8 < found.contrast < 1.2


@pytest.mark.parametrize("wall_share", [-1.0, 0.0, 1.0])
def test_a_wall_as_light_as_in_another_mix_does_not_shift_a_coin_found_by_its_colour(
    wall_share: float,
) -> None:
    """`wall_share` was measured where the coin's luminance shows it."""
    seen = fits(drawn((AT, 168.0)), suns=from_a_dark_square((WOOD, 168.0, 128.0)))
    elsewhere = replace(seen, rim_look=RimAppearance(wall_share=wall_share))
    found = elsewhere.near(AWAY, (0.0, 0.0), "suns")
    assert found is not None
    assert distance(found.at_mm, AT) < 0.5
    half_wall_mm = 0.5 * SIZES.coin_thickness_mm * np.tan(np.radians(30.0))
    assert half_wall_mm < found.sigma_mm < 2.0


def test_a_coin_that_is_in_full_view_in_its_own_mix_needs_no_other():
    lighter = Scenery(VIEW, ((AT, 200.0),), noise=1.0, seed=2).values()
    grey = np.full_like(lighter, 128.0)
    picture = Picture(*(np.asarray(np.rint(p), dtype=np.uint8) for p in (lighter, grey, grey)))
    with_colour, without = (
        fits(picture, suns=from_a_dark_square(colour)).near(AWAY, (0.0, 0.0), "suns")
        for colour in ((200.0, 128.0, 128.0), None)
    )
    assert with_colour == without
    assert with_colour is not None


def test_nothing_is_found_as_it_looks_where_only_the_light_changed():
    assert fits(drawn(wood=1.2 * WOOD)).as_it_looks(AT, (0.0, 0.0)) is None


class CountedPicture(Picture):
    """A picture that notes which of its rectangles were mixed."""

    def mixed(self, rect: Rect, channel_mix: ChannelMix) -> Floats:
        self.__dict__.setdefault("read", []).append(rect)
        return super().mixed(rect, channel_mix)


def test_a_region_that_is_fitted_again_is_read_once_and_found_at_the_same_place():
    plain = drawn((AT, 168.0))
    picture = CountedPicture(plain.luma, plain.u, plain.v)
    region = fits(picture)
    spot = region.projections.at(AT)
    around = SearchArea(spot.rect(3 * SIZES.coin_mm), ())
    mix = ChannelMix(0.0, 1.0, 0.0)
    sweeps: list[Point] = [(0.0, 0.0), (3.0, 0.0), (0.0, 3.0), (0.0, 0.0)]
    first, *_, again = [region.at(spot, sweep, None, around=around, mix=mix) for sweep in sweeps]
    assert first is not None
    assert distance(first.at_mm, AT) < 1.0
    assert again is not None
    assert distance(again.at_mm, first.at_mm) < 1e-6
    assert len(picture.__dict__["read"]) == 1


@pytest.mark.parametrize("own_wall", [0.1, 0.9])
def test_a_moving_coin_is_placed_by_its_own_wall(own_wall: float) -> None:
    """Coins of a set may have light and dark walls. A wall that is taken for a part of the face
    shifts the coin towards the camera. Here the table's walls are usually like the other coin's.
    """
    tilted, face = looking(45.0), 190.0
    wall = WOOD + own_wall * (face - WOOD)
    home, seen = (
        Scenery(tilted, ((at, face),), noise=1.0, seed=seed, wall=wall).picture()
        for at, seed in ((HOME, 1), (AT, 2))
    )
    height, width = seen.luma.shape
    where = ProjectionCache(tilted, SIZES.coin_thickness_mm, 1, width, height)
    template = LaidTemplate.of(home, tilted, where.at(HOME), SIZES, (face, WOOD))
    assert template is not None
    assert template.wall_share == pytest.approx(own_wall, abs=0.1)
    bare = Scenery(tilted, noise=1.0, seed=3).picture()
    others = RimAppearance(wall_share=1.0 - own_wall)
    known = FrameFits(seen, bare, table(tilted), where, LIGHT, others, {"suns": template})
    found = known.near(AWAY, (0.0, 0.0), "suns")
    assert found is not None and distance(found.at_mm, AT) < 0.15
    as_others = replace(known, templates={}).near(AWAY, (0.0, 0.0), "suns")
    assert as_others is not None and distance(as_others.at_mm, AT) > 0.3


def test_a_wall_that_is_hardly_seen_is_not_measured() -> None:
    """The camera looks straight down, so near its middle a wall appears 0.2 pixels wide."""
    above = looking()
    picture = Scenery(above, ((AT, 190.0),), noise=1.0, wall=100.0).picture()
    where = ProjectionCache(above, SIZES.coin_thickness_mm, 1, picture.width, picture.height)
    template = LaidTemplate.of(picture, above, where.at(AT), SIZES, (190.0, WOOD))
    assert template is not None and template.wall_share is None
