"""What a route comes to while people enter it: where it may go on, what the ball passes and meets,
and why the rules do not allow it. Nothing of it is written.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.desk.entry_by_hand import routes_found
from referee.desk.messages import RouteFound, RoutesFound
from referee.domain.entry import Setup
from referee.domain.errors import InputError
from referee.record.reading import parse_record
from referee.replay.fold import Fold

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
Square = tuple[int, int]


def found(
    where: str, lines: int | None, route: list[Square], to: Square | None = None
) -> RoutesFound:
    """Return the routes after the first lines of a scripted match."""
    script = (MATCHES / f"{where}.jsonl").read_bytes().splitlines(keepends=True)[:lines]
    first, *entries = parse_record(b"".join(script))
    assert isinstance(first, Setup)
    folded = Fold(first)
    folded.push_all(entries)
    return routes_found(folded, route, to)


def only(*given: object) -> RouteFound:
    """Return the only route that is found."""
    (route,) = found(*given).routes  # type: ignore[arg-type]
    return route


def column(x: int, first: int, last: int) -> list[Square]:
    return [(x, y) for y in range(first, last + 1)]


#: Blue has thrown 6 and 6 and begins on the start space, (5, 4). Wicket 1 is above it, at (5, 5).
SIX_SIX = ("wickets-six/whole-game", 3)


def test_a_move_begins_in_each_direction_and_is_not_ready_before_the_dice_are_used() -> None:
    route = only(*SIX_SIX, [])
    assert sorted(route.next) == [(4, 4), (5, 3), (5, 5), (6, 4)]
    assert (route.down, route.left, route.ready, route.told) == ((5, 4), 12, False, [])


def test_a_wicket_is_told_once_the_ball_is_through_it() -> None:
    inside, through = only(*SIX_SIX, [(5, 5)]), only(*SIX_SIX, [(5, 5), (5, 6)])
    assert (inside.told, inside.left) == ([], 11)
    assert through.told == ["Ann's blue ball passes wicket 1 (1A): a point."]
    # The first die goes six spaces straight on.
    assert (through.left, through.next, through.ready) == (10, [(5, 7)], False)


def test_one_space_may_be_reached_by_either_die_first() -> None:
    routes = found(*SIX_SIX, [], (11, 10)).routes
    north_first = [*column(5, 5, 10), *((x, 10) for x in range(6, 12))]
    east_first = [*((x, 4) for x in range(6, 12)), *column(11, 5, 10)]
    assert {tuple(route.route) for route in routes} == {tuple(north_first), tuple(east_first)}
    assert all(route.ready and route.left == 0 and not route.next for route in routes)
    assert [bool(route.told) for route in sorted(routes, key=lambda one: one.route)] == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("route", "to"),
    [([(5, 5), (5, 4)], None), ([(5, 5), (6, 5)], None), ([], (12, 10)), ([], (5, 17))],
)
def test_what_the_dice_do_not_allow_is_said_in_the_words_of_the_rules(
    route: list[Square], to: Square | None
) -> None:
    none = found(*SIX_SIX, route, to)
    why = "Ann's blue ball may not make this move: the dice 6 and 6 do not allow this path."
    assert (none.routes, none.why) == ([], why)


def test_a_move_over_the_edge_ends_there_and_the_turn_with_it() -> None:
    edge = only(*SIX_SIX, [(5, 3), (5, 2), (5, 1)])  # three spaces south, and the dice say six
    assert edge.ready and not edge.next
    assert edge.told == ["Ann's blue ball reaches the boundary: the turn is over."]


def test_a_roquet_ends_a_move_one_space_before_the_ball() -> None:
    script = (MATCHES / "wickets-six" / "roquet.jsonl").read_text().splitlines()
    moves = [i for i, line in enumerate(script) if '"moved"' in line]
    path = parse_record(("\n".join(script) + "\n").encode())[moves[-1]].path
    route = only("wickets-six/roquet", moves[-1], list(path))
    assert route.ready and not route.next and route.left == 0
    assert route.down == path[-2] and "roquets" in route.told[-1]


#: Black stands on (3, 0). Hoop 1 is at (2, 2) and is run upwards.
AT_START = ("piecepack-croquet/disaster-straight-n", 2)


def test_a_shot_begins_in_each_direction_that_stays_on_the_lawn() -> None:
    route = only(*AT_START, [])
    assert sorted(route.next) == [(2, 0), (2, 1), (3, 1), (4, 0), (4, 1)]
    assert (route.ready, route.left, route.told) == (False, None, [])


def test_a_shot_says_how_difficult_it_is_and_which_hoop_it_runs() -> None:
    route = only(*AT_START, [(2, 1), (2, 2), (2, 3)])
    assert route.ready
    assert route.told[:2] == [
        "Difficulty 3: it succeeds with 3, 4, 5 or an ace.",
        "If it succeeds: Ann's black ball goes through hoop 1.",
    ]
    assert sorted(route.next) == [(1, 4), (2, 4)]  # up-left and up are used; nothing else may be


def test_a_hoop_on_the_slant_needs_a_second_roll() -> None:
    # From (4, 0): two steps up-left to the hoop at (2, 2), and one on.
    route = only(*AT_START, [(3, 1), (2, 2), (2, 3)])
    assert route.told[-1].endswith("a second roll decides whether it goes through.")


def test_beyond_the_die_only_an_ace_succeeds() -> None:
    route = only(*AT_START, column(3, 1, 6))
    assert route.told[0] == "Difficulty 6: it succeeds with only an ace."


def test_a_point_is_reached_on_the_slant_first_or_straight_first() -> None:
    routes = found(*AT_START, [], (5, 5)).routes
    slant_first = [(4, 1), (5, 2), (5, 3), (5, 4), (5, 5)]
    straight_first = [(3, 1), (3, 2), (3, 3), (4, 4), (5, 5)]
    assert [route.route for route in routes] == [slant_first, straight_first]


@pytest.mark.parametrize(
    ("route", "to", "why"),
    [
        ([(3, 1), (4, 1)], None, "a route may use at most two directions, 45 degrees apart"),
        ([(3, -1)], None, "the route leaves the lawn"),
        ([], (3, 10**9), "the route leaves the lawn"),
        ([(3, 3)], None, "every step of a route must go to one of the eight neighbouring"),
        ([(2, 1), (2, 2), (1, 2)], None, "at most two directions"),
    ],
)
def test_a_route_that_cannot_be_announced_says_why(
    route: list[Square], to: Square | None, why: str
) -> None:
    none = found(*AT_START, route, to)
    assert none.routes == [] and none.why.startswith("This shot cannot be played: ")
    assert why in none.why


def test_nothing_is_routed_where_no_ball_moves() -> None:
    assert found("wickets-six/whole-game", 1, []).why == "No move is expected now."
    assert "first the ball must be placed" in found(AT_START[0], 1, []).why
    with pytest.raises(InputError):
        found("carroms/whole-game", 1, [])
