"""Every game's record on the page, in a real browser: drawn with what belongs to it, told in its
own words, answered and ruled on.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from benchmarks.chromium import Page
from referee import cli
from referee.desk.feed import Feed
from referee.desk.server import serve
from tests.commands.records import written
from tests.record.matches import setup
from tests.web_ui.followed import LAPTOP, MATCHES, PHONE, TELEVISION, Show, count, record, text
from tests.web_ui.pressing import open_rulings, pick, press
from web_ui.pages import create_app

GAMES: list[tuple[str, str, dict[str, int], tuple[str, ...]]] = [
    (
        "tabletop-croquet",
        "whole-game",
        {".wicket": 9, ".post-letter": 2, ".course-row:first-child .step": 16},
        ("Ann", "flick left"),
    ),
    # Four castles, each with gate and door; two coins to a player, the guard on duty as long as it
    # has not gone out.
    (
        "castle-croquetnole",
        "whole-game",
        {
            ".castle": 4,
            ".gate": 4,
            ".wicket": 8,
            ".tower-mark": 4,
            ".course-row:first-child .step": 15,
        },
        (
            "flick left",
            "next gate of",
            "knight in the castle of",
            "guard",
            "on duty",
            "Next: gate of moons, outwards",
        ),
    ),
    (
        "carroms",
        "whole-game",
        {".pocket": 4, ".rack": 13, ".tile": 24, ".course-row:first-child .step": 6},
        ("6 coins left", "the black coin is not live yet"),
    ),
    (
        "piecepack-croquet",
        "whole-game",
        {
            ".hoop": 6,
            ".stake": 1,
            ".lawn-start": 3,
            ".hoop-next": 1,
            ".target": 3,
            ".course-row:first-child .step": 7,
        },
        ("team A", "black ball", "Place the ball on", "special shots", "Next: hoop 1"),
    ),
    (
        "wickets-six",
        "whole-game",
        {".hoop": 6, ".stake": 1, ".hoop-next": 1, ".course-row:first-child .step": 13},
        ("team A", "Roll both dice.", "wicket 1 (1A)"),
    ),
    (
        "wickets-nine",
        "whole-game-in-one-turn",
        {".hoop": 9, ".stake": 2, ".hoop-next": 1, ".course-row:first-child .step": 16},
        ("Roll both dice.", "Next: wicket 1"),
    ),
]


@pytest.mark.parametrize(("game", "name", "drawn", "told"), GAMES, ids=[game for game, *_ in GAMES])
def test_a_match_that_has_only_begun_has_all_that_belongs_to_its_game(
    show: Show, tmp_path: Path, game: str, name: str, drawn: dict[str, int], told: tuple[str, ...]
) -> None:
    page = show(record(tmp_path, game, name, 1))
    page.until("document.querySelector('.table-still') && document.querySelector('.course-row')")
    assert {selector: count(page, selector) for selector in drawn} == drawn
    shown = text(page, ".court")
    assert [words for words in told if words not in shown] == []
    for width, height in (PHONE, LAPTOP, TELEVISION):
        page.resize(width, height, phone=width == PHONE[0])
        page.until(f"innerWidth === {width}")
        page.settle()
        assert page.run("document.documentElement.scrollWidth") <= width
        top, bottom = page.run(
            "(({ top, bottom }) => [top,"
            " bottom])(document.querySelector('.table-still').getBoundingClientRect())"
        )
        assert 0 < top < bottom <= height


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, name, *_ in GAMES])
def test_when_the_match_is_over_the_winner_stands_in_the_place_of_the_turn(
    show: Show, tmp_path: Path, game: str, name: str
) -> None:
    path = record(tmp_path, game, name)
    winner = json.loads((MATCHES / game / f"{name}.expected.json").read_text())["expect"]["winner"]
    page = show(path)
    page.until("document.querySelector('.turn-won')")
    names = winner if isinstance(winner, list) else [winner]
    assert text(page, ".turn-name") == (
        f"{names[0]} wins" if len(names) == 1 else f"{' and '.join(names)} win"
    )
    assert (
        page.run(
            "[...document.querySelectorAll('.is-winner .course-name')].map((name) =>"
            " name.textContent)"
        )
        == names
    )
    assert count(page, ".wicket-next, .hoop-next, .target") == 0


@pytest.mark.parametrize(
    ("game", "name", "told"),
    [
        ("tabletop-croquet", "poison-at-once", "First take away Ben's coin."),
        (
            "carroms",
            "against-striker-striker",
            "place red coin 1 back near the centre, as the penalty",
        ),
        ("castle-croquetnole", "croquet-1-not-moved", "Flick the knight or the guard, or pass."),
        (
            "piecepack-croquet",
            "croquet-disaster-follow-through-both",
            "Dee decides what becomes of it.",
        ),
        ("wickets-six", "alive-after-a-wicket", "Choose: continuation or pass."),
    ],
)
def test_what_must_be_done_next_is_said_as_players_say_it(
    show: Show, tmp_path: Path, game: str, name: str, told: str
) -> None:
    page = show(record(tmp_path, game, name))
    page.until(f"document.querySelector('.turn-now')?.innerText.includes({told!r})")


def test_what_came_first_is_asked_in_the_words_of_the_game(show: Show, tmp_path: Path) -> None:
    page = show(
        record(tmp_path, "castle-croquetnole", "order-unknown")
    )  # Ann's knight is moons, the ace her guard; Ben's guard is 2
    page.until("document.querySelectorAll('.notice-question .button').length === 2")
    asked = page.run(
        "[...document.querySelectorAll('.notice-question .button')].map((button) =>"
        " button.innerText)"
    )
    assert asked == [
        "First: Ann's knight crosses the door of suns",
        "First: Ann's knight hits Ben's guard",
    ]


@pytest.mark.parametrize(
    ("game", "lines"), [("carroms", 40), ("wickets-six", 60), ("castle-croquetnole", 40)]
)
def test_beside_a_tall_board_the_players_are_written_large_and_nothing_is_cut(
    show: Show, tmp_path: Path, game: str, lines: int
) -> None:
    page = show(record(tmp_path, game, "whole-game", lines))
    for width, height in (LAPTOP, TELEVISION):
        page.resize(width, height)
        page.until(f"innerWidth === {width} && document.querySelector('.course-row')")
        page.settle()
        cut = (
            "[...document.querySelectorAll('.course-name, .course-row .step')].filter((one) =>"
            " one.scrollWidth > one.clientWidth).length"
        )
        page.until(f"{cut} === 0")
        assert (
            page.run(
                "(({ scrollHeight, clientHeight }) => scrollHeight -"
                " clientHeight)(document.getElementById('course'))"
            )
            <= 0
        )
    if game == "carroms":  # two rows have room to spare
        assert (
            page.run(
                "parseFloat(getComputedStyle(document.querySelector('.course-name')).fontSize)"
            )
            >= 40
        )


def test_a_prisoner_and_its_castle_are_told(show: Show, tmp_path: Path) -> None:
    page = show(
        record(tmp_path, "castle-croquetnole", "guard-hits-knight")
    )  # the guard of suns takes Ann's knight prisoner
    page.until("document.querySelector('.course-row')")
    assert "prisoner in the castle of" in text(
        page, ".course-row[data-coin=moons]"
    ) and "suns" in text(page, ".course-row[data-coin=moons] .fact-bad")
    assert text(page, ".course").count("prisoner") == 1


def test_a_pawn_stands_in_its_space_and_the_next_wicket_has_its_arrow(
    show: Show, tmp_path: Path
) -> None:
    players = [{"name": "Ann", "pawn": "blue"}, {"name": "Ben", "pawn": "red"}]
    first = {
        "entry": "setup",
        "format": "piecepack-match/1",
        "game": "wickets-nine",
        "players": players,
    }
    rolled = [
        {"entry": "incident", "kind": "rolled", "die": die, "face": 1} for die in ("die-1", "die-2")
    ]
    # From the start space (7, 3) two spaces on, through wicket 1 at (7, 4): wicket 2 at (7, 6),
    # northwards, is next.
    move = {
        "entry": "incident",
        "kind": "moved",
        "pawn": "blue",
        "from": None,
        "to": [7, 5],
        "path": [[7, 4], [7, 5]],
    }
    page = show(written(tmp_path / "record.jsonl", first, *rolled, move))
    page.until("document.querySelector('.piece')")
    assert page.run("document.querySelector('.piece').getAttribute('transform')").startswith(
        "translate(165 -114.5)"
    )  # 6.5 and 4.5 times 25.4, to half a mm
    assert page.run("document.querySelector('.hoop-next .hoop-number').textContent") == "2"
    assert (
        page.run("document.querySelector('.hoop-next .way-next').getAttribute('transform')")
        == "rotate(0)"
    )
    assert text(page, ".course-row.is-active .course-count strong") == "1"


def test_a_coin_that_has_moved_since_is_not_drawn_as_if_it_lay_there(
    show: Show, tmp_path: Path
) -> None:
    page = show(
        written(tmp_path / "record.jsonl", setup(2), "rest moons 100 0 suns 200 50", "flick moons")
    )
    page.until("document.querySelectorAll('.piece').length === 2")
    marked = (
        "[...document.querySelectorAll('.coin-unseen')].map((mark) =>"
        " mark.closest('.piece').querySelector('[data-coin]').dataset.coin)"
    )
    assert page.run(marked) == ["moons"]
    assert "place not known" in text(page, ".course-row[data-coin=moons]")
    assert "place not known" not in text(page, ".course-row[data-coin=suns]")


def test_where_the_record_says_nothing_of_places_the_page_says_so(
    show: Show, tmp_path: Path
) -> None:
    page = show(record(tmp_path, "carroms", "whole-game", 1))
    page.until(
        "document.getElementById('board-note').innerText.includes('does not say where the coins"
        " lie')"
    )


def test_a_rover_is_declared_on_the_page(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "tabletop-croquet", "rover-asked")
    page = show(path)
    page.until("[...document.querySelectorAll('.notice-question .button')].length === 2")
    page.run(
        "[...document.querySelectorAll('.notice-question .button')].find((button) =>"
        " button.innerText === 'Rover').click()"
    )
    page.until("!document.querySelector('.notice-question')")
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["entry"], last["kind"], last["coin"], last["player"]) == (
        "declaration",
        "rover",
        "moons",
        "Ann",
    )


def test_of_a_wrong_flick_the_coin_that_was_meant_is_named_on_the_page(
    show: Show, tmp_path: Path
) -> None:
    path = written(
        tmp_path / "record.jsonl", setup(3), "flick suns"
    )  # it is Ann's turn, whose coin is moons
    page = show(path)
    page.until("document.querySelector('.answer-other select')")
    assert page.run(
        "[...document.querySelectorAll('.answer-other option')].map((option) => option.value)"
    ) == ["moons", "arms"]
    page.run(
        "document.querySelector('input.answer-name').value = 'Cyd';"
        " document.querySelector('.answer-other .button').click()"
    )
    page.until("!document.querySelector('.notice-question')")
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["verdict"], last["on"], last["by"], last["replacement"]["coin"]) == (
        "replaced",
        "i1",
        "Cyd",
        "moons",
    )


def test_a_call_is_overturned_on_the_page_after_what_changes_was_seen(
    show: Show, tmp_path: Path
) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), "flick moons", "cross moons 1 out", "rest")
    page = show(path)
    page.until("document.querySelector('.call-wicket_scored .look-button')")
    page.run("document.querySelector('.call-wicket_scored .look-button').click()")
    page.until("document.querySelector('dialog .rule')")
    page.until("document.querySelector('.why-met')")  # and why it was called
    assert page.run("document.querySelector('.rule [type=submit]').disabled")
    page.run(
        "document.querySelector('.rule [name=by]').value = 'Ann'; document.querySelector('.rule"
        " [name=reason]').value = 'too short'"
    )
    page.run("document.querySelector('.rule .button-plain').click()")
    page.until("document.querySelector('.rule-change table')")
    assert "Ann passes wicket 1 and earns a flick." in text(page, ".difference-gone")
    assert len(path.read_text().splitlines()) == 4  # nothing is written yet
    page.run("document.querySelector('.rule [type=submit]').click()")
    page.until(
        "!document.querySelector('dialog') &&"
        " document.getElementById('rulings').textContent.includes('Ann overturns i2: too short')"
    )
    assert json.loads(path.read_text().splitlines()[-1])["by"] == "Ann"


def test_an_action_after_a_hit_is_declared_on_the_page_and_so_is_the_end(
    show: Show, tmp_path: Path
) -> None:
    path = written(
        tmp_path / "record.jsonl",
        setup(2),
        "flick moons",
        "cross moons 1 out",
        "rest",
        "flick moons",
        "rest",
        "flick suns",
        "cross suns 1 out",
        "hit suns moons",
        "rest",
    )
    page = show(path)
    page.until("document.querySelectorAll('#say .button').length === 3")
    assert text(page, "#say .side-title") == "Ben may say first"
    page.run(
        "[...document.querySelectorAll('#say .button')].find((button) =>"
        " button.innerText.startsWith('Flick it')).click()"
    )
    page.until("document.querySelector('.turn-now')?.innerText.includes(\"Flick Ann's coin\")")
    page.until(
        "document.querySelector('#say .side-title').innerText === 'Ben may still say'"
    )  # who has pressed the wrong button says otherwise
    assert not page.run(
        "[...document.querySelectorAll('#say .button')].some((button) =>"
        " button.innerText.startsWith('Flick it'))"
    )
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["kind"], last["option"], last["coin"], last["player"]) == (
        "after_hit",
        3,
        "moons",
        "Ben",
    )
    open_rulings(page)
    pick(page, "Ben concedes", "#rulings")
    press(page, "End the match", "#rulings")
    page.until("document.querySelector('.turn-won')")
    assert text(page, ".turn-name") == "Ann wins"


def in_a_shell(command: str, folder: Path) -> str:
    """Paste a command into a shell, in this folder; what it prints. It must succeed."""
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=env,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout


def commands(page: Page, where: str) -> list[str]:
    return list(
        page.run(
            f"[...document.querySelectorAll('{where} .command')].map((code) => code.textContent)"
        )
    )


def test_what_was_missed_is_added_by_the_command_that_the_page_names(
    show: Show, tmp_path: Path
) -> None:
    folder = tmp_path / "on saturday's table"
    folder.mkdir()
    path = written(folder / "record.jsonl", setup(2), "flick moons", "cross moons 1 out", "rest")
    page = show(path)
    page.until("document.querySelector('#rulings .command')")
    *examples, named, corrected = commands(page, "#rulings")
    words = shlex.split(named)[shlex.split(named).index("rule") :]
    assert words[:3] == ["rule", str(path), "i3"]
    for example in examples:  # each of them can be read, whatever the rules make of it
        (tmp_path / "missed.json").write_text(example)
        said = [str(tmp_path / "missed.json") if word == "missed.json" else word for word in words]
        assert cli.run([*said, "--dry-run"]) in (0, None)
    in_a_shell(named, tmp_path)
    first = json.loads(path.read_text().splitlines()[0])
    (tmp_path / "setup.json").write_text(
        json.dumps(
            {**first, "players": [{**first["players"][0], "name": "Anna"}, *first["players"][1:]]}
        )
    )
    in_a_shell(corrected, tmp_path)
    page.until("document.querySelector('.course-name').innerText === 'Anna'")
    assert [json.loads(line)["verdict"] for line in path.read_text().splitlines()[-2:]] == [
        "added",
        "replaced",
    ]


def test_the_command_for_an_entry_without_an_id_works_in_a_shell_too(
    show: Show, tmp_path: Path
) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), "flick moons", "cross moons 1 out", "rest")
    without = [
        {name: value for name, value in json.loads(line).items() if name != "id"}
        for line in path.read_text().splitlines()
    ]
    path.write_text("".join(json.dumps(entry) + "\n" for entry in without))
    page = show(path)
    page.until("document.querySelector('.call-wicket_scored .look-button')")
    page.run("document.querySelector('.call-wicket_scored .look-button').click()")
    page.until("document.querySelector('dialog .rule-more')")
    (tmp_path / "missed.json").write_text(json.dumps({**without[2], "line": "wicket-2"}))
    in_a_shell(commands(page, "dialog .rule-more")[-1], tmp_path)
    page.until("!document.querySelector('.call-wicket_scored')")
    assert json.loads(path.read_text().splitlines()[-1])["on"] == "#3"


def test_another_ruling_than_the_one_that_was_weighed_cannot_be_written(
    show: Show, tmp_path: Path
) -> None:
    page = show(
        written(tmp_path / "record.jsonl", setup(2), "flick moons", "cross moons 1 out", "rest")
    )
    page.until("document.querySelector('.call-wicket_scored .look-button')")
    page.run("document.querySelector('.call-wicket_scored .look-button').click()")
    page.until("document.querySelector('dialog .rule')")
    page.run("document.querySelector('.rule .button-plain').click()")
    page.until("!document.querySelector('.rule [type=submit]').disabled")
    page.run("document.querySelector('.rule [value=upheld]').click()")
    assert page.run("document.querySelector('.rule [type=submit]').disabled")
    assert text(page, ".rule-change") == ""


def test_a_wrong_line_is_replaced_on_the_page_by_the_one_that_was_crossed(
    show: Show, tmp_path: Path
) -> None:
    path = written(
        tmp_path / "record.jsonl",
        setup(2),
        "flick moons",
        "cross moons 2 out probability=0.97 margin_mm=1.5",
        "rest",
    )
    page = show(path)
    page.until("document.querySelector('.call-no_effect .look-button')")  # wicket 1 is Ann's next
    page.run("document.querySelector('.call-no_effect .look-button').click()")
    page.until("document.querySelector('dialog .rule')")
    assert not page.run("document.querySelector('.rule-other').checkVisibility()")
    page.run("document.querySelector('.rule [value=replaced]').click()")
    page.run(
        "document.querySelector('[aria-label=Line]').value = JSON.stringify('wicket-1');"
        " document.querySelector('.rule [name=by]').value = 'Ann'"
    )
    page.run(
        "document.querySelector('.rule [name=reason]').value = 'it was wicket 1';"
        " document.querySelector('.rule .button-plain').click()"
    )
    page.until("document.querySelector('.rule-change')?.innerText.includes('Ann passes wicket 1')")
    page.run("document.querySelector('.rule [type=submit]').click()")
    page.until("document.querySelector('.call-wicket_scored')")
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["on"], last["verdict"], last["by"]) == ("i2", "replaced", "Ann")
    # What was measured was measured of another line.
    assert last["replacement"] == {
        "entry": "incident",
        "kind": "line_crossed",
        "coin": "moons",
        "line": "wicket-1",
        "direction": "outward",
    }


def test_a_clip_that_is_missing_is_said_to_be(show: Show, tmp_path: Path) -> None:
    page = show(
        written(tmp_path / "record.jsonl", setup(2), "flick moons clip=clips/flick-0001.mkv")
    )
    page.until("document.querySelector('.look-button')")
    page.run("document.querySelector('.look-button').click()")
    page.until(
        "document.querySelector('dialog')?.innerText.includes('The clip is missing: there is no"
        " clips/flick-0001.mkv')"
    )
    assert not page.run("document.querySelector('.look-download').checkVisibility()")


def test_half_a_line_at_the_end_is_said_until_it_is_whole(show: Show, tmp_path: Path) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), "flick moons")
    line = (
        b'{"entry":"incident","kind":"line_crossed","coin":"moons",'
        b'"line":"wicket-1","direction":"outward"}\n'
    )
    page = show(path)
    with path.open("ab", buffering=0) as out:
        out.write(line[:30])
        page.until(
            "document.getElementById('attention').innerText.includes('last line (3) is not whole')"
        )
        out.write(line[30:])
    page.until(
        "document.querySelector('.call-wicket_scored') && !document.querySelector('.notice')"
    )


def test_two_pages_show_the_same(show: Show, tmp_path: Path) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), "flick moons")
    page = show(path)
    with Page(page.run("location.href")) as other:
        other.until("document.querySelector('.turn-name')")
        with path.open("ab") as out:
            out.write(
                b'{"entry":"incident","kind":"line_crossed","coin":"moons","line":"wicket-1","direction":"outward"}\n'
            )
        for one in (page, other):
            one.until("document.querySelector('.call-wicket_scored')")
        assert text(page, ".court") == text(other, ".court")


def test_an_empty_record_says_what_it_waits_for(show: Show, tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_bytes(b"")
    page = show(path)
    page.until(
        "document.querySelector('.court').innerText.includes('The record has no entry yet.')"
    )
    path.write_bytes((json.dumps(setup(2)) + "\n").encode())
    page.until("document.querySelector('.turn-name').innerText === 'Ann'")


def test_an_address_without_a_page_leads_to_the_match(show: Show, tmp_path: Path) -> None:
    page = show(written(tmp_path / "record.jsonl", setup(2)))
    page.open(page.run("location.href") + "nowhere")
    page.until("document.body?.innerText.includes('There is nothing at this address')")
    page.run("document.querySelector('a').click()")
    page.until("document.querySelector('.turn-name')?.innerText === 'Ann'")


def test_too_many_pages_are_told_so_and_not_that_the_referee_is_gone(window: Page) -> None:
    feed = Feed()
    server = serve(create_app(feed, listeners=1), listeners=1)
    try:
        window.open(server.url)
        window.until("document.readyState === 'complete'")
        with Page(server.url) as other:
            other.until(
                "document.getElementById('connection')?.innerText.includes('Too many pages')"
            )
    finally:
        window.open("about:blank")
        feed.close()
        server.close()
