"""A printed dot whose light changes is no coin; a coin that comes to lie on the print is one."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from referee.domain.frame_observation import Disc, Expected
from referee.domain.geometry import Point, distance
from referee.vision.alignment.computed_picture import ComputedPicture
from referee.vision.background.foreground import Foreground
from referee.vision.coins.motion_fit import DiscFit
from referee.vision.coins.rim_appearance import UNKNOWN_RIMS
from referee.vision.image.picture import ChannelMix, Floats, Picture, Rect
from referee.vision.image.projection_cache import ProjectionCache
from referee.vision.moving_coins.disc_finding import DiscSearch
from referee.vision.moving_coins.disc_fits import FrameFits
from tests.vision.drawn import LIGHT, SIZES, Scenery, looking, table

VIEW = looking(30.0)
AT: Point = (12.0, -8.0)
BESIDE: Point = (24.0, 4.0)
DARK = replace(LIGHT, y=-1.0)


class AllChanged:
    """A foreground without a hand, in which every pixel differs."""

    def share_in(self, _rect: Rect) -> float:
        return 1.0

    def hand_in(self, _rect: Rect) -> bool:
        return False


def drawn(*discs: tuple[Point, float], seed: int) -> Picture:
    luma = Scenery(VIEW, discs, noise=1.0, seed=seed).values()
    return Picture(np.clip(np.rint(luma), 0, 255).astype(np.uint8))


def search_in(
    seen: Picture, bare: Picture, mix: ChannelMix = LIGHT, removed_mm: Point | None = None
) -> DiscSearch:
    """Return the search for discs in a picture. From `removed_mm` a coin was removed, and the table
    there is only estimated.
    """
    height, width = seen.luma.shape
    where = ProjectionCache(VIEW, SIZES.coin_thickness_mm, 1, width, height)
    known = table(VIEW)
    return DiscSearch(
        seen,
        bare,
        cast(Foreground, AllChanged()),
        known,
        known.course,
        where,
        mix,
        UNKNOWN_RIMS,
        coin_px=700.0,
        guessed=() if removed_mm is None else ((where.at(removed_mm).at_px, 1.0),),
    )


def found(seen: Picture, bare: Picture, mix: ChannelMix = LIGHT) -> tuple[Disc, ...]:
    """Return the discs where a moving coin is expected at AT."""
    search = search_in(seen, bare, mix)
    return search.discs([Expected("suns", AT, (1.0, 0.0), AT)], [], [], [], None, 0.0)


@pytest.mark.parametrize(("light", "mix"), [(0.5, DARK), (1.6, LIGHT)])
def test_a_dot_in_another_light_is_no_coin(light: float, mix: ChannelMix) -> None:
    """The dots' pattern is still seen, with less or more contrast. Coins are as dark or as light as
    the dot seems now.
    """
    around = (AT[0] - 30.0, AT[1] - 30.0, AT[0] + 30.0, AT[1] + 30.0)
    dots = ((AT, 150.0), (BESIDE, 150.0))
    bare = drawn(*dots, seed=1)
    lit = Scenery(VIEW, dots, noise=1.0, seed=2, shade=around, light=light)
    assert found(lit.picture(), bare, mix) == ()


@pytest.mark.parametrize(("sweep_mm", "is_bare"), [(0.0, True), (40.0, False)])
def test_a_smeared_coin_is_no_bare_table(sweep_mm: float, is_bare: bool) -> None:
    """The pattern shows through it."""
    print_ = tuple(((AT[0] + x, AT[1] + y), 200.0) for x in (-9.0, 9.0) for y in (-9.0, 9.0))
    bare = drawn(*print_, seed=1)
    known = table(VIEW)
    where = ProjectionCache(VIEW, SIZES.coin_thickness_mm, 1, bare.width, bare.height)
    fits = FrameFits(drawn(*print_, seed=2), bare, known, where, LIGHT, UNKNOWN_RIMS, {})
    fit = DiscFit(AT, 0.3, 1.0, 1.0, 0.0, sweep_mm=(sweep_mm, 0.0))
    assert fits.is_bare_table(fit) == is_bare


class InParts(ComputedPicture):
    """A picture that is computed only in parts, because all of it takes a hundred times as long."""

    def __init__(self, whole: Picture) -> None:
        self.__dict__["whole"] = whole

    width = property(lambda self: self.whole.width)
    height = property(lambda self: self.whole.height)
    luma = property(lambda _: pytest.fail("all of the picture is computed"))

    def channels(self, rect: Rect) -> Floats:
        return self.__dict__["whole"].channels(rect)


def test_the_table_under_a_disc_is_compared_without_the_rest_of_the_picture() -> None:
    bare, known = drawn(seed=1), table(VIEW)
    where = ProjectionCache(VIEW, SIZES.coin_thickness_mm, 1, bare.width, bare.height)
    fits = FrameFits(InParts(drawn(seed=1)), bare, known, where, LIGHT, UNKNOWN_RIMS, {})
    assert fits.is_bare_table(DiscFit(AT, 0.3, 1.0, 1.0, 0.0))


def test_a_coin_beside_a_dot_is_found() -> None:
    """It hides a half of the dot."""
    (coin,) = found(drawn((BESIDE, 140.0), (AT, 170.0), seed=2), drawn((BESIDE, 140.0), seed=1))
    assert distance(coin.at_mm, AT) < 1.0


def test_a_faint_coin_between_bright_things_is_found() -> None:
    """They reach into the corners of the coin's rectangle, and stay where they are."""
    beside = [(AT[0] + x, AT[1] + y) for x in (-14.5, 14.5) for y in (-14.5, 14.5)]
    bright = tuple((at, 230.0) for at in beside)
    (coin,) = found(drawn(*bright, (AT, 120.0), seed=2), drawn(*bright, seed=1))
    assert distance(coin.at_mm, AT) < 1.0


def test_a_coin_on_bare_wood_is_found() -> None:
    (coin,) = found(drawn((AT, 170.0), seed=2), drawn(seed=1))
    assert distance(coin.at_mm, AT) < 1.0


@pytest.mark.parametrize(
    ("contrast", "away_mm", "estimate"),
    [(0.5, 22.0, True), (0.5, 29.0, False), (1.0, 5.0, False), (1.6, 5.0, True)],
    ids=["faint and near", "faint and away", "a coin", "too bright"],
)
def test_what_is_fainter_or_brighter_than_a_coin_may_be_a_wrong_estimate_of_the_table(
    contrast: float, away_mm: float, estimate: bool
) -> None:
    """It reaches as far as the shadow of the coin that was removed."""
    search = search_in(drawn(seed=2), drawn(seed=1), removed_mm=(AT[0] + away_mm, AT[1]))
    assert search.may_be_estimate(DiscFit(AT, 0.3, 1.0, contrast, 0.0)) == estimate


def test_a_coin_that_is_followed_may_be_brighter_than_the_one_that_lay_there() -> None:
    """It struck that coin, and stays at its place."""
    search = search_in(drawn(seed=2), drawn(seed=1), removed_mm=(AT[0] + 5.0, AT[1]))
    assert not search.may_be_estimate(DiscFit(AT, 0.3, 1.0, 1.6, 0.0), expected=True)
    assert search.may_be_estimate(DiscFit(AT, 0.3, 1.0, 0.5, 0.0), expected=True)
