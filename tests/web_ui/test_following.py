"""Every game's record on the page, in a real browser: drawn with everything that belongs to the
game and described in its own words, including what goes wrong with a record or a page.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from referee.desk.serving.server import serve
from tests.commands.records import written
from tests.record.matches import setup
from tests.web_ui.followed import LAPTOP, MATCHES, PHONE, TELEVISION, Show, count, record, text
from web_ui.pages import create_app

GAMES: list[tuple[str, str, dict[str, int], tuple[str, ...]]] = [
    (
        "tabletop-croquet",
        "whole-game",
        {".wicket": 9, ".post-letter": 2, ".course-row:first-child .step": 16},
        ("Ann", "flick left"),
    ),
    # Four castles, each with gate and door; two coins for each player; the guard is on duty until
    # it has gone out.
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
        {".pocket": 4, ".rack": 13, ".piece": 13, ".tile": 24, ".course-row:first-child .step": 6},
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
            "place red coin 1 back near the centre as the penalty",
        ),
        ("castle-croquetnole", "croquet-1-not-moved", "Flick the knight or the guard, or pass."),
        (
            "piecepack-croquet",
            "croquet-disaster-follow-through-both",
            "Dee decides about the disaster.",
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
    )  # Ann's knight is moons, the ace is her guard; Ben's guard is 2
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
    # From the start space (7, 3) two spaces on, through wicket 1 at (7, 4). Wicket 2 at (7, 6),
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
    page = show(record(tmp_path, "castle-croquetnole", "whole-game", 1))
    page.until(
        "document.getElementById('board-note').innerText.includes('does not say where the coins"
        " lie')"
    )


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
            "document.getElementById('attention').innerText.includes('line (3) is not complete')"
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
            out.write(b'{"entry":"incident","kind":"line_crossed","coin":"moons",')
            out.write(b'"line":"wicket-1","direction":"outward"}\n')
        for one in (page, other):
            one.until("document.querySelector('.call-wicket_scored')")
        assert count(page, ".asked :is(button, summary)") > 0
        assert count(other, ".asked :is(button, summary)") == 0  # it may only look
        for part in ("#turn", "#board", "#course", "#calls"):
            assert text(page, part) == text(other, part)


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
    server = serve(create_app(feed, listeners=1))
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
