"""Naming coins by their faces, with coins drawn into frames under known light, rotation and
place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens.camera import Camera, TableView
from calibration.store.piece_store import PATCH_REACH, STORED_PX, FacePatch, PieceSet
from referee.domain.pieces import COINS, SURE_NAME, PieceSizes
from referee.vision.faces.builtin_faces import builtin_faces
from referee.vision.faces.face_patch import gather
from referee.vision.faces.identification import FaceEvidence, Identification, face_of, identify

SIZES = PieceSizes(coin_mm=22.0, coin_thickness_mm=4.0)
PX_PER_MM = 0.85  # a coin is 19 px wide, as at 1280 x 720
VIEW = TableView(
    Camera(640, 360, 850.0, 850.0, 319.5, 179.5),
    np.diag([1.0, -1.0, -1.0]),
    np.array([0.0, 0.0, 850.0 / PX_PER_MM + 4.0]),
)
#: How each coin of the set is drawn: as one of the common faces, so that the shapes are real. Then
#: the set is learnt like its owner's.
DRAWN = {name: builtin_faces()[name][1] for name in COINS}
SET = PieceSet(SIZES, DRAWN)


@dataclass(frozen=True)
class Light:
    """What light does to a coin: colours multiplied (blue, green, red), glare added, noise in grey
    levels.
    """

    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    glare: float = 0.0
    noise: float = 2.0


def unsure(found: Identification) -> tuple[int, ...]:
    """Return which coins' names are not sure."""
    return tuple(i for i, coin in enumerate(found.coins) if coin.probability < SURE_NAME)


def place_of(number: int) -> tuple[float, float]:
    return (-270.0 + 60.0 * number, 30.0 * (number % 3) - 30.0)


@cache
def clean_frame(coins: tuple[str, ...]) -> NDArray[np.float32]:
    """Draw the coins at their places, each turned by its own angle, on a brown table, as a camera
    without noise sees them.
    """
    fine = 4
    picture = np.full((360 * fine, 640 * fine, 3), (70.0, 110.0, 150.0), dtype=np.float32)
    radius_px = SIZES.coin_mm / 2 * PX_PER_MM * fine
    for number, name in enumerate(coins):
        face = DRAWN[name].bgr
        middle = (
            VIEW.to_image(np.array([[*place_of(number), SIZES.coin_thickness_mm]]))[0] + 0.5
        ) * fine - 0.5
        low = np.floor(middle - radius_px).astype(int) - 2
        side = 2 * round(radius_px) + 5
        onto = cv2.getRotationMatrix2D(
            ((STORED_PX - 1) / 2,) * 2,
            37.0 * number + 11.0,
            radius_px * PATCH_REACH / (STORED_PX / 2),
        )
        onto[:, 2] += middle - low - (STORED_PX - 1) / 2
        lit = cv2.warpAffine(face, onto, (side, side), flags=cv2.INTER_LINEAR)
        y, x = np.mgrid[0:side, 0:side]
        disc = np.hypot(x - (middle - low)[0], y - (middle - low)[1]) <= radius_px
        picture[low[1] : low[1] + side, low[0] : low[0] + side][disc] = lit[disc]
    return np.asarray(
        cv2.resize(
            cv2.GaussianBlur(picture, (0, 0), 0.7 * fine), (640, 360), interpolation=cv2.INTER_AREA
        ),
        dtype=np.float32,
    )


def frame_of(coins: Sequence[str], light: Light, seed: int) -> NDArray[np.uint8]:
    clean = clean_frame(tuple(coins))
    noise = np.random.default_rng(seed).normal(0, light.noise, clean.shape)
    seen = (
        clean * np.array(light.tint, dtype=np.float32) * (1 - light.glare)
        + 255 * light.glare
        + noise
    )
    return np.clip(np.rint(seen), 0, 255).astype(np.uint8)


def evidence_of(
    coins: Sequence[str], light: Light = Light(), frames: int = 6, off_mm: float = 0.0
) -> list[FaceEvidence]:
    evidence = [FaceEvidence() for _ in coins]
    for seed in range(frames):
        frame = frame_of(coins, light, seed)
        for number, one in enumerate(evidence):
            x, y = place_of(number)
            one.add(gather(frame, VIEW, (x + off_mm, y), SIZES))
    return evidence


def names_of(found: Identification) -> list[str | None]:
    return [coin.name for coin in found.coins]


@pytest.mark.parametrize(
    "light",
    [
        pytest.param(Light(), id="plain"),
        pytest.param(Light(tint=(0.6, 0.85, 1.0)), id="warm lamp"),
        pytest.param(Light(tint=(0.5, 0.5, 0.5), noise=4.0), id="dim and noisy"),
        pytest.param(Light(glare=0.4), id="glare that takes two fifths of the contrast"),
    ],
)
def test_all_ten_coins_are_named_whatever_the_light(light: Light) -> None:
    found = identify(evidence_of(COINS, light), SET, COINS)
    assert names_of(found) == list(COINS)


def test_coins_of_a_match_are_sure_in_plain_light() -> None:
    coins = ("suns", "moons", "2", "ace")
    found = identify(evidence_of(coins), SET, coins)
    assert names_of(found) == list(coins)
    assert found.to_ask == ()


def test_only_the_coins_are_asked_about_whose_answers_name_the_others() -> None:
    # Three faces are hidden, so three names are open: two answers leave one name for the third.
    coins = ("suns", "moons", "2", "ace", "arms")
    seen = evidence_of(coins)
    found = identify([FaceEvidence(), *seen[1:3], FaceEvidence(), FaceEvidence()], SET, coins)
    assert len(found.to_ask) == 2 and set(found.to_ask) < {0, 3, 4}
    for number in found.to_ask:
        assert found.coins[number].probability == pytest.approx(1 / 3, abs=0.01)


def test_a_centre_one_millimetre_off_does_no_harm() -> None:
    coins = ("moons", "arms", "3", "4", "5")
    assert names_of(identify(evidence_of(coins, off_mm=1.0), SET, coins)) == list(coins)


@pytest.mark.parametrize("off_mm", [1.5, -1.5])
def test_nor_does_a_face_learnt_off_its_middle_as_well(off_mm: float) -> None:
    aside = np.array(
        [[1.0, 0.0, 0.14 * STORED_PX / (2 * PATCH_REACH)], [0.0, 1.0, 0.0]]
    )  # a seventh of a radius: its side wall taken for face
    moved = {
        name: replace(
            face,
            bgr=cv2.warpAffine(
                face.bgr, aside, (STORED_PX, STORED_PX), borderMode=cv2.BORDER_REPLICATE
            ),
        )
        for name, face in DRAWN.items()
    }
    found = identify(evidence_of(COINS, off_mm=off_mm), PieceSet(SIZES, moved), COINS)
    assert names_of(found) == list(COINS)
    assert found.to_ask == ()


@pytest.mark.parametrize("stray", ["3", "4", "ace", "arms"])
@pytest.mark.parametrize(
    "match", [("suns", "5", "crowns"), ("suns", "2")], ids=["two are away", "one is away"]
)
def test_a_coin_of_the_set_that_is_not_of_the_match_is_not_given_the_name_of_one_that_is_away(
    stray: str, match: tuple[str, ...]
) -> None:
    found = identify(evidence_of(["suns", stray]), SET, match)
    assert names_of(found) == ["suns", None]
    assert found.to_ask == () and unsure(found) == ()


def test_a_blank_face_may_be_a_bleached_one_and_is_asked_about() -> None:
    found = identify(evidence_of(["suns", "null"]), SET, ("suns", "5", "crowns"))
    assert found.coins[0].name == "suns"
    assert found.to_ask == (1,)


def test_a_hand_over_the_coins_in_some_frames_does_no_harm() -> None:
    coins = ("suns", "crowns")
    evidence = evidence_of(coins)
    hand = np.full((360, 640, 3), (90, 120, 190), dtype=np.uint8)
    for _ in range(3):
        for number, one in enumerate(evidence):
            one.add(gather(hand, VIEW, place_of(number), SIZES))
    assert names_of(identify(evidence, SET, coins)) == list(coins)


def test_what_is_not_plainly_a_coin_gets_no_name_for_want_of_another() -> None:
    """Three coins lie there, and something round without a face instead of the fourth."""
    coins = ("moons", "suns", "arms", "crowns")
    bare = FacePatch(
        np.full((STORED_PX, STORED_PX, 3), (70.0, 110.0, 150.0), dtype=np.float32), 19.0
    )
    evidence = [*evidence_of(coins[:3]), FaceEvidence(plainly_a_coin=False)]
    evidence[3].add(bare)
    found = identify(evidence, SET, coins)
    assert [coin.name for coin in found.coins[:3]] == list(coins[:3])
    assert 3 in unsure(found) or found.coins[3].name is None


def test_a_coin_never_seen_gets_the_name_that_is_left() -> None:
    evidence = [*evidence_of(("suns", "moons")), FaceEvidence()]
    found = identify(evidence, SET, ("moons", "suns", "5"))
    assert names_of(found) == ["suns", "moons", "5"]


def test_a_name_whose_face_was_never_learnt_is_given_by_elimination() -> None:
    lacking = PieceSet(SIZES, {name: face for name, face in DRAWN.items() if name != "arms"})
    found = identify(evidence_of(("suns", "arms", "moons")), lacking, ("moons", "arms", "suns"))
    assert names_of(found) == ["suns", "arms", "moons"]


def test_more_coins_than_names_leaves_one_without() -> None:
    found = identify(evidence_of(("suns", "crowns", "moons")), SET, ("moons", "suns"))
    assert names_of(found) == ["suns", None, "moons"]


def test_fewer_coins_than_names() -> None:
    found = identify(evidence_of(("4", "suns")), SET, COINS)
    assert names_of(found) == ["4", "suns"]


def test_a_face_drowned_in_glare_is_unsure() -> None:
    """All ink except a twentieth is gone, so nothing may be called certain."""
    found = identify(evidence_of(("3", "5"), Light(glare=0.95, noise=1.0)), SET, COINS)
    assert unsure(found) == (0, 1)
    assert found.to_ask  # one answer can decide both


def test_two_coins_that_look_alike_are_both_unsure() -> None:
    """One name cannot be more likely than one half for each of two coins that show the same."""
    found = identify(evidence_of(("suns", "suns")), SET, ("suns", "moons"))
    shares = [
        coin.probability if coin.name == "suns" else dict(coin.others)["suns"]
        for coin in found.coins
    ]
    assert shares == pytest.approx([0.5, 0.5], abs=0.2)
    assert unsure(found) == (0, 1)


def test_probabilities_of_a_coin_sum_to_one() -> None:
    found = identify(evidence_of(("2", "3"), Light(glare=0.8)), SET, COINS)
    for coin in found.coins:
        assert coin.probability + sum(share for _, share in coin.others) == pytest.approx(
            1.0, abs=0.012
        )  # shares under 0.001 are left out


def test_common_faces_are_tried_without_a_set() -> None:
    coins = ("suns", "arms", "moons", "crowns")
    assert names_of(identify(evidence_of(coins), None, coins)) == list(coins)
    assert names_of(identify(evidence_of(coins), PieceSet(SIZES), coins)) == list(coins)


def test_coins_of_one_face_are_handed_out_and_sure_together() -> None:
    found = identify(evidence_of(("suns", "arms", "suns")), SET, ("suns-1", "suns-2", "arms-1"))
    assert {found.coins[0].name, found.coins[2].name} == {"suns-1", "suns-2"}
    assert found.coins[1].name == "arms-1"
    assert found.to_ask == ()


RED_AND_BLUE = ("suns", "arms") * 4
NUMBERED = tuple(f"{suit}-{number}" for suit in ("suns", "arms") for number in range(1, 5))
TWO_WAYS = (RED_AND_BLUE, RED_AND_BLUE[1:] + RED_AND_BLUE[:1])


def _two_are_blank() -> list[FaceEvidence]:
    """Return the faces of red and blue coins, of which two are bleached."""
    return [*evidence_of(RED_AND_BLUE[:6]), FaceEvidence(), FaceEvidence()]


def test_how_the_rules_lay_coins_names_those_whose_faces_show_nothing() -> None:
    """Six faces tell which of the two ways it is, and the way tells the other two coins."""
    assert identify(_two_are_blank(), SET, NUMBERED).to_ask
    found = identify(_two_are_blank(), SET, NUMBERED, TWO_WAYS)
    assert [face_of(str(coin.name)) for coin in found.coins] == list(RED_AND_BLUE)
    assert found.to_ask == ()


def test_what_lies_where_the_rules_put_coins_is_a_coin_though_it_hardly_looks_like_one() -> None:
    """Its face says as much for no name as for its own. Elsewhere it might be something else."""
    seen = _two_are_blank()
    seen[6] = FaceEvidence(plainly_a_coin=False)
    assert 6 in identify(seen, SET, NUMBERED).to_ask
    assert identify(seen, SET, NUMBERED, TWO_WAYS).to_ask == ()


def test_plain_faces_that_contradict_the_rules_are_believed() -> None:
    """Two coins lie the wrong way round. Only ways that they contradict are ruled."""
    laid = ("arms", "suns", *RED_AND_BLUE[2:])
    found = identify(evidence_of(laid), SET, NUMBERED, TWO_WAYS)
    assert [face_of(str(coin.name)) for coin in found.coins] == list(laid)
    assert found.to_ask == ()


@pytest.mark.parametrize(
    ("name", "face"), [("suns-3", "suns"), ("moons", "moons"), ("striker", "null"), ("2", "2")]
)
def test_the_face_a_name_shows(name: str, face: str) -> None:
    assert face_of(name) == face


def test_a_coin_cut_off_by_the_border_gives_no_patch() -> None:
    frame = np.zeros((360, 640, 3), dtype=np.uint8)
    assert gather(frame, VIEW, (374.0, 0.0), SIZES) is None


def test_a_patch_shows_the_face_upright_and_centred() -> None:
    """A black dot 6 mm from the middle towards +y must be at the top of the patch, 6 / (1.15 x 11)
    of half its side above the middle.
    """
    frame = np.full((360, 640, 3), 200, dtype=np.uint8)
    u, v = VIEW.to_image(np.array([[50.0, 26.0, SIZES.coin_thickness_mm]]))[0]
    cv2.circle(frame, (round(u), round(v)), 2, (0, 0, 0), -1)
    patch = gather(frame, VIEW, (50.0, 20.0), SIZES)
    assert patch is not None
    dark = 200 - patch.bgr[..., 0]
    rows, columns = np.mgrid[0:32, 0:32]
    assert float((dark * columns).sum() / dark.sum()) == pytest.approx(15.5, abs=0.8)
    assert float((dark * rows).sum() / dark.sum()) == pytest.approx(
        15.5 - 16 * 6 / (PATCH_REACH * 11), abs=0.8
    )


def test_evidence_takes_the_middle_of_its_patches() -> None:
    one = FaceEvidence()
    for grey in (10.0, 20.0, 250.0):
        one.add(FacePatch(np.full((32, 32, 3), grey, dtype=np.float32), 18.0))
    assert one.face is not None
    assert float(one.face.bgr.mean()) == 20.0
    assert FaceEvidence().face is None
