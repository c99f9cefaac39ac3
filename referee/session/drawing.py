"""What was seen, as marks over the frames: for `--overlay`."""

from __future__ import annotations

from collections.abc import Sequence

from referee.session.seeing import Seer
from referee.tracking.follow import State
from referee.vision.overlay import YELLOW, Label, Marks, jpeg_of
from referee.vision.overlay_marks import coin_marks, course_strokes, path_strokes, project


def naming_picture(seer: Seer, numbers: Sequence[str]) -> bytes | None:
    """The last frame as a JPEG with the coins that are asked about marked by their numbers; None before there is one."""
    bgr = seer.last_bgr()
    if bgr is None:
        return None
    known = seer.known()
    strokes, _ = coin_marks(seer.table.view, seer.table.sizes, {n: (known[n].at_mm, 0.0) for n in numbers})
    reach = 0.8 * seer.table.sizes.coin_mm
    beside = {n: project(seer.table.view, [(known[n].at_mm[0] + reach, known[n].at_mm[1] + reach)]) for n in numbers}
    labels = tuple(Label(n.removeprefix("?"), at, YELLOW) for n, spots in beside.items() for at in spots)
    return jpeg_of(bgr, Marks(strokes, labels))


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
