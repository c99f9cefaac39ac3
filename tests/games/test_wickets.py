"""Wickets, what scripted turns cannot show: every path of two dice, invalid boards, a throw without
a legal move.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from referee.domain.declaration import Continuation, Pass, WicketsCroquet
from referee.domain.entry import Player, Setup
from referee.domain.errors import InputError
from referee.domain.incident import Moved, Rolled
from referee.games import wickets
from referee.games.clauses import clauses_of
from referee.games.players import FieldError
from referee.games.wickets.board import template_board
from referee.games.wickets.routes import end_of, routes
from referee.games.wickets.state import Ball, State
from referee.record.setup_checks import check_setup
from referee.replay.adjudication import adjudicate
from tests.games.promises import read
from tests.games.wickets_play import setup_line

PAWNS = ("blue", "red", "black", "yellow", "green", "orange")


def nine(**balls: Ball) -> State:
    """Return nine-wicket play with six balls at given places."""
    players = tuple(Player(name=pawn, pawn=pawn) for pawn in PAWNS)
    state: State = wickets.setup(
        Setup(format="piecepack-match/1", game="wickets-nine", players=players)
    )
    return replace(state, balls=tuple(balls.get(pawn, Ball()) for pawn in PAWNS))


def thrown(state: State, one: int, other: int) -> State:
    for die, face in (("die-1", one), ("die-2", other)):
        state, *_ = wickets.apply(state, Rolled(id="i", die=die, face=face))
    return state


def test_two_dice_in_the_open_have_twenty_ways() -> None:
    """There are four ways straight on. Each of the two orders has four headings with two turns
    each: 4 + 2 * 4 * 2.
    """
    state = thrown(nine(blue=Ball(at=(4, 13))), 1, 2)
    assert len(routes(state)) == 20
    assert set(routes(state).values()) == {"played"}


def test_a_double_has_twelve_ways() -> None:
    assert len(routes(thrown(nine(blue=Ball(at=(4, 13))), 2, 2))) == 12


def test_a_path_ends_as_the_list_of_all_paths_says() -> None:
    state = thrown(nine(blue=Ball(at=(2, 5)), red=Ball(at=(2, 7)), black=Ball(at=(7, 5))), 3, 5)
    found = routes(state)
    assert {path: end_of(state, path) for path in found} == found
    assert (found[(2, 6), (2, 7)], found[(1, 5),]) == ("roquet", "boundary")
    assert found[(2, 4), (2, 3), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (7, 2)] == "stake"
    assert found[(3, 5), (4, 5), (5, 5), (5, 6), (5, 7), (5, 8), (5, 9), (5, 10)] == "played"
    assert end_of(state, ((2, 6),)) is None
    assert end_of(state, ((9, 9),)) is None


def enclosed() -> State:
    dead = frozenset({"red", "black", "yellow", "green"})
    around = {"red": (4, 14), "black": (4, 12), "yellow": (3, 13), "green": (5, 13)}
    return nine(
        blue=Ball(at=(4, 13), dead=dead), **{pawn: Ball(at=at) for pawn, at in around.items()}
    )


def test_between_dead_balls_no_move_is_legal_and_the_turn_may_be_passed() -> None:
    state = thrown(enclosed(), 1, 2)
    assert routes(state) == {}
    assert wickets.turn(state)["options"] == ["pass"]
    after, verdicts, _ = wickets.apply(state, Pass(id="p"))
    assert [verdict.call for verdict in verdicts] == ["turn_ended", "turn_began"]
    assert wickets.turn(after)["pawn"] == "red"


def test_one_way_out_is_a_legal_move() -> None:
    state = enclosed()
    state = replace(
        state,
        balls=tuple(
            replace(ball, at=(4, 20)) if ball.at == (4, 14) else ball for ball in state.balls
        ),
    )
    after, verdicts, _ = wickets.apply(thrown(state, 1, 2), Pass(id="p"))
    assert [verdict.what for verdict in verdicts] == ["pass_not_allowed"]
    assert wickets.turn(after)["expects"] == "move"


@pytest.mark.parametrize(
    ("game", "steps", "wickets_"), [("wickets-six", 13, 6), ("wickets-nine", 16, 9)]
)
def test_the_boards_have_their_courses(game: str, steps: int, wickets_: int) -> None:
    board = template_board(game)
    assert len(board.course) == steps
    assert len(board.wickets) == wickets_
    assert board.course[-1].heading is None


BOARD: dict[str, Any] = {
    "cols": 7,
    "rows": 7,
    "start": [4, 2],
    "stakes": {"stake": [4, 6]},
    "wickets": {"wicket-1": [4, 3]},
    "course": [["wicket-1", "n"], ["stake"]],
}


def test_a_board_of_the_users_own_is_read() -> None:
    setup = Setup(
        format="piecepack-match/1",
        game="wickets-nine",
        players=(Player(name="Ann", pawn="blue"),),
        layout=BOARD,
    )
    check_setup(setup)
    assert wickets.standings(wickets.setup(setup))[0]["next"] == "wicket-1"


@pytest.mark.parametrize(
    "wrong",
    [
        {"cols": None},
        {"cols": 2.5},
        {"cols": 3},
        {"start": [4]},
        {"start": [4, 3]},
        {"wickets": {"wicket-1": [4, 6]}},
        {"wickets": []},
        {"stakes": {}},
        {"course": []},
        {"course": [["wicket-1", "n"]]},
        {"course": [["wicket-2", "n"], ["stake"]]},
        {"course": [["wicket-1"], ["stake"]]},
        {"course": [["wicket-1", "up"], ["stake"]]},
        {"course": [["stake", "n"]]},
        {"course": [[]]},
        {"rows": True},
        {"start": [8, 1]},
    ],
)
def test_a_board_that_is_none_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(FieldError, match=r"^layout: "):
        check_setup(
            Setup(
                format="piecepack-match/1",
                game="wickets-nine",
                players=(Player(name="Ann", pawn="blue"),),
                layout={**BOARD, **wrong},
            )
        )


@pytest.mark.parametrize(
    ("winner", "fits"),
    [(["Ann", "Cyd"], True), (["Ann", "Ben"], False), ("Ann", False), (None, True)],
)
def test_in_six_wicket_a_team_is_who_plays_its_colours(winner: Any, fits: bool) -> None:
    lines = [
        setup_line("wickets-six", "AB", named=False),
        {"entry": "declaration", "kind": "agreed", "winner": winner},
    ]
    if fits:
        assert len(read(lines)) == 2
    else:
        with pytest.raises(InputError, match="winner"):
            read(lines)


def met(state: State, entry: Any) -> list[bool | None]:
    return [clause.met for clause in clauses_of("wickets-six", state, entry, upheld=False)]


def test_the_clauses_of_a_strike_say_which_held() -> None:
    """It is its turn, the dice are thrown, no dead ball is hit, and the dice allow the move. On the
    way north wicket 1 is next and passed, wicket 2 is next and not passed, so there is one shot
    more.
    """
    state = thrown(nine(blue=Ball(at=(7, 3)), red=Ball(at=(9, 3))), 1, 2)
    north = Moved(id="m", pawn="blue", from_=(7, 3), to=(7, 6), path=((7, 4), (7, 5), (7, 6)))
    assert met(state, north) == [True, True, True, True, True, True, True, False, True]
    west = Moved(id="m", pawn="blue", from_=(7, 3), to=(4, 3), path=((6, 3), (5, 3), (4, 3)))
    assert met(state, west) == [True, True, True, True, False]
    short = Moved(id="m", pawn="blue", from_=(7, 3), to=(7, 4), path=((7, 4),))
    assert met(state, short) == [True, True, True, False]
    assert met(state, replace(short, pawn="red")) == [False, True, False]
    dead = replace(
        state, balls=(replace(state.balls[0], dead=frozenset({"red"})), *state.balls[1:])
    )
    east = Moved(id="m", pawn="blue", from_=(7, 3), to=(8, 3), path=((8, 3), (9, 3)))
    assert met(dead, east) == [True, True, False, True]
    stake = Moved(id="m", pawn="blue", from_=(7, 3), to=(7, 3), path=((7, 2),))
    assert met(state, stake) == [True, True, True, True, False]


def test_the_clauses_of_what_is_said() -> None:
    state = thrown(nine(blue=Ball(at=(7, 5)), red=Ball(at=(9, 5))), 1, 2)
    assert met(state, Pass(id="p")) == [True, False]
    after, *_ = wickets.apply(
        state, Moved(id="m", pawn="blue", from_=(7, 5), to=(8, 5), path=((8, 5), (9, 5)))
    )
    assert met(after, WicketsCroquet(id="c", pawn="red", direction="n")) == [True, True]
    assert met(after, WicketsCroquet(id="c", pawn="black", direction="n", player="red")) == [
        False,
        False,
    ]
    assert met(after, Continuation(id="c")) == [True, True]
    assert met(state, Continuation(id="c")) == [True, False]


def test_a_player_alone_who_concedes_ends_the_match_without_a_winner() -> None:
    lines = [setup_line("wickets-nine", balls=1), {"entry": "declaration", "kind": "concede"}]
    result = adjudicate(read(lines))
    assert (result.status, result.winner) == ("won", None)
