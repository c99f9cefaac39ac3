"""Why a call of Castle Croquetnole was made: which clauses were needed, whether each held, and the
figures that decided.
"""

from __future__ import annotations

from typing import Any

import pytest

from referee.domain.clause import Clause
from referee.domain.declaration import Said
from referee.domain.incident import Measured
from referee.games.clauses import clauses_of
from referee.replay.fold import fold
from tests.record.matches import entries

NAMES, SUITS = ("Ann", "Ben", "Cyd", "Dee"), ("moons", "suns", "crowns", "arms")
Line = dict[str, Any]


def setup(**options: Any) -> Line:
    players = [{"name": name, "coin": suit} for name, suit in zip(NAMES, SUITS, strict=True)]
    return {
        "entry": "setup",
        "format": "piecepack-match/1",
        "game": "castle-croquetnole",
        "players": players,
        "options": options,
    }


def seen(kind: str, coin: str, **more: Any) -> Line:
    return {"entry": "incident", "kind": kind, "coin": coin, **more}


def flick(coin: str, *touching: str, **more: Any) -> Line:
    return seen("flicked", coin, touching=list(touching), **more)


def cross(coin: str, line: str, way: str) -> Line:
    return seen("line_crossed", coin, line=line, direction=way)


def hit(coin: str, other: str) -> Line:
    return seen("contact", coin, **{"with": other})


def fall(coin: str) -> Line:
    return seen("left_table", coin, at_mm=[0.0, 400.0])


def put(coin: str, x: float, y: float) -> Line:
    return seen("placed", coin, at_mm=[x, y])


def said(kind: str, **more: Any) -> Line:
    return {"entry": "declaration", "kind": kind, **more}


def rest(**coins: list[float]) -> Line:
    return {"entry": "incident", "kind": "at_rest", "coins": coins}


def found(before: list[Line], entry: Line, **options: Any) -> tuple[Clause, ...]:
    first = setup(**options)
    last = entries(first, *before, entry)[-1]
    assert isinstance(last, Measured | Said)
    state = fold(entries(first, *before)).state
    return clauses_of("castle-croquetnole", state, last, upheld=False)  # type: ignore[arg-type]


M, G = flick("moons"), flick("ace")
#: Ann's knight has left its own gate and entered Ben's.
IN_SUNS = [M, cross("moons", "gate-moons", "out"), cross("moons", "gate-suns", "in")]
#: Then nothing moves any more, and it has two flicks left.
IN_SUNS_STILL = [*IN_SUNS, rest()]
#: Ann's knight and guard have been played (the guard came out of its gate), and so have everybody
#: else's. It is Ann's turn again.
ROUND = [M, rest(), G, cross("ace", "gate-moons", "out"), rest(), G, rest()]
OTHERS = [
    line
    for knight, guard in (("suns", "2"), ("crowns", "3"), ("arms", "4"))
    for line in (flick(knight), rest(), flick(guard), rest())
]
OFF_DUTY = [*ROUND, *OTHERS]
YES, NO = True, False


@pytest.mark.parametrize(
    ("before", "entry", "met"),
    [
        ([], M, [YES, YES, YES, NO]),  # still, in turn, may be flicked; nobody placed it
        ([M], M, [NO, YES, YES]),
        ([], flick("moons", player="Ben"), [YES, NO, YES]),
        ([], G, [YES, YES, NO]),  # in round one the knight comes first
        ([], flick("suns"), [YES, YES, NO]),
        ([], cross("moons", "gate-moons", "out"), [NO]),  # no flick under way
        (
            [M],
            cross("moons", "gate-moons", "out"),
            [YES, YES, YES, YES, YES, YES, YES],
        ),  # ..., inside it, its next step, own flick, own_gate_bonus
        (
            [M],
            cross("suns", "gate-suns", "out"),
            [YES, YES, YES, YES, YES, NO, YES],
        ),  # knocked: a step, no flick
        (
            [M],
            cross("moons", "gate-suns", "in"),
            [YES, YES, YES, YES, NO, YES],
        ),  # still inside its own castle: illegal, as it was played
        (
            [M],
            cross("moons", "gate-moons", "in"),
            [YES, YES, YES, NO, YES],
        ),  # counts as inside already
        (
            IN_SUNS[:2],
            cross("moons", "gate-crowns", "in"),
            [YES, YES, YES, YES, YES, NO],
        ),  # out of sequence
        (IN_SUNS, cross("moons", "door-suns", "in"), [YES, YES, YES, YES, YES, YES]),
        (IN_SUNS, cross("moons", "door-crowns", "in"), [YES, YES, YES, NO, NO]),
        (
            IN_SUNS[:2],
            cross("moons", "door-suns", "in"),
            [YES, YES, YES, NO, NO],
        ),  # not come in by the gate
        (IN_SUNS, cross("2", "door-suns", "in"), [YES, YES, NO, YES]),  # a guard makes no steps
        (IN_SUNS, hit("moons", "tower-suns"), [YES, YES, YES, NO, YES]),  # the door comes first
        (
            [*IN_SUNS, cross("moons", "door-suns", "out")],
            hit("moons", "tower-suns"),
            [YES, YES, YES, YES, YES, YES],
        ),
        (
            [*IN_SUNS, fall("moons")],
            hit("moons", "tower-suns"),
            [YES, YES, NO, NO, YES],
        ),  # it has left the table
        (
            IN_SUNS,
            hit("moons", "tower-moons"),
            [YES, YES, YES, NO, NO, YES],
        ),  # the own tower: not yet, not at home, guard on duty
        (
            IN_SUNS,
            hit("moons", "2"),
            [YES, YES, YES, YES, YES, YES, YES, NO, YES],
        ),  # a prisoner in turn; the guard was not the one played
        (
            [*IN_SUNS[:2]],
            hit("moons", "2"),
            [YES, YES, YES, YES, NO, YES, YES, YES, YES, YES, NO, YES],
        ),  # outside: none, and on duty no strike either
        (
            [*IN_SUNS, hit("moons", "2"), rest(), G],
            hit("ace", "tower-suns"),
            [YES, YES, YES, YES, YES],
        ),  # its knight is on it, it is on duty and in turn
        ([*IN_SUNS_STILL, G], hit("ace", "tower-suns"), [YES, YES, NO, YES]),
        ([M], hit("moons", "suns"), [YES, YES, YES, YES, YES, YES, YES, YES, YES]),
        (
            [M, hit("moons", "suns")],
            hit("moons", "suns"),
            [YES, YES, YES, YES, YES, YES, YES, YES, NO],
        ),  # struck already
        (
            [flick("moons", "suns")],
            hit("moons", "suns"),
            [YES, YES, YES, NO, YES, YES, YES, YES, YES],
        ),  # lay against it
        (
            [M],
            hit("suns", "crowns"),
            [YES, YES, YES, YES, NO, YES, YES, YES, YES],
        ),  # only the coin being played strikes
        (
            [M],
            hit("moons", "ace"),
            [YES, YES, YES, YES, YES, YES, YES, NO, YES],
        ),  # the own guard is on duty
        ([M], hit("moons", "gatepost-sw"), [NO]),
        (
            [M, rest(), G],
            cross("ace", "gate-moons", "out"),
            [YES, YES, YES, YES, YES, YES],
        ),  # inside, its own gate, played, first time
        ([M], cross("ace", "gate-moons", "out"), [YES, YES, YES, YES, NO, YES]),  # knocked
        (
            ROUND[:6],
            cross("ace", "gate-suns", "in"),
            [YES, YES, YES, YES, NO],
        ),  # another's gate means nothing to its duty
        (
            [*ROUND[:6], cross("ace", "gate-moons", "in")],
            cross("ace", "gate-moons", "out"),
            [YES, YES, YES, YES, YES, NO],
        ),  # a second time
        ([M], fall("moons"), [YES, YES, YES]),
        ([M], fall("suns"), [YES, YES, NO]),
        ([M], rest(), [YES, NO]),  # the knight's play is over, the turn is not
        ([M, rest(), G], rest(), [YES, YES]),
        (IN_SUNS, rest(), [NO, NO]),
        ([], rest(), []),
        ([], said("pass"), [YES, YES, NO]),
        ([M, cross("moons", "gate-moons", "out"), rest()], said("pass"), [YES, YES, YES, NO]),
        (OFF_DUTY, said("pass", player="Ben"), [NO, YES, YES]),
        ([], said("croquet", option=2), [YES, YES, NO]),
        ([*OFF_DUTY, M, hit("moons", "ace"), rest()], said("croquet", option=2), [YES, YES, YES]),
        ([], said("concede", player="Cyd"), [YES]),
        ([said("concede", player="Cyd")], said("concede", player="Cyd"), [NO]),
        ([], said("concede"), [YES, YES]),  # on turn, which is over
        (
            [said("concede", player="Cyd"), said("concede", player="Dee")],
            said("concede", player="Ben"),
            [YES, YES],
        ),  # and one player is left
        ([*IN_SUNS, said("concede")], rest(), [NO, NO, YES]),  # the turn ends by that alone
        (
            [*IN_SUNS, hit("moons", "2"), rest(), G, rest()],
            flick("2"),
            [YES, YES, NO],
        ),  # in round one Ben's knight comes first
        (
            [*IN_SUNS, hit("moons", "2"), rest(), G, rest(), flick("suns"), rest(), flick("2")],
            cross("2", "gate-suns", "out"),
            [YES, YES, YES, YES, YES, YES, YES],
        ),  # and Ann's knight is free
        ([rest(moons=[0.0, -190.0])], rest(moons=[0.0, -190.0]), []),  # seen there before
        ([], rest(moons=[0.0, -190.0], suns=[0.0, 0.0]), [NO, NO]),  # not beside their towers
    ],
)
def test_clauses_hold_or_not(before: list[Line], entry: Line, met: list[bool]) -> None:
    assert [clause.met for clause in found(before, entry)] == met


def figures(clause: Clause, *names: str) -> list[Any]:
    return [clause.facts[name] for name in names]


def test_the_start_is_judged_by_the_gap_between_rim_and_tower() -> None:
    """The tower of the moons reaches up to y = -228.6 mm. A centre at -200 is 28.6 mm from it, its
    rim 9.525 mm less. 1.1 coin widths are 20.955 mm.
    """
    (near,), (far,) = found([], put("moons", 0.0, -200.0)), found([], put("moons", 0.0, -190.0))
    assert (near.met, *figures(near, "gap_mm", "at_most_mm")) == (
        True,
        19.07,
        pytest.approx(20.955, abs=0.006),
    )
    assert (far.met, *figures(far, "gap_mm")) == (False, pytest.approx(29.07, abs=0.006))


def test_a_coin_goes_back_to_the_spot_on_the_edge() -> None:
    """It left at y = 400 mm. Without a known edge, the distance from there decides: at most half a
    coin width (9.525 mm).
    """
    (near,), (far,) = (
        found([M, fall("moons"), rest()], put("moons", 0.0, y)) for y in (395.0, 380.0)
    )
    assert (near.met, *figures(near, "from_the_edge_mm", "at_least_mm", "at_most_mm")) == (
        True,
        5.0,
        0.0,
        pytest.approx(9.525, abs=0.006),
    )
    assert (far.met, *figures(far, "from_the_edge_mm")) == (False, 20.0)
    (inset,) = found([M, fall("moons"), rest()], put("moons", 0.0, 380.0), inset=True)
    assert (inset.met, *figures(inset, "at_least_mm")) == (True, 19.05)


def test_after_an_illegal_entry_it_goes_back_to_where_it_lay() -> None:
    before = [
        rest(moons=[0.0, -200.0]),
        M,
        cross("moons", "gate-suns", "in"),
        rest(moons=[-100.0, 0.0]),
    ]
    (near,), (far,) = (found(before, put("moons", x, -200.0)) for x in (5.0, 12.0))
    assert (near.met, *figures(near, "from_where_it_lay_mm")) == (True, 5.0)
    assert (far.met, *figures(far, "from_where_it_lay_mm")) == (False, 12.0)


def test_a_croquet_puts_the_knight_beside_its_guard() -> None:
    """The guard lies at the origin. Centres 30 mm apart are rims 10.95 mm apart."""
    before = [*OFF_DUTY, M, hit("moons", "ace"), rest(ace=[0.0, 0.0], moons=[60.0, 0.0])]
    lies, declared, two = found([*before, said("croquet", option=2)], put("moons", 30.0, 0.0))
    assert (lies.met, declared.met, two.met, *figures(two, "gap_mm")) == (False, True, True, 10.95)
    *_, three = found([*before, said("croquet", option=3)], put("moons", 30.0, 0.0))
    assert (three.met, *figures(three, "gap_mm", "at_most_mm")) == (
        False,
        10.95,
        pytest.approx(1.905, abs=0.006),
    )
    lies, declared = found(before, put("moons", 30.0, 0.0))
    assert (lies.met, declared.met, *figures(lies, "moved_mm")) == (False, False, 30.0)


def test_nothing_counts_after_the_end() -> None:
    over = [said("agreed", winner="Ann")]
    (clause,) = found(over, M)
    assert clause.met is False


def test_nobody_asks_about_an_unseen_prisoner() -> None:
    """Ben's guard lies on duty in his castle: Ann's knight strikes it there and is a prisoner."""
    struck = [*IN_SUNS, hit("moons", "2"), rest(), G]
    hidden = {"entry": "incident", "kind": "unseen", "from_s": 1.0, "to_s": 2.0}
    for pieces, asked in ((["moons"], NO), (["moons", "arms"], YES), (["ace"], YES)):
        assert found(struck, {**hidden, "pieces": pieces})[-1].met is asked
