"""By how much tiles look too large: on exactly drawn squares, and through a view with a known error
on a rendered clip.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.survey import true_view
from calibration.lens.camera import Camera, TableView
from calibration.tiles import scale_estimate
from calibration.tiles.bundle import Adjusted
from calibration.tiles.field_error import FieldError
from calibration.tiles.rim_model import Common
from calibration.tiles.scale_estimate import (
    COMMON_EASED_MM,
    ScaleEstimate,
    at_true_size,
    estimate_scale,
)
from referee.domain.geometry import square_corners
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes
from referee.vision.sources.video import open_source

SIZES = PieceSizes(50.8, 5.0, 22.0, 4.0)
LENS = Camera(640, 480, 460.0, 460.0, 319.5, 239.5)
FINE = 6
TILES = [
    Tile((x, y), 7.0 * k - 20.0)
    for k, (x, y) in enumerate((x, y) for x in (-180.0, 0.0, 180.0) for y in (-110.0, 0.0, 110.0))
]


def looking_down(tilt_deg: float) -> TableView:
    tilt = np.radians(tilt_deg)
    z = np.array([0.0, -np.sin(tilt), -np.cos(tilt)])
    x = np.array([1.0, 0.0, 0.0])
    return TableView(LENS, np.column_stack((x, np.cross(z, x), z)), np.array([0.0, 0.0, 520.0]))


Colour = tuple[int, int, int]
PALE_WOOD: tuple[Colour, Colour] = ((170, 200, 215), (90, 110, 120))
DARK_WOOD: tuple[Colour, Colour] = ((70, 95, 140), (120, 150, 185))


def drawn(
    view: TableView,
    side_mm: float,
    line_mm: float | None,
    blur_px: float = 0.7,
    wood: tuple[Colour, Colour] = PALE_WOOD,
    table: Colour = (70, 100, 130),
) -> np.ndarray:
    """Draw tiles with the given side, their walls, and a line 0.7 mm wide that is `line_mm` inside
    the rims, in the colours of face and line (`wood`). The drawing is six times as fine, then
    averaged and blurred in linear light.
    """

    face, line = wood

    def fill(points_px: np.ndarray, value: tuple[int, int, int]) -> None:
        """Fill the fine pixels whose middle is inside a convex outline. OpenCV's own fill would
        include the pixels of the outline.
        """
        points = (points_px + 0.5) * FINE - 0.5
        (left, top), (right, bottom) = (
            np.floor(points.min(axis=0)).astype(int),
            np.ceil(points.max(axis=0)).astype(int) + 1,
        )
        x, y = np.meshgrid(np.arange(left, right), np.arange(top, bottom))
        after = np.roll(points, -1, axis=0)
        turns = [
            (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            for (ax, ay), (bx, by) in zip(points, after, strict=True)
        ]
        inside = np.all([t >= 0 for t in turns], axis=0) | np.all([t <= 0 for t in turns], axis=0)
        canvas[top:bottom, left:right][inside] = value

    def square(tile: Tile, side: float, height: float) -> np.ndarray:
        corners = np.array(square_corners(tile.centre_mm, side, tile.rotation_deg))
        return view.to_image(np.column_stack((corners, np.full(4, height))))

    canvas = np.full((480 * FINE, 640 * FINE, 3), table, dtype=np.uint8)
    for tile in TILES:
        fill(
            cv2.convexHull(
                np.concatenate([square(tile, side_mm, h) for h in (0.0, 5.0)]).astype(np.float32)
            )[:, 0].astype(float),
            (50, 60, 70),
        )
        fill(square(tile, side_mm, 5.0), face)
        if line_mm is not None:
            fill(square(tile, side_mm - 2 * line_mm + 0.7, 5.0), line)
            fill(square(tile, side_mm - 2 * line_mm - 0.7, 5.0), face)
    light = cv2.LUT(canvas, (np.arange(256, dtype=np.float32) / 255) ** np.float32(2.2))
    soft = (
        cv2.GaussianBlur(
            cv2.resize(light, (640, 480), interpolation=cv2.INTER_AREA), (0, 0), blur_px
        )
        ** (1 / 2.2)
        * 255
    )
    noisy = soft + np.random.default_rng(5).normal(0, 0.7, soft.shape)
    return np.asarray(np.rint(noisy).clip(0, 255), dtype=np.uint8)


@cache
def estimated(
    tilt_deg: float, side_mm: float, line_mm: float, blur_px: float = 0.7
) -> ScaleEstimate:
    """Estimate from a drawing, once for each."""
    view = looking_down(tilt_deg)
    found = estimate_scale(drawn(view, side_mm, line_mm, blur_px), view, TILES, SIZES)
    assert found is not None
    return found


@pytest.mark.parametrize("tilt", [0.0, 25.0])
@pytest.mark.parametrize("line", [1.5, 2.1])
def test_tiles_drawn_larger_look_larger_wherever_the_line_is(line: float, tilt: float) -> None:
    usual, large = (estimated(tilt, side, line) for side in (50.8, 51.2))
    assert usual.larger_mm == pytest.approx(
        COMMON_EASED_MM, abs=3 * usual.sigma_mm
    )  # drawn rims are sharp: no wear
    assert large.larger_mm - usual.larger_mm == pytest.approx(0.2, abs=0.04)
    assert usual.sigma_mm < 0.05


def test_tiles_that_were_all_found_beside_their_places_look_no_larger_and_are_put_back() -> None:
    """The match of faces places all tiles too far towards a shadow."""
    view = looking_down(25.0)
    picture = drawn(view, 50.8, 2.1)
    beside = {
        str(k): replace(tile, centre_mm=(tile.centre_mm[0] + 0.5, tile.centre_mm[1] - 0.4))
        for k, tile in enumerate(TILES)
    }
    found = estimate_scale(picture, view, beside.values(), SIZES)
    assert found is not None
    assert found.larger_mm == pytest.approx(estimated(25.0, 50.8, 2.1).larger_mm, abs=0.02)
    placed, _ = at_true_size(picture, Adjusted(view, beside, 0.1, {}, FieldError()), SIZES)
    middles = np.array([tile.centre_mm for tile in placed.tiles.values()])
    assert middles.mean(axis=0) == pytest.approx((0.0, 0.0), abs=0.08)


def test_rims_that_lie_further_in_on_two_sides_make_the_scale_less_sure() -> None:
    """Through a lens that widens pictures by 3 %, tiles look 3 % narrower: 0.75 mm at each side.
    Both pairs of sides are then about 0.37 mm from the mean of all four. Without one side the mean
    moves by a quarter of that, so the four sides disagree by twice 0.09 mm, and half of it counts.
    """
    view = looking_down(25.0)
    wide = replace(view, camera=replace(LENS, fx_px=LENS.fx_px * 1.03))
    narrow = [replace(t, centre_mm=(t.centre_mm[0] / 1.03, t.centre_mm[1])) for t in TILES]
    even = estimated(25.0, 50.8, 2.1)
    uneven = estimate_scale(drawn(view, 50.8, 2.1), wide, narrow, SIZES)
    assert uneven is not None
    assert uneven.sigma_mm == pytest.approx(np.hypot(even.sigma_mm, 0.09), abs=0.03)


@pytest.mark.parametrize("blur_px", [1.0, 1.3])
def test_tiles_out_of_focus_look_as_large_as_they_are_within_what_is_said_of_it(
    blur_px: float,
) -> None:
    sharp, soft = (estimated(25.0, 50.8, 2.1, blur) for blur in (0.7, blur_px))
    assert soft.larger_mm == pytest.approx(COMMON_EASED_MM, abs=2 * soft.sigma_mm)
    assert soft.sigma_mm > sharp.sigma_mm


@pytest.mark.parametrize(("bleached", "measured"), [((2,), True), ((1, 2), False)])
def test_tiles_bleached_in_one_colour_are_measured_in_the_others(
    bleached: tuple[int, ...], measured: bool
) -> None:
    """In evening light red is overexposed. Where two colours are overexposed, the third is
    disturbed by what is left of them: it is used, with a larger error.
    """
    view = looking_down(25.0)
    picture = drawn(view, 50.8, 2.1)
    for colour in bleached:
        picture[:, :, colour] = np.minimum(picture[:, :, colour] * np.float32(1.4), 255).astype(
            np.uint8
        )
    found = estimate_scale(picture, view, TILES, SIZES)
    assert found is not None
    assert (2 * found.sigma_mm / SIZES.tile_mm < 0.005) == measured
    assert found.larger_mm == pytest.approx(COMMON_EASED_MM, abs=3 * found.sigma_mm)


@pytest.mark.parametrize("tilt", [0.0, 25.0])
def test_dark_tiles_with_a_pale_line_are_measured_too(tilt: float) -> None:
    view = looking_down(tilt)
    picture = drawn(view, 50.8, 2.1, wood=DARK_WOOD, table=(42, 58, 84))
    found = estimate_scale(picture, view, TILES, SIZES)
    assert found is not None
    assert found.larger_mm == pytest.approx(COMMON_EASED_MM, abs=3 * found.sigma_mm)


@pytest.mark.parametrize(("table", "sure"), [((42, 58, 84), True), ((190, 190, 190), False)])
def test_rims_of_tiles_darker_than_the_table_are_less_sure(table: Colour, sure: bool) -> None:
    """Their walls and shadows are dark, too. The light table is more than twice as bright as they
    are: 2 % of a scale is 0.5 mm at each side.
    """
    view = looking_down(0.0)
    picture = drawn(view, 50.8, 2.1, wood=DARK_WOOD, table=table)
    found = estimate_scale(picture, view, TILES, SIZES)
    assert found is not None
    assert (found.sigma_mm < 0.1) == sure
    assert found.larger_mm == pytest.approx(COMMON_EASED_MM, abs=3 * found.sigma_mm)


def test_tiles_without_a_line_are_left_to_their_rims() -> None:
    view = looking_down(0.0)
    assert estimate_scale(drawn(view, 50.8, None), view, TILES, SIZES) is None


def test_an_empty_table_is_no_ruler() -> None:
    empty = np.full((480, 640, 3), 120, dtype=np.uint8)
    assert estimate_scale(empty, looking_down(20.0), TILES[:2], SIZES) is None


@pytest.mark.parametrize(("clip", "fault"), [("one-colour", 0.993), ("chain-hit", 1.006)])
def test_a_view_too_near_or_too_far_is_put_right(clip: str, fault: float) -> None:
    folder = Path(__file__).parents[3] / "fixtures" / "clips" / clip
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    seen = true_view(truth)
    view = replace(seen, t_camera_table_mm=seen.t_camera_table_mm * fault)
    single = [t for t in truth["tiles"] if t["tile"].startswith("wicket")]
    tiles = {
        t["tile"]: Tile((t["centre_mm"][0] * fault, t["centre_mm"][1] * fault), t["rotation_deg"])
        for t in single
    }
    sizes = PieceSizes(
        **{
            key: truth["sizes"][key]
            for key in ("tile_mm", "tile_thickness_mm", "coin_mm", "coin_thickness_mm")
        }
    )
    with open_source(str(folder / "clip.mp4")) as video:
        picture = next(iter(video)).bgr()
    found, _ = at_true_size(
        picture, replace(Adjusted(view, tiles, 0.1, {}, FieldError()), scale_sigma=1.0), sizes
    )
    far, truly_far = (float(np.linalg.norm(each.t_camera_table_mm)) for each in (found.view, seen))
    assert abs(far / truly_far - 1) < 0.002
    assert found.scale_sigma < 0.002


def test_a_scale_that_does_not_settle_is_known_as_well_as_its_last_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # However small the tiles are made, they appear 0.2 mm too small at each side, known to 0.1 mm:
    # the stated error is 2 * hypot(0.2, 0.1) / 50.8 = 0.0088.
    always = ScaleEstimate(-0.2, 0.1, Common(-0.1, 1.0, 1.8, 0.9))
    monkeypatch.setattr(scale_estimate, "estimate_scale", lambda *_: always)
    view = looking_down(20.0)
    begun = Adjusted(view, dict(zip("abcdefghi", TILES, strict=True)), 0.1, {}, FieldError())
    found, _ = at_true_size(np.zeros((480, 640, 3), np.uint8), begun, SIZES)
    assert found.scale_sigma == pytest.approx(0.0088, rel=0.01)


def test_the_search_settles_where_whole_steps_would_go_to_and_fro(monkeypatch: pytest.MonkeyPatch):
    """The cost of the offset rises like a hyperbola, so its curvature is too small farther out."""

    def costs(seen: object, common: Common, *_: object) -> np.ndarray:
        return np.array([0.0, 0.0, 0.0, 0.0, float(np.hypot(1.0, common.offset_mm / 0.05))])

    monkeypatch.setattr(scale_estimate, "_costs", costs)
    monkeypatch.setattr(scale_estimate, "parts_of", lambda seen, common: None)
    common, nothing = Common(0.1, 0.9, 1.8, 0.9, 0.0, 0.0), np.zeros(0)
    for _ in range(8):
        common, *_ = scale_estimate._newton(None, common, nothing, nothing)
    assert common.offset_mm == pytest.approx(0.0, abs=0.005)


def test_a_search_that_finds_no_lower_cost_stays_and_states_how_far_it_wanted_to_go(
    monkeypatch: pytest.MonkeyPatch,
):
    """The cost slopes, but is lower at the beginning than everywhere around it."""

    def costs(seen: object, common: Common, *_: object) -> np.ndarray:
        off_mm = common.offset_mm
        edge = 0.0 if off_mm == 0.1 else 50.0
        return np.array([0.0, 0.0, 0.0, 0.0, (off_mm / 0.05) ** 2 + edge])

    monkeypatch.setattr(scale_estimate, "_costs", costs)
    monkeypatch.setattr(scale_estimate, "parts_of", lambda seen, common: None)
    begin, nothing = Common(0.1, 0.9, 1.8, 0.9, 0.0, 0.0), np.zeros(0)
    common, moved, sigma = scale_estimate._newton(None, begin, nothing, nothing)
    assert (common, moved) == (begin, 0.0)
    slope, bend = 2 * 0.1 / 0.05**2, 2 / 0.05**2 + 2 * 50.0 / 0.06**2
    assert sigma == pytest.approx(np.hypot(bend**-0.5, slope / bend), rel=0.001)
