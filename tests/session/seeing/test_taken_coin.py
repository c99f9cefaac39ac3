"""A coin that a hand took off the table."""

from __future__ import annotations

from referee.domain.geometry import distance
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.vision.sources.frame import VideoFrame
from tests.session.seeing.test_opening import ARMS, MOONS, STILL, SUNS, VIEW, frame
from tests.vision.drawn import COIN, table

HAND = ((SUNS[0] - 50.0, -120.0, SUNS[0] + 30.0, SUNS[1] + 30.0), 140.0)
TAKEN = STILL.but(discs=((MOONS, COIN), (ARMS, COIN)))


def filmed(number: int) -> VideoFrame:
    """Return a frame of a clip in which a hand lies over suns from the 40th to the 69th frame, and
    suns is gone then.
    """
    lies = STILL if number < 40 else TAKEN
    return frame(number, lies.but(blots=(HAND,)) if 40 <= number < 70 else lies)


def test_a_coin_that_was_taken_does_not_lie_where_it_lay_once_all_is_still_again() -> None:
    builder = EpisodeBuilder(table(VIEW), 0.0)
    episodes = [e for n in range(130) if (e := builder.take(filmed(n))) is not None]
    (taken,) = (
        t for e in episodes for t in e.tracks if t.before and distance(t.before.at_mm, SUNS) < 1.5
    )
    assert taken.after is None
    places = [rest.at_mm for rest in builder.resting().values()]
    assert len(places) == 2 and all(distance(at, SUNS) > 5.0 for at in places)
