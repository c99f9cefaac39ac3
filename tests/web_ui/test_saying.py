"""What players say, roll and move, entered with buttons and choices on the page of each game, in a
real browser.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.chromium import Page
from tests.commands.records import written
from tests.record.matches import setup
from tests.web_ui.followed import PHONE, Show, count, record, text
from tests.web_ui.pressing import choose, entered, lines_of, open_rulings, pick, press


def until_croquet(path: Path) -> None:
    """Cut a script off before its croquet is announced."""
    lines = path.read_text().splitlines(keepends=True)
    place = next(i for i, line in enumerate(lines) if json.loads(line).get("kind") == "croquet")
    path.write_text("".join(lines[:place]))


ROUTE_TOLD = "document.querySelector('.route-told').innerText"


@pytest.fixture
def lawn(show: Show, tmp_path: Path) -> Iterator[tuple[Page, Path]]:
    """Return a match of Croquet for piecepack in which nothing has happened."""
    path = record(tmp_path, "piecepack-croquet", "disaster-straight-n", 1)
    yield show(path), path


def test_a_shot_is_placed_announced_rolled_and_decided_with_buttons_alone(
    lawn: tuple[Page, Path],
) -> None:
    page, path = lawn
    press(page, "on 3, 0")
    assert (
        entered(page, path, 2).items()
        >= {"kind": "moved", "pawn": "black", "from": None, "to": [3, 0]}.items()
    )
    for way in ("up", "up", "up and right"):
        press(page, way)
    page.until(
        f"{ROUTE_TOLD}.replaceAll('\\u00a0', ' ') === '2 steps up, 1 step up and right: to 4, 3'"
    )
    assert page.run("document.querySelectorAll('.table-route').length") == 1
    # Two directions at most: after up and up-right, only these.
    assert page.run(
        "[...document.querySelectorAll('.route-arrow')].filter((one) => one.ariaDisabled !=="
        " 'true').map((one) => one.ariaLabel)"
    ) == ["up", "up and right"]
    press(page, "Announce it")
    assert entered(page, path, 3)["route"] == [[3, 1], [3, 2], [4, 3]]
    press(page, "blank")
    assert (
        entered(page, path, 4).items() >= {"kind": "rolled", "die": "roll", "face": "null"}.items()
    )
    choose(page, "on 3, 2")
    press(page, "Confirm")
    last = entered(page, path, 5)
    assert (last["kind"], last["player"], last["choice"]) == (
        "disaster",
        "Dee",
        {"kind": "stop", "at": [3, 2]},
    )  # the player who played before Ann decides


def test_a_special_shot_is_played_instead_of_a_roll(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "piecepack-croquet", "disaster-straight-n", 3)
    page = show(path)
    press(page, "special shot 5")
    assert (
        entered(page, path, 4).items()
        >= {"kind": "special_shot", "coin": "moons-5", "player": "Ann"}.items()
    )
    page.until("document.querySelectorAll('.course-row[data-coin=black] .fact-shot').length === 4")


def test_a_follow_through_is_announced_and_its_disaster_decided(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "piecepack-croquet", "croquet-disaster-follow-through-both")
    until_croquet(path)
    page, before = show(path), lines_of(path)
    choose(page, "follow-through")
    choose(page, "↑ up")
    pick(page, "3")
    pick(page, "45° right")
    press(page, "Announce it")
    last = entered(page, path, before + 1)
    assert {
        name: last[name] for name in ("stroke", "direction", "distance", "follow_direction")
    } == {"stroke": "follow-through", "direction": "n", "distance": 3, "follow_direction": "ne"}
    press(page, "blank")
    entered(page, path, before + 2)
    choose(page, "↖ up and left 3")
    choose(page, "→ right")
    press(page, "Confirm")
    assert entered(page, path, before + 3)["choice"] == {
        "kind": "ball",
        "direction": "nw",
        "distance": 3,
        "own_direction": "e",
    }


def test_dice_and_a_move_of_wickets_are_entered_step_by_step(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "wickets-six", "whole-game", 1)
    page = show(path)
    press(page, "2")
    entered(page, path, 2)
    page.until("document.querySelector('#say .side-title').innerText === 'The second die shows'")
    press(page, "1")
    entered(page, path, 3)
    for way in ("north", "north", "east"):
        press(page, way)
    press(page, "Take the last step back")
    press(page, "north")
    press(page, "Move")
    last = entered(page, path, 4)  # from the start space (5, 4) through wicket 1 at (5, 5)
    assert (last["kind"], last["pawn"], last["from"], last["to"], last["path"]) == (
        "moved",
        "blue",
        None,
        [5, 7],
        [[5, 5], [5, 6], [5, 7]],
    )
    page.until("document.querySelector('.call-wicket_scored')")


def test_a_move_that_the_dice_do_not_allow_is_refused_in_one_line_and_not_written(
    show: Show, tmp_path: Path
) -> None:
    path = record(tmp_path, "wickets-six", "whole-game", 3)  # both dice are thrown, and show 6
    before = path.read_text()
    page = show(path)
    press(page, "north")
    page.until("document.querySelector('.route-left').innerText.startsWith('11 spaces left')")
    assert page.run("document.querySelector('.route-moves .button').disabled")
    press(page, "east")
    page.until("document.querySelector('.route-why').innerText")
    why = text(page, ".route-why")
    assert why.endswith("the dice 6 and 6 do not allow this path.") and "\n" not in why
    assert path.read_text() == before


def test_a_roqueted_ball_is_croqueted_or_the_continuation_taken(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "wickets-six", "roquet")
    page, before = show(path), lines_of(path)
    page.until("document.querySelector('#say .side-title')?.innerText === 'Ben chooses'")
    choose(page, "→ east")
    press(page, "Croquet")
    last = entered(page, path, before + 1)
    assert (last["kind"], last["pawn"], last["direction"], last["player"]) == (
        "croquet",
        "blue",
        "e",
        "Ben",
    )
    assert text(page, "#say .side-title") == "The first die shows"


def test_a_croquet_of_castle_croquetnole_is_declared(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "castle-croquetnole", "croquet-1-not-moved")
    until_croquet(path)
    page, before = show(path), lines_of(path)
    page.until("document.querySelectorAll('#say .button').length >= 5")
    press(page, "3: loose croquet")
    last = entered(page, path, before + 1)
    assert (last["kind"], last["option"], last["player"]) == ("croquet", 3, "Ann")
    page.until("document.querySelector('.call-croquet_declared')")


def test_lines_of_tiles_are_held_down_by_both_players_of_carroms(
    show: Show, tmp_path: Path
) -> None:
    path = record(tmp_path, "carroms", "whole-game", 1)
    page = show(path)
    page.until("document.querySelectorAll('#say .say-hold').length === 2")
    page.run("document.querySelector('#say details').open = true")
    page.run(
        "[...document.querySelectorAll('#say .say-hold')][1].querySelectorAll('.choice')[0].click()"
    )
    page.run(
        "[...document.querySelectorAll('#say .say-hold')][1].querySelectorAll('.choice')[2].click()"
    )
    press(page, "Ben holds these")
    last = entered(page, path, 2)
    assert (last["kind"], last["player"], last["walls"]) == ("hold", "Ben", ["N", "S"])
    page.until("document.querySelectorAll('.tile-held').length === 12")  # six tiles a line
    page.run(
        "[...document.querySelectorAll('#say .say-hold')][0].querySelectorAll('.choice')[0].click()"
    )
    page.run(
        "[...document.querySelectorAll('#say .say-hold')][0].querySelectorAll('.choice')[1].click()"
    )
    press(page, "Ann holds these")
    page.until(
        "document.querySelector('#say .answer-message').innerText.includes('at most one line')"
    )
    assert lines_of(path) == 2


def test_of_several_coins_hit_the_one_that_is_meant_is_chosen(show: Show, tmp_path: Path) -> None:
    path = written(
        tmp_path / "record.jsonl",
        setup(3),
        "flick moons",
        "hit moons suns",
        "hit moons arms",
        "rest",
    )
    page = show(path)
    choose(page, "Cyd's coin (arms)")
    press(page, "Move beside it and")
    last = entered(page, path, 6)
    assert (last["kind"], last["option"], last["coin"], last["player"]) == (
        "after_hit",
        4,
        "arms",
        "Ann",
    )
    assert text(page, "#say .side-title") == "Ann may choose again"


def test_a_call_is_challenged_and_something_missed(show: Show, tmp_path: Path) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), "flick moons", "cross moons 1 out", "rest")
    page = show(path)
    page.until("document.querySelector('.call-wicket_scored .look-button')")
    page.run("document.querySelector('.call-wicket_scored .look-button').click()")
    page.until("document.querySelector('dialog select[aria-label=\"Who challenges\"]')")
    button = "[...document.querySelectorAll('dialog button')].find((one) => one.innerText === {!r})"
    assert page.run(button.format("Challenge it") + ".disabled")  # nobody is preselected
    pick(page, "Ben", "dialog")
    press(page, "Challenge it", "dialog")
    last = entered(page, path, 5)
    assert (last["kind"], last["on"], last["player"]) == ("challenge", "i2", "Ben")
    page.run("document.querySelector('dialog .look-close').click()")
    open_rulings(page)
    pick(page, "Ann", "#rulings")
    press(page, "The referee missed something", "#rulings")
    last = entered(page, path, 6)
    assert (last["kind"], last.get("on"), last["player"]) == ("challenge", None, "Ann")


def test_a_team_can_be_agreed_to_have_won(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "wickets-six", "whole-game", 1)
    page = show(path)
    page.until("document.querySelector('#rulings select')")
    open_rulings(page)
    pick(page, "all agree: team B has won (Ben, Dee)", "#rulings")
    press(page, "End the match", "#rulings")
    press(page, "Yes, end the match", "#rulings")
    page.until("document.querySelector('.turn-won')")
    assert json.loads(path.read_text().splitlines()[-1])["winner"] == ["Ben", "Dee"]


STATES = [
    ("piecepack-croquet", "disaster-straight-n", 2),
    ("wickets-six", "whole-game", 3),
    ("carroms", "whole-game", 1),
]


@pytest.mark.parametrize(("game", "name", "lines"), STATES)
def test_on_a_phone_everything_to_press_is_large_enough_for_a_finger(
    show: Show, tmp_path: Path, game: str, name: str, lines: int
) -> None:
    page = show(record(tmp_path, game, name, lines))
    page.resize(*PHONE, phone=True)
    page.until(
        "innerWidth === 390 && document.querySelectorAll('#say button, #say summary').length"
    )
    page.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    pressed = (
        "[...document.querySelectorAll('button, select, summary, label.choice')].filter((one) =>"
        " one.checkVisibility())"
    )
    boxes = f"{pressed}.map((one) => [one.innerText, one.getBoundingClientRect()])"
    assert (
        page.run(
            f"{boxes}.filter(([, box]) => box.height < 40 || box.width < 40).map(([words]) =>"
            " words)"
        )
        == []
    )
    assert count(page, "#say button, #say summary") > 0
