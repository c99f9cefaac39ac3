"""What was seen, as marks over the frames: for `--overlay`."""

from __future__ import annotations

from referee.session.seeing import Seer
from referee.tracking.follow import State
from referee.vision.overlay import Marks
from referee.vision.overlay_marks import coin_marks, course_strokes, path_strokes


def frame_marks(seer: Seer) -> Marks:
    """The course, the coins where they are believed to be, the ways of those that move, and what they are doing."""
    view, sizes = seer.table.view, seer.table.sizes
    coins = {}
    for name, coin in seer.follower.coins.items():
        if coin.state is State.SLIDING and coin.sightings:
            coins[name] = (coin.sightings[-1].at_mm, coin.sightings[-1].sigma_mm)
        elif coin.rest is not None and coin.state is not State.OFF_TABLE:
            coins[name + ("" if coin.state is State.REST else " hidden")] = (coin.rest.at_mm, coin.rest.sigma_mm)
    strokes, labels = coin_marks(view, sizes, coins)
    ways = path_strokes(view, [[s.at_mm for s in c.sightings] for c in seer.follower.coins.values() if len(c.sightings) > 1])
    glimpse = seer.glimpse
    text = () if glimpse is None else (f"frame {glimpse.frame}  {glimpse.t_s:.3f} s" + ("  hand" if glimpse.hand else ""),)
    return Marks((*course_strokes(view, seer.course, sizes, seer.table.edge_mm), *strokes, *ways), labels, (), text)
