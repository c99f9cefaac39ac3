"""Scenes from YAML: what is read, and the one line about what cannot be read."""

import math

import pytest
from click.testing import CliRunner

from referee.domain.errors import InputError
from referee.domain.pieces import GUARDS
from referee.session.match_file import match_from
from referee.synthetic.__main__ import main
from referee.synthetic.clip import match_file
from referee.synthetic.pictures.film import Studio
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene_file import scene_of

FLICK = {"flick": "moons", "at_s": 1.5, "speed_mm_s": 800, "towards_deg": 0}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"colour": 1}, r"scene: colour: is not a field here"),
        (
            {"table": {"wood": "ash"}},
            r"scene: table.wood: 'ash' is not one of oak, walnut, pine, laminate",
        ),
        (
            {"camera": {"fx_px": "wide"}},
            r"scene: camera.fx_px: 'wide' is not a number of at least 1",
        ),
        ({"camera": {"distortion": [0.1]}}, r"scene: camera.distortion: \[0.1\] is not 5 numbers"),
        ({"camera": {"tilt": 3}}, r"scene: camera.tilt: is not a field here"),
        ({"coins": {"sun": [0, 0]}}, r"scene: coins.sun: is not a coin"),
        ({"coins": {"suns": [0]}}, r"scene: coins.suns: \[0\] is not a place"),
        ({"coins": {"suns": [0, 0], "moons": [5, 0]}}, r"scene: coins: suns and moons overlap"),
        (
            {"actions": [{"at_s": 1}]},
            r"scene: actions\[0\]: must name one of flick, pass, place, lift, nudge",
        ),
        (
            {"actions": [{"flick": "moons", "at_s": 1.5, "towards_deg": 0}]},
            r"scene: actions\[0\].speed_mm_s: is missing",
        ),
        ({"actions": [FLICK]}, r"scene: actions\[0\]: moons does not lie on the table at 1.5 s"),
        (
            {"coins": {"moons": [0, 0]}, "actions": [{**FLICK, "at_s": 0.1}]},
            r"scene: actions\[0\]: at_s: the hand would have to set out",
        ),
        (
            {"coins": {"moons": [0, 0]}, "actions": [FLICK, {**FLICK, "at_s": 2.0}]},
            r"scene: actions\[1\]: at_s: the hand comes at",
        ),
        (
            {"coins": {"moons": [0, 0]}, "actions": [FLICK], "video": {"length_s": 2}},
            r"scene: video.length_s: 2 s ends before the last hand has gone",
        ),
        (
            {"video": {"fps": 60, "exposure_s": 0.02}},
            r"scene: video.exposure_s: 0.02 s is longer than a frame",
        ),
        (
            {"actions": [{"nudge": "wicket-10-left", "at_s": 2}]},
            r"scene: actions\[0\].nudge: 'wicket-10-left' is not one of",
        ),
        ({"light": {"glare": "much"}}, r"scene: light.glare: 'much' is not a number"),
        ([], r"scene: must hold fields"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(given, said):
    with pytest.raises(InputError, match=said) as caught:
        play_scene(scene_of(given))
    assert "\n" not in str(caught.value)


def test_the_command_ends_with_status_2_and_one_line(tmp_path):
    scene = tmp_path / "scene.yaml"
    scene.write_text("camera: [1, 2\n")
    result = CliRunner().invoke(main, [str(scene), str(tmp_path / "out")])
    assert result.exit_code == 2
    assert result.output.count("\n") == 1
    assert "is not YAML" in result.output


def test_unquoted_null_and_2_are_coins():
    scene = scene_of(
        {
            "coins": {None: [0, 0], 2: [100, 0]},
            "players": [{"name": "Ann", "coin": None}, {"name": "Ben", "coin": 2}],
        }
    )
    assert set(scene.coins) == {"null", "2"}
    assert scene.players == (("Ann", "null"), ("Ben", "2"))


def test_a_scene_of_carroms_has_the_coins_of_the_board():
    scene = scene_of(
        {"course": {"game": "carroms"}, "coins": {"suns-2": [0, 0], "striker": [100, 0]}}
    )
    assert set(scene.coins) == {"suns-2", "striker"}
    with pytest.raises(InputError, match=r"scene: coins.crowns: is not a coin \(suns-1, "):
        scene_of({"course": {"game": "carroms"}, "coins": {"crowns": [0, 0]}})


def test_a_coin_that_slides_through_a_pocket_is_pocketed_there():
    # The mouth of the north-east pocket lies across the way at 45 degrees from the middle.
    scene = scene_of(
        {
            "course": {"game": "carroms", "jitter_mm": 0, "jitter_deg": 0},
            "table": {"size_mm": [900, 900]},
            "coins": {"arms-1": [100, 100]},
            "actions": [{"flick": "arms-1", "at_s": 1.2, "speed_mm_s": 1000, "towards_deg": 45}],
        }
    )
    told = [(f["kind"], f.get("pocket")) for f in play_scene(scene).incidents]
    assert told == [("flicked", None), ("pocketed", "pocket-ne")]


@pytest.mark.parametrize(
    ("mirrored", "left_endpost", "outward_x", "wicket_3_y"),
    [
        (False, "left", 1, -1),
        (True, "left", 1, 1),
        (False, "right", -1, -1),
        (True, "right", -1, 1),
    ],
)
def test_the_course_lies_as_asked(mirrored, left_endpost, outward_x, wicket_3_y):
    course = scene_of(
        {
            "course": {
                "mirrored": mirrored,
                "left_endpost": left_endpost,
                "jitter_mm": 0,
                "jitter_deg": 0,
            }
        }
    ).course
    line = course.lines["wicket-3"]
    assert line.outward == pytest.approx((outward_x, 0.0))
    assert math.copysign(1, line.left_mm[1]) == wicket_3_y
    assert math.copysign(1, course.tiles["left-endpost"].centre_mm[0]) == -outward_x
    # For a coin that goes outward, the left tile is on its left: left of (1, 0) is +y.
    assert (line.left_mm[1] - line.right_mm[1]) * outward_x > 0


@pytest.mark.parametrize(
    ("moons_side", "moons", "suns"),
    [
        ("near", (0, -5), (-5, 0)),
        ("left", (-5, 0), (0, 5)),
        ("far", (0, 5), (5, 0)),
        ("right", (5, 0), (0, -5)),
    ],
)
def test_suns_castle_is_at_the_left_of_moons_players(moons_side, moons, suns):
    """The player at Moons' castle looks at the middle: the castle at the left is Suns'."""
    course = scene_of(
        {
            "set": {"tile_mm": 50},
            "course": {
                "game": "castle-croquetnole",
                "moons_side": moons_side,
                "jitter_mm": 0,
                "jitter_deg": 0,
            },
        }
    ).course
    assert len(course.tiles) == 16
    for name, (x, y) in {"tower-moons": moons, "tower-suns": suns}.items():
        assert course.tiles[name].centre_mm == pytest.approx((50 * x, 50 * y))
        assert course.tiles[name].stack == 2
    line = course.lines["gate-moons"]  # from the tower to the Wasteland
    assert line.outward == pytest.approx((-moons[0] / 5, -moons[1] / 5))


def test_the_players_of_castles_have_a_knight_and_its_guard():
    given = {
        "course": {"game": "castle-croquetnole"},
        "players": [{"name": n, "coin": c} for n, c in zip("ABCD", GUARDS, strict=True)],
    }
    match = match_file(scene_of(given))
    assert match["players"][2] == {"name": "C", "coin": "crowns"}
    assert match_from(match, "match.yaml").coins[4:] == tuple(GUARDS.values())
    with pytest.raises(InputError, match=r"players\[0\].coin: 'ace' is not a knight"):
        scene_of({**given, "players": [{"name": "A", "coin": "ace"}]})


def test_the_seed_lays_the_course():
    first, same, other = (scene_of({"seed": s}).course.tiles for s in (5, 5, 6))
    assert first == same
    assert first != other


def test_the_camera_stands_where_height_tilt_and_aim_put_it():
    view = scene_of(
        {
            "camera": {
                "aim_mm": [30, 40],
                "height_mm": 900,
                "tilt_deg": 30,
                "distortion": [0, 0, 0, 0, 0],
            }
        }
    ).view
    assert view.position_mm == pytest.approx((30, 40 - 900 * math.tan(math.radians(30)), 900))
    camera = view.camera
    aim = view.to_table([[camera.cx_px, camera.cy_px]])
    assert aim[0] == pytest.approx((30, 40), abs=1e-6)


def test_a_hand_moves_and_restores_a_tile():
    timeline = play_scene(
        scene_of(
            {
                "video": {"length_s": 7},
                "actions": [
                    {"nudge": "wicket-2-left", "at_s": 1.6, "by_mm": [6, 8], "turn_deg": 5},
                    {"nudge": "wicket-2-left", "at_s": 4.5},
                ],
            }
        )
    )
    (moved,) = timeline.incidents
    assert (moved["kind"], moved["by"]) == ("tile_displaced", "hand")
    assert moved["moved_mm"] == pytest.approx(10.0)
    assert moved["turned_deg"] == pytest.approx(5.0)
    (back,) = timeline.tile_restored
    assert back["t_s"] == 4.5
    assert timeline.tile("wicket-2-left", 6.0) == timeline.first_tiles["wicket-2-left"]


def test_a_brought_coin_is_placed_and_a_lifted_one_is_gone():
    timeline = play_scene(
        scene_of(
            {
                "video": {"length_s": 7},
                "actions": [
                    {"place": "ace", "at_s": 1.5, "to_mm": [0, 0]},
                    {"lift": "ace", "at_s": 4.5},
                ],
            }
        )
    )
    assert [(i["kind"], i["t_s"], i["at_mm"]) for i in timeline.incidents] == [
        ("placed", 1.5, [0.0, 0.0]),
        ("placed", 4.5, None),
    ]
    assert timeline.stretch("ace", 0.0) is None
    assert timeline.stretch("ace", 3.0).state == "rest"
    assert timeline.stretch("ace", 6.9) is None


def test_a_hand_may_be_there_when_the_clip_begins_aim_and_stay():
    early = {**FLICK, "at_s": 0.8, "aim_s": 0.3, "stay_s": 0.5}
    timeline = play_scene(
        scene_of({"coins": {"moons": [0, 0]}, "actions": [early], "video": {"hand_at_start": True}})
    )
    visit = timeline.visits[0]
    assert visit.begin_s == pytest.approx(
        0.8 - 0.3 - 0.6
    )  # it comes in 0.6 s and waits from 0.3 s before
    assert visit.end_s == pytest.approx(0.8 + 0.3 + 0.5 + 0.65)


BOARD = {
    "video": {"length_s": 6.0},
    "course": {"game": "carroms", "jitter_mm": 0, "jitter_deg": 0},
    "camera": {"height_mm": 1000, "width": 320, "height": 180, "fx_px": 228},
    "coins": {"striker": [10, 100]},
}
NORTH = {"flick": "striker", "at_s": 2.2, "speed_mm_s": 1400, "towards_deg": 90}


def test_a_hand_holds_a_wall_while_another_one_flicks():
    hold = {"hold": "N", "at_s": 1.3, "until_s": 3.8, "player": "Ben"}
    scene = scene_of({**BOARD, "actions": [hold, NORTH]})
    timeline = play_scene(scene)
    assert timeline.tiles == {} and timeline.tile_contacts
    assert timeline.declarations == [{"t_s": 1.3, "kind": "hold", "walls": ["N"], "player": "Ben"}]
    there = Studio(scene, timeline)
    hand, both = (there.frame(round(t_s * scene.fps)) for t_s in (1.5, 2.1))
    assert hand.hand and len(timeline.hands(2.1)) == 2
    free = play_scene(scene_of({**BOARD, "actions": [NORTH]}))
    assert {name.rpartition("-")[0] for name in free.tiles} == {"wall-n"}
    assert both.coins["striker"].visible > 0.5


@pytest.mark.parametrize(
    ("hold", "said"),
    [
        ({"hold": "N", "at_s": 1.3, "until_s": 2.25}, "lets go of its wall"),
        ({"hold": "up", "at_s": 1.3, "until_s": 3.0}, "'up' is not one of N, E, S, W"),
        ({"hold": "N", "at_s": 0.3, "until_s": 3.0}, "would have to set out 0.30 s before"),
    ],
)
def test_a_hold_that_cannot_be_played_is_said_in_one_line(hold, said):
    with pytest.raises(InputError, match=said):
        play_scene(scene_of({**BOARD, "actions": [hold, NORTH]}))


def test_a_coin_that_climbs_a_wall_leaves_the_table_over_its_outer_side():
    """The outer side of the north wall is at y = 3 + 2.5 / sqrt(2) + 1 tiles."""
    scene = scene_of({**BOARD, "surface": {"climbs_mm_s": 800}, "actions": [NORTH]})
    (fall,) = (i for i in play_scene(scene).incidents if i["kind"] == "left_table")
    assert fall["coin"] == "striker"
    assert fall["at_mm"] == pytest.approx(
        [10.0, (4.0 + 2.5 / math.sqrt(2)) * scene.sizes.tile_mm], abs=0.5
    )
