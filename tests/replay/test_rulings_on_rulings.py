"""Whatever people rule, also on rulings, the fold depends only on the record. This uses legal play,
which random entries seldom are.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.long_matches import GAMES, long_match
from referee.record.reading import decode_entry, lines_of
from referee.replay.fold import fold
from tests.games import promises
from tests.games.promises import Line, Lines, checks, read

CHECKS = checks(50)
#: Measurements belong to the entry that was measured.
MEASURED = ("id", "t_s", "frames", "probability", "margin_mm", "sigma_mm")


@cache
def play(game: str, how: Any) -> tuple[str, ...]:
    """Return the lines of a match as it might be played, without rulings."""
    return tuple(line.decode() for line in lines_of(long_match(game, 30, how)))


@st.composite
def ruled(draw: st.DrawFn, game: str) -> Lines:
    """Draw a match with rulings on everything, most often on rulings. Questions are answered,
    mostly so that things stand as they were seen.
    """
    first, *rest = [
        json.loads(line) for line in play(game, draw(st.sampled_from(["plain", "fouls"])))
    ]
    folded, lines, before = fold(read([first])), [first], list[Line]()
    for line in rest:
        lines.append(line)
        before.append(line)
        folded.push(_entry(line, game))
        for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
            asked = folded.question
            answer = (
                {"verdict": "upheld", "on": asked.on, "entry": "ruling"}
                if asked is not None and draw(st.integers(0, 3))
                else None
            )
            lines.append({"id": f"r{len(lines)}", **(answer or _ruling(draw, before))})
            before.append(lines[-1])
            folded.push(_entry(lines[-1], game))
    return lines


def _entry(line: Line, game: str) -> Any:
    return decode_entry(json.dumps(line).encode(), game)


def _ruling(draw: st.DrawFn, before: Lines) -> Line:
    rulings = [line for line in before if line["entry"] == "ruling"]
    then = {"then": draw(st.sampled_from(["keep", "rewind"]))} if draw(st.booleans()) else {}
    if rulings and draw(st.booleans()):
        return {
            "entry": "ruling",
            "on": draw(st.sampled_from(rulings))["id"],
            "verdict": draw(st.sampled_from(["overturned", "overturned", "upheld"])),
            **then,
        }
    facts = [line for line in before if line["entry"] != "ruling"]
    about = draw(st.sampled_from(facts))
    verdict = draw(st.sampled_from(["overturned", "overturned", "upheld", "replaced", "added"]))
    ruling = {
        "entry": "ruling",
        "verdict": verdict,
        "after" if verdict == "added" else "on": about["id"],
        **then,
    }
    if verdict in ("replaced", "added"):
        like = draw(
            st.sampled_from(
                [line for line in facts if verdict == "added" or line["kind"] == about["kind"]]
            )
        )
        ruling["replacement"] = {key: value for key, value in like.items() if key not in MEASURED}
    return ruling


@pytest.mark.parametrize("game", GAMES)
@CHECKS
@given(data=st.data())
def test_replaying_everything_and_overturning_an_overturn_change_nothing(
    game: str, data: st.DataObject
) -> None:
    lines = data.draw(ruled(game))
    promises.reading_anew_from_the_setup_comes_to_the_same(lines)
    promises.overturning_an_overturn_restores(lines, data)
