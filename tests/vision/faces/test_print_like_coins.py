"""What looks a little like a coin, beside the match's coins, is not given a coin's name."""

from __future__ import annotations

import numpy as np

from calibration.store.piece_store import FacePatch
from referee.vision.faces.identification import FaceEvidence, identify
from tests.vision.faces.test_identification import SET, evidence_of, unsure


def faded(patch: FacePatch, share: float) -> FacePatch:
    """Return a face with so much of its print."""
    seen = share * patch.bgr + (1 - share) * patch.bgr.mean((0, 1))
    return FacePatch(seen.astype(np.float32), patch.seen_px)


def test_print_that_looks_like_a_face_is_no_coin_where_as_many_coins_lie_as_the_match_has() -> None:
    """The sun's coin is bleached. A dark spot of the table looks just like its face."""
    coins = ("suns", "moons", "arms")
    evidence = evidence_of(coins)
    spot = FaceEvidence(plainly_a_coin=False)
    bleached = FaceEvidence()
    for patch in evidence[0].patches:
        spot.add(faded(patch, 0.2))
        bleached.add(faded(patch, 0.05))
    found = identify([bleached, *evidence[1:], spot], SET, coins)
    assert 3 in unsure(found) or found.coins[3].name is None
    assert [coin.name for coin in found.coins[1:3]] == ["moons", "arms"]


def test_dots_of_another_colour_do_not_make_a_faint_face_unsure() -> None:
    """Forty dots are round like coins, with a smudge that is a little like the ace's mark. The ace
    itself is seen faintly.
    """
    coins = ("suns", "moons", "ace")
    evidence = evidence_of(coins)
    faint, dot = FaceEvidence(), FaceEvidence()
    for patch in evidence[2].patches:
        faint.add(faded(patch, 0.16))
        smudge = faded(patch, 0.12)
        turquoise = smudge.bgr * np.array([1.0, 1.0, 0.3], dtype=np.float32)
        dot.add(FacePatch(turquoise.astype(np.float32), patch.seen_px))
    found = identify([*evidence[:2], faint, *[dot] * 40], SET, coins)
    assert [coin.name for coin in found.coins] == [*coins, *[None] * 40]
    assert unsure(found) == ()
