"""Pictures made worse: the camera turns as geometry says, the light changes by what was asked."""

import math

import numpy as np
import pytest

from benchmarks.lost_pictures import as_filmed, some_lost, some_repeated, stalled
from benchmarks.worsened import (
    Filmed,
    Picture,
    blur,
    bump,
    bump_shift,
    drift,
    filmed,
    jump,
    noise,
    places_before,
    reduced,
    reduced_facts,
    refocus,
    rotation_by,
    shadow_factor,
    shake_shift,
    still_times,
    turned,
    vibration,
)
from calibration.lens.camera import Camera

LENS = Camera(320, 180, 230.0, 230.0, 160.0, 90.0, (-0.1, 0.03, 0.0006, -0.0004, 0.0))
PLAIN = Camera(320, 180, 230.0, 230.0, 160.0, 90.0)
SCENE = Filmed(LENS, duration_s=4.0, before_s=0.4, between_s=2.0, deed_s=1.0)
GREY: Picture = np.full((180, 320, 3), 200, dtype=np.uint8)


def blob(at: tuple[float, float]) -> Picture:
    """Return a soft bright spot on grey, in the size of `LENS`."""
    across, down = np.meshgrid(np.arange(320), np.arange(180))
    bright = 150 * np.exp(-((across - at[0]) ** 2 + (down - at[1]) ** 2) / (2 * 4.0**2))
    return np.repeat((40 + bright)[..., None], 3, axis=2).astype(np.uint8)


def middle_of(picture: Picture) -> tuple[float, float]:
    """Return the centre of gravity of what is brighter than the grey around it."""
    weight = np.maximum(picture[..., 0].astype(np.float64) - 45, 0)
    across, down = np.meshgrid(np.arange(weight.shape[1]), np.arange(weight.shape[0]))
    return (
        float((weight * across).sum() / weight.sum()),
        float((weight * down).sum() / weight.sum()),
    )


def test_a_turn_moves_the_middle_by_what_was_asked() -> None:
    before = places_before(
        LENS, rotation_by(LENS, (7.0, -3.0)), LENS.undistort(np.array([[167.0, 87.0]]))
    )
    assert before[0] == pytest.approx((160.0, 90.0), abs=0.01)


def test_a_turn_moves_a_corner_as_k_r_k_inverse_says() -> None:
    # A pan of a about the vertical axis: x' = f tan(atan(x/f) + a), y' = y cos(t) / cos(t + a).
    angle = math.atan(7.0 / 230.0)
    corner_x, corner_y = 319.0 - 160.0, 179.0 - 90.0
    toward = math.atan(corner_x / 230.0) - angle
    expected = (
        160.0 + 230.0 * math.tan(toward),
        90.0 + corner_y * math.cos(toward + angle) / math.cos(toward),
    )
    before = places_before(
        PLAIN, rotation_by(PLAIN, (7.0, 0.0)), PLAIN.undistort(np.array([[319.0, 179.0]]))
    )
    assert before[0] == pytest.approx(expected, abs=1e-6)
    assert 319.0 - before[0, 0] > 9.0  # seven at the middle are about ten at the sides


def test_the_lens_is_kept_through_a_turn() -> None:
    rotation = rotation_by(LENS, (7.0, 4.0))
    after = np.array([[300.0, 20.0], [40.0, 160.0]])
    before = places_before(LENS, rotation, LENS.undistort(after))
    rays = [np.column_stack((LENS.undistort(points), np.ones(2))) for points in (before, after)]
    angles = [ray[0] @ ray[1] / np.linalg.norm(ray[0]) / np.linalg.norm(ray[1]) for ray in rays]
    assert angles[0] == pytest.approx(angles[1], abs=1e-9)


def test_a_turned_picture_shows_the_spot_where_the_turn_puts_it() -> None:
    spot = turned(blob((160.0, 90.0)), LENS, (5.5, -2.25))
    assert middle_of(spot) == pytest.approx((165.5, 87.75), abs=0.06)


def test_no_turn_leaves_the_picture() -> None:
    picture = blob((100.0, 60.0))
    assert np.array_equal(turned(picture, LENS, (0.0, 0.0)), picture)


def test_a_bump_lasts_and_a_picture_before_it_is_as_filmed() -> None:
    picture = blob((160.0, 90.0))
    change = bump(7.0, between=True)(SCENE)
    assert np.array_equal(change(picture, 1.9), picture)
    assert middle_of(change(picture, 2.1)) == pytest.approx((165.6, 94.2), abs=0.06)
    assert bump_shift(7.0, 40.0) == pytest.approx((5.6, 4.2))
    assert math.hypot(*bump_shift(7.0, 0.0)) == pytest.approx(3.5)


def test_a_vibration_reaches_its_amplitude_and_no_more() -> None:
    shifts = np.array([shake_shift(1.0, t / 60) for t in range(600)])
    assert np.abs(shifts).max(axis=0) == pytest.approx([1.0, 1.0], abs=0.01)
    picture = blob((160.0, 90.0))
    seen = middle_of(vibration(1.0)(SCENE)(picture, 0.3))
    assert seen == pytest.approx(np.add((160.0, 90.0), shake_shift(1.0, 0.3)), abs=0.06)


def test_a_gain_that_drifted_by_a_fifth_leaves_four_fifths_of_the_stored_value() -> None:
    change = drift(0.20)(SCENE)
    assert np.all(change(GREY, 0.0) == 200)
    assert np.all(change(GREY, 2.0) == 180)
    assert np.all(change(GREY, 4.0) == 160)


def test_light_jumps_once() -> None:
    change = jump(0.15)(SCENE)
    assert [int(change(GREY, t)[0, 0, 0]) for t in (0.0, 1.99, 2.0, 3.9)] == [200, 200, 170, 170]


def test_a_shadow_takes_its_depth_and_leaves_the_rest_of_the_picture() -> None:
    factor = shadow_factor((180, 320), 0.25, 0.5)
    assert factor[90, 160] == pytest.approx(0.75, abs=1e-3)
    assert factor[90, [5, 315]] == pytest.approx(1.0, abs=1e-3)
    assert shadow_factor((180, 320), 0.25, 0.0)[:, 160:] == pytest.approx(1.0, abs=1e-3)


def test_a_blur_keeps_the_light() -> None:
    light = [
        (p / 255.0) ** 2.2 for p in (blob((160.0, 90.0)), blur(1.5)(SCENE)(blob((160.0, 90.0)), 0))
    ]
    assert light[1].sum() == pytest.approx(light[0].sum(), rel=0.01)
    assert light[1].max() < light[0].max()


def test_an_autofocus_moves_things_away_from_the_middle_and_back_or_for_good() -> None:
    """By 0.8 % of 100 px at most: 60 px from the middle across and 80 down. The search is half over
    0.05 s after the deed, and the other one 0.3 s after it began.
    """
    spot, times_s = blob((219.5, 169.5)), (0.7, 1.05, 1.4)
    found = [middle_of(refocus(for_good=False)(SCENE)(spot, t_s)) for t_s in times_s]
    still = middle_of(spot)
    assert found[0] == found[2] == still
    assert found[1][0] - still[0] == pytest.approx(0.008 * 60, abs=0.1)
    later = middle_of(refocus(for_good=True)(SCENE)(spot, 3.9))
    assert later[0] - still[0] == pytest.approx(0.008 * 60, abs=0.1)
    assert np.array_equal(refocus(for_good=True)(SCENE)(GREY, 1.9), GREY)


def test_noise_has_its_deviation_and_is_new_in_every_frame() -> None:
    mid: Picture = np.full((180, 320, 3), 128, dtype=np.uint8)
    change = noise(8.0)(SCENE)
    first, second = change(mid, 0.0).astype(float), change(mid, 0.0333).astype(float)
    assert first.std() == pytest.approx(8.0, rel=0.02)
    assert (first - second).std() == pytest.approx(8.0 * math.sqrt(2), rel=0.02)
    assert np.array_equal(change(mid, 0.0), first)


def test_half_the_size_shows_things_where_the_halved_lens_says() -> None:
    small = reduced(blob((200.0, 100.0)), 0.5)
    facts = {
        "video": {"width": 320, "height": 180, "fps": 30},
        "camera": {"width": 320, "height": 180, "K": [[230, 0, 200.0], [0, 230, 100.0], [0, 0, 1]]},
    }
    (fx, _, cx), (_, _, cy), _ = reduced_facts(facts, 0.5)["camera"]["K"]
    assert small.shape == (90, 160, 3)
    assert (fx, reduced_facts(facts, 0.5)["video"]["width"]) == (115.0, 160)
    assert middle_of(small) == pytest.approx((cx, cy), abs=0.03)


def test_lost_pictures_are_a_tenth_and_never_the_first() -> None:
    order = some_lost(SCENE, [t / 30 for t in range(2000)])
    assert order[0] == 0
    assert order.count(None) == pytest.approx(200, abs=40)
    assert all(show in (None, number) for number, show in enumerate(order))


def test_three_pictures_are_shown_twice_or_one_for_four() -> None:
    times = [t / 30 for t in range(120)]
    stale = [n for n, show in enumerate(some_repeated(SCENE, times)) if show != n]
    assert stale == [12, 33, 36]  # 0.4 s, and 0.07 and 0.2 s after the deed at 1 s
    order = stalled(SCENE, times)
    assert order[32:38] == [32, 32, 32, 32, 36, 37]
    assert as_filmed(SCENE, times) == list(range(120))


def test_still_times_are_told_from_deeds() -> None:
    still = [True, True, False, False, True, False, True, True, True]
    assert still_times(still, [float(n) for n in range(9)]) == [(0, 1), (4, 4), (6, 8)]


def frame(t_s: float, hand: bool = False, state: str = "rest") -> dict[str, object]:
    """Return one frame of a truth with one coin."""
    return {"t_s": t_s, "hand": hand, "coins": {"moons": {"state": state}}}


def test_the_instants_of_a_clip_lie_in_its_pauses() -> None:
    facts = {
        "camera": {
            "width": 320,
            "height": 180,
            "K": [[230.0, 0, 160], [0, 230.0, 90], [0, 0, 1]],
            "distortion_k1_k2_p1_p2_k3": [0.0] * 5,
        },
        "video": {},
    }
    deeds = [(2, 4), (7, 8)]
    frames = [
        frame(t, hand=any(a <= t <= b for a, b in deeds), state="sliding" if t == 5 else "rest")
        for t in range(12)
    ]
    truth = {"frames": frames, "incidents": [{"t_s": 3.5}, {"t_s": 7.2}]}
    scene = filmed(truth, facts)
    assert (scene.before_s, scene.between_s, scene.deed_s) == (1.75, 6.0, 3.5)
    with pytest.raises(ValueError, match="the table is never still"):
        filmed({"frames": frames[:5], "incidents": [{"t_s": 3.5}]}, facts)
