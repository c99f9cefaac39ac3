"""Pictures compared with the truth: a coin is drawn where the camera model puts it, blurs along its
way, and is hidden by nearer things.
"""

import cv2
import numpy as np
import pytest

from referee.domain.geometry import square_corners
from referee.domain.layout import Tile
from referee.synthetic.pictures.faces import coin_face
from referee.synthetic.pictures.film import Studio
from referee.synthetic.pictures.ground import empty_table
from referee.synthetic.pictures.lens_board import KIND, photograph_board
from referee.synthetic.pictures.printed_cloth import printed_cloth
from referee.synthetic.pictures.sprites import coin_sprite, tile_sprite
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene import CLOTHS
from referee.synthetic.scenario.scene_file import scene_of

SCENE = {
    "seed": 3,
    "table": {"wood": "walnut"},
    "light": {"glare": 0.0},
    "video": {"length_s": 4.0, "exposure_s": 0.008, "noise": 0.0},
    "players": [{"name": "Ann", "coin": "null"}],
    "coins": {"null": [-60, 5]},
    "actions": [{"flick": "null", "at_s": 1.5, "speed_mm_s": 1500, "towards_deg": 5}],
}


@pytest.fixture(scope="module")
def studio():
    scene = scene_of(SCENE)
    return Studio(scene, play_scene(scene))


@pytest.fixture(scope="module")
def bare():
    scene = scene_of({k: v for k, v in SCENE.items() if k not in ("coins", "actions")})
    return Studio(scene, play_scene(scene)).frame(0).picture


def bright_middle(picture, bare, near_px, reach=30):
    """Return the middle of what is brighter than the bare table near a pixel, weighted by how
    much.
    """
    x, y = (round(v) for v in near_px)
    cut = slice(y - reach, y + reach), slice(x - reach, x + reach)
    gain = np.clip((picture[cut].astype(float) - bare[cut]).sum(axis=2), 0, None)
    gain[gain < 30] = 0
    rows, cols = np.mgrid[cut]
    return np.array([(cols * gain).sum(), (rows * gain).sum()]) / gain.sum()


def assert_about(middle, px_top):
    """Across the picture, the middle of the body is that of its top. Down the picture, the side
    wall, 1.6 px high and half as bright, shifts it by up to 0.8 px.
    """
    assert middle[0] == pytest.approx(px_top[0], abs=0.3)
    assert 0.0 < middle[1] - px_top[1] < 0.8


@pytest.mark.parametrize(
    ("place", "low"),
    [((-420.0, -150.0), 0.0), ((0.0, 0.0), 0.0), ((380.0, 290.0), 0.0), ((100.0, 80.0), 12.0)],
)
def test_the_drawn_top_lies_where_the_camera_model_puts_it(place, low):
    view = scene_of({}).view
    face = np.ones_like(coin_face("null", "standard", np.random.default_rng(0)))
    sprite = coin_sprite(view, (*place, low), 22.0, 4.0, face, 30.0, np.zeros(3, dtype=np.float32))
    lit = sprite.colour[..., 0].astype(float)
    rows, cols = np.mgrid[sprite.box.slices]
    drawn = np.array([(cols * lit).sum(), (rows * lit).sum()]) / lit.sum()
    around = np.arange(2000) * np.pi / 1000
    rim = view.to_image(
        np.column_stack(
            (
                place[0] + 11 * np.cos(around),
                place[1] + 11 * np.sin(around),
                np.full(2000, low + 4.0),
            )
        )
    )
    assert drawn == pytest.approx(outline_middle(rim), abs=0.02)


def outline_middle(points):
    """Return the centroid of the area inside an outline (the shoelace formulas)."""
    x, y = (points - points[0]).T
    cross = x * np.roll(y, -1) - y * np.roll(x, -1)
    return points[0] + np.array(
        [((x + np.roll(x, -1)) * cross).sum(), ((y + np.roll(y, -1)) * cross).sum()]
    ) / (3 * cross.sum())


def outline_area(points):
    x, y = points.T
    return abs((x * np.roll(y, -1) - y * np.roll(x, -1)).sum()) / 2


@pytest.mark.parametrize("turn_deg", [0.0, 12.0, 30.0, 45.0])
def test_pieces_are_drawn_as_large_as_they_are(turn_deg):
    """A camera that measures a set must find its sizes: areas to 0.4 %, which is 0.2 % of a
    diameter or a side.
    """
    view, black = scene_of({}).view, np.zeros(3, dtype=np.float32)
    coin = coin_sprite(
        view, (50, 20, 0), 22.0, 4.0, np.ones((160, 160, 3), dtype=np.float32), turn_deg, black
    )
    around = np.arange(2000) * np.pi / 1000
    rim = np.column_stack((50 + 11 * np.cos(around), 20 + 11 * np.sin(around), np.full(2000, 4.0)))
    assert coin.colour[..., 0].sum() == pytest.approx(outline_area(view.to_image(rim)), rel=0.004)
    tile = tile_sprite(
        view,
        [Tile((50.0, 20.0), turn_deg)],
        50.8,
        5.0,
        np.ones((256, 256, 3), dtype=np.float32),
        black,
        (0.0, 500.0),
    )
    corners = np.array([(x, y, 5.0) for x, y in square_corners((50.0, 20.0), 50.8, turn_deg)])
    assert tile.colour[..., 0].sum() == pytest.approx(
        outline_area(view.to_image(corners)), rel=0.004
    )


def test_the_table_ends_where_truth_says():
    scene = scene_of({"table": {"wood": "laminate"}})
    ground = empty_table(scene)
    for x_mm in (-300.0, 0.0, 420.0):
        edge = scene.view.to_image(np.array([[x_mm, 380.0]]))[0]
        column, row = round(edge[0]), round(edge[1])
        share = ground.table_share[row - 6 : row + 7, column, 0]
        near_side = (
            row + 6.5 - share.sum()
        )  # the row at which the table begins, counted up from below
        slope = scene.view.to_image(np.array([[x_mm + 10, 380.0]]))[0] - edge
        assert near_side == pytest.approx(
            edge[1] + (column - edge[0]) * slope[1] / slope[0], abs=0.05
        )


def test_a_coin_at_rest_is_seen_where_truth_says(studio, bare):
    frame = studio.frame(0)
    shown = frame.coins["null"]
    assert shown.state == "rest"
    assert shown.visible == 1.0
    assert_about(bright_middle(frame.picture, bare, shown.px_top), shown.px_top)


@pytest.mark.parametrize("after", [3, 6, 10])
def test_a_smeared_coin_lies_about_its_place_at_mid_exposure(studio, bare, after):
    number = 90 + after
    frame = studio.frame(number)
    shown = frame.coins["null"]
    assert shown.state == "sliding"
    assert shown.t_seen_s == pytest.approx(number / 60 + 0.004)
    slide_mm = (
        1500 * (after / 60 + 0.004)
        - 0.5 * studio.scene.surface.slowing_mm_s2 * (after / 60 + 0.004) ** 2
    )
    assert np.hypot(shown.place_mm[0] + 60, shown.place_mm[1] - 5) == pytest.approx(
        slide_mm, abs=1e-9
    )
    assert_about(bright_middle(frame.picture, bare, shown.px_top, 40), shown.px_top)


def test_the_smear_is_as_long_as_the_way_made_while_the_shutter_was_open(studio, bare):
    """A blur of length L makes each rim a ramp of length L. At either end, 0.6 L columns have
    between 20 and 80 % of the brightness.
    """
    columns = []
    for frame in (studio.frame(0), fast := studio.frame(93)):
        x, y = (round(v) for v in frame.coins["null"].px_top)
        cut = slice(y - 1, y + 2), slice(x - 50, x + 50)
        gain = (frame.picture[cut].astype(float) - bare[cut]).sum(axis=2).mean(axis=0) / (
            frame.picture[y, x].astype(float) - bare[y, x]
        ).sum()
        columns.append(((gain > 0.2) & (gain < 0.8)).sum())
    x, y, _ = fast.coins["null"].place_mm
    half = fast.coins["null"].speed_mm_s * 0.004
    ends = studio.view.to_image(np.array([[x - half, y, 4.0], [x + half, y, 4.0]]))
    assert columns[0] <= 4
    assert columns[1] == pytest.approx(2 * 0.6 * (ends[1, 0] - ends[0, 0]), abs=2.5)


def test_frames_come_out_the_same_in_any_order_and_for_the_same_seed(studio):
    again = Studio(studio.scene, studio.timeline)
    first = again.frame(95).picture
    again.frame(3)
    assert np.array_equal(first, again.frame(95).picture)
    assert np.array_equal(first, studio.frame(95).picture)


def test_another_seed_is_another_table(bare):
    other = scene_of(
        {**{k: v for k, v in SCENE.items() if k not in ("coins", "actions")}, "seed": 4}
    )
    assert not np.array_equal(Studio(other, play_scene(other)).frame(0).picture, bare)


def test_the_hand_comes_after_stillness_touches_and_is_gone_at_the_end(studio):
    shown = {n: studio.frame(n) for n in (0, 85, studio.scene.frames - 1)}
    assert [f.hand for f in shown.values()] == [False, True, False]
    assert shown[85].coins["null"].state == "rest"


def test_a_stack_hides_part_of_a_coin_behind_it():
    scene = scene_of(
        {
            "coins": {"suns": [541, 37.5]},
            "course": {"jitter_mm": 0, "jitter_deg": 0},
            "set": {"tile_thickness_mm": 6.35},
        }
    )
    behind = Studio(scene, play_scene(scene)).frame(0).coins["suns"].visible
    assert 0.2 < behind < 0.95


def test_a_coin_that_fell_off_the_far_edge_is_hidden_by_the_table():
    flick = {"flick": "suns", "at_s": 1.5, "speed_mm_s": 700, "towards_deg": 90, "arm_deg": 90}
    scene = scene_of({"coins": {"suns": [66, 300]}, "video": {"length_s": 3.0}, "actions": [flick]})
    timeline = play_scene(scene)
    (fallen,) = [i for i in timeline.incidents if i["kind"] == "left_table"]
    assert fallen["at_mm"][1] == pytest.approx(380.0)
    last = Studio(scene, timeline).frame(int(fallen["t_s"] * 60) + 16).coins["suns"]
    assert last.state == "off_table"
    assert last.visible == 0.0


def test_the_board_is_found_where_truth_says():
    camera = scene_of({}).camera
    finder = cv2.aruco.CharucoDetector(KIND.board())
    for seen in photograph_board(camera, 3):
        corners, ids, _, _ = finder.detectBoard(seen.picture)
        found, names = np.asarray(corners).reshape(-1, 2), np.asarray(ids).ravel()
        assert len(names) >= 20
        assert np.abs(found - seen.corners_px[names]).mean() < 0.15
    assert KIND.board().getDictionary().markerSize == 5


def test_wood_can_be_darker_and_its_grain_weaker():
    plain = {k: v for k, v in SCENE.items() if k not in ("coins", "actions")}
    usual = empty_table(scene_of(plain))
    other = empty_table(scene_of({**plain, "table": {"wood": "walnut", "tone": 0.5, "grain": 0.0}}))
    middle = (slice(300, 420), slice(500, 780))
    assert other.picture[middle].mean() == pytest.approx(
        0.5 * usual.picture[middle].mean(), rel=0.25
    )
    assert (
        np.diff(other.picture[middle], axis=1).std()
        < 0.3 * np.diff(usual.picture[middle], axis=1).std()
    )


def test_a_tower_shows_its_suits_ace_and_a_gatepost_its_back():
    """Red ink is on the tower of Suns alone; it lies in the middle of the top, 10 mm up."""
    scene = scene_of(
        {
            "video": {"noise": 0.0},
            "camera": {"height_mm": 800},
            "course": {"game": "castle-croquetnole"},
        }
    )
    picture = Studio(scene, play_scene(scene)).frame(0).picture.astype(int)

    def redness(name):
        tile = scene.course.tiles[name]
        top = np.array([[*tile.centre_mm, tile.stack * scene.sizes.tile_thickness_mm]])
        x, y = np.round(scene.view.to_image(top)[0]).astype(int)
        cut = picture[y - 5 : y + 6, x - 5 : x + 6].mean(axis=(0, 1))
        return cut[2] - cut[1]

    assert redness("tower-suns") > 60
    assert max(redness(n) for n in scene.course.tiles if n != "tower-suns") < 40


@pytest.mark.parametrize("kind", CLOTHS)
def test_a_printed_cloth_has_print_and_colours_of_its_own(kind):
    first, again, other = (
        printed_cloth(kind, (300.0, 200.0), np.random.default_rng(s)) for s in (1, 1, 2)
    )
    assert first.shape == (400, 600, 3)  # two pixels a millimetre
    assert (first == again).all()
    assert not np.allclose(first.mean(axis=(0, 1)), other.mean(axis=(0, 1)), atol=0.01)
    # The weave alone changes the light by 4 percent at most.
    assert np.ptp(first / first.mean(axis=(0, 1)), axis=(0, 1)).max() > 0.2


def test_a_cloth_hides_the_wood():
    tables = [
        {"wood": "oak"},
        {"wood": "oak", "cloth": "stripes"},
        {"wood": "pine", "cloth": "stripes"},
    ]
    oak, striped, on_pine = (empty_table(scene_of({"table": t})).picture for t in tables)
    middle = np.s_[300:420, 500:780]
    assert not np.allclose(oak[middle], striped[middle], atol=0.02)
    assert np.array_equal(striped[middle], on_pine[middle])


def test_a_painted_coin_has_the_ink_of_its_suit_with_a_pale_mark():
    wooden, painted = (
        coin_face("suns", colours, np.random.default_rng(0)) for colours in ("standard", "painted")
    )
    aside, mark = np.s_[76:84, 24:32], np.s_[72:88, 72:88]  # left of the sun, and in its middle
    assert np.allclose(painted[aside].mean(axis=(0, 1)), wooden[mark].mean(axis=(0, 1)), atol=0.08)
    assert painted[mark].min() > painted[aside][..., :2].max()
