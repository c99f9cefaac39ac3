"""A disc is fitted as the coin looks at rest, or as what is seen at a place looks."""

from __future__ import annotations

import numpy as np

from referee.domain.geometry import Point, distance
from referee.vision.coins.rim_appearance import UNKNOWN_RIMS
from referee.vision.image.picture import ChannelMix, Floats, Picture, Rect
from referee.vision.image.projection_cache import ProjectionCache
from referee.vision.moving_coins.disc_fits import FrameFits, SearchArea
from tests.vision.drawn import LIGHT, SIZES, WOOD, Scenery, looking, table

VIEW = looking(30.0)
AT: Point = (12.0, -8.0)
AWAY: Point = (13.0, -7.5)


def drawn(*discs: tuple[Point, float], wood: float = WOOD) -> Picture:
    """Return a picture in which coins are as light as the table, and bluer by what is given."""
    luma, blue = (
        Scenery(VIEW, shown, wood=level, noise=1.0, seed=seed).values()
        for shown, level, seed in (((), wood, 1), (discs, 128.0, 2))
    )
    planes = (luma, blue, np.full_like(luma, 128.0))
    return Picture(*(np.clip(np.rint(plane), 0, 255).astype(np.uint8) for plane in planes))


def fits(picture: Picture) -> FrameFits:
    height, width = picture.luma.shape
    projections = ProjectionCache(VIEW, SIZES.coin_thickness_mm, 1, width, height)
    return FrameFits(picture, drawn(), table(VIEW), projections, LIGHT, UNKNOWN_RIMS, {})


def test_a_coin_that_is_no_lighter_than_the_table_is_found_by_its_colour():
    blue = fits(drawn((AT, 168.0)))
    as_usual = blue.near(AWAY, (0.0, 0.0), None)
    assert as_usual is None or distance(as_usual.at_mm, AT) > SIZES.coin_mm / 2
    found = blue.as_it_looks(AWAY, (0.0, 0.0))
    assert found is not None
    assert distance(found.at_mm, AT) < found.sigma_mm
    half_wall_mm = 0.5 * SIZES.coin_thickness_mm * np.tan(np.radians(30.0))
    assert half_wall_mm < found.sigma_mm < 2.0


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
