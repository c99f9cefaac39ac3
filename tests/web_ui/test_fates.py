"""A call and what became of it stay together, and badges say what they count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from tests.commands.records import written
from tests.record.matches import setup
from tests.web_ui import scenes
from tests.web_ui.at_table import TableServer
from tests.web_ui.followed import Show, count, record, text
from tests.web_ui.pressing import open_rulings, pick, press

CROSSED = ("flick moons", "cross moons 1 out probability=0.97 margin_mm=1.5", "rest")


def test_an_overturned_call_is_struck_through_with_by_whom_and_why(
    show: Show, tmp_path: Path
) -> None:
    page = show(written(tmp_path / "record.jsonl", setup(2), *CROSSED, "overturned i2"))
    page.until("document.querySelector('#calls .call-overturned')")
    assert text(page, "#calls .call-overturned s") == "Ann's coin crosses wicket 1."
    assert text(page, "#calls .call-overturned .fate") == "It does not count"
    assert count(page, "#calls .call-wicket_scored") == 0


def test_an_overturned_call_stays_where_it_was_among_the_calls(show: Show, tmp_path: Path) -> None:
    page = show(written(tmp_path / "record.jsonl", setup(2), *CROSSED, "overturned i2"))
    page.until("document.querySelector('#calls .call-overturned')")
    told = "[...document.querySelectorAll('#calls > :not(#calls-end)')].map((row) => row.innerText)"
    told += ".map((words) => words.split('.')[0])"
    assert page.run(told) == [
        "It is Ben's turn, with one flick",
        "Ann's coin crosses wicket 1",
        "It is Ann's turn, with one flick",
    ]


def test_an_overturned_call_is_looked_at_as_before_and_its_ruling_is_taken_back_there(
    show: Show, tmp_path: Path
) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), *CROSSED, "overturned i2")
    page = show(path)
    page.until("document.querySelector('#calls .call-overturned .look-button')")
    page.run("document.querySelector('#calls .call-overturned .look-button').click()")
    page.until("document.querySelector('dialog .look-sure')")
    assert text(page, "dialog h2") == "Ann's coin crosses wicket 1."
    assert "1.5 mm" in text(page, "dialog .look-sure")  # what was measured
    assert "it does not count" in text(page, "dialog .fate").lower()
    press(page, "The ruling does not count", "dialog")
    press(page, "Ben decides", "dialog")
    page.until("document.querySelector('#calls .call-wicket_scored')")
    assert count(page, "#calls .call-overturned") == 0
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["verdict"], last["on"], last["by"]) == ("overturned", "r1", "Ben")


def test_an_open_look_hears_what_somebody_else_decides(show: Show, tmp_path: Path) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), *CROSSED)
    page = show(path)
    page.until("document.querySelector('#calls .call .look-button')")
    page.run("document.querySelector('#calls .call .look-button').click()")
    page.until("document.querySelector('dialog [value=overturned]')")
    ruling = {"entry": "ruling", "id": "r1", "on": "i2", "verdict": "overturned", "by": "Ann"}
    with path.open("a") as more:
        more.write(json.dumps({**ruling, "reason": "too short"}) + "\n")
    page.until("document.querySelector('dialog .fate')?.innerText.includes('too short')")
    assert text(page, "dialog [value=overturned]") == "The ruling does not count"


def test_a_flick_on_which_somebody_ruled_keeps_its_row_and_says_so(
    show: Show, tmp_path: Path
) -> None:
    """Ann's first flick has a call, and hers and Ben's then have none; Ben's is upheld."""
    others = ("flick moons", "rest", "flick suns", "rest", "flick moons")
    page = show(
        written(tmp_path / "record.jsonl", setup(2), *CROSSED, *others, "upheld i1", "upheld i6")
    )
    flicks = "[...document.querySelectorAll('#calls > .call-quiet')]"
    fates = f"{flicks}.filter((row) => row.querySelector('.fate'))"
    page.until(f"{fates}.length === 2")
    assert [line.split(".")[0] for line in page.run(f"{fates}.map((row) => row.innerText)")] == [
        "Ben flicks",
        "Ann flicks",
    ]
    assert "It stands" in page.run(f"{fates}[0].innerText")


def test_the_look_says_what_was_decided_and_no_longer_how_sure_the_camera_was(
    show: Show, tmp_path: Path
) -> None:
    page = show(written(tmp_path / "record.jsonl", setup(2), *CROSSED))
    look = "document.querySelector('#calls .call .look-button').click()"
    page.until("document.querySelector('#calls .call .look-button')")
    page.run(look)
    page.until("document.querySelector('dialog .look-sure')")
    assert "97 % sure" in text(page, "dialog")
    press(page, "It stands", "dialog")
    press(page, "Ann decides", "dialog")
    page.until("!document.querySelector('dialog') && document.querySelector('#calls .fate')")
    page.run(look)
    page.until("document.querySelector('dialog .look-sure')")
    assert "% sure" not in text(page, "dialog")
    assert text(page, "dialog .fate").startswith("Ann: it stands")


def test_how_sure_a_call_was_goes_when_a_person_has_decided(show: Show, tmp_path: Path) -> None:
    page = show(written(tmp_path / "record.jsonl", setup(2), *CROSSED, "upheld i2"))
    page.until("document.querySelector('#calls .call-wicket_scored .fate')")
    assert text(page, "#calls .call-wicket_scored .fate") == "It stands"
    assert count(page, "#calls .tag-unsure") == 0


def test_a_challenge_counts_down_and_is_settled_from_its_call(show: Show, tmp_path: Path) -> None:
    begun = setup(2) | {"options": {"challenges": 2}}
    path = written(tmp_path / "record.jsonl", begun, *CROSSED)
    challenge = {"entry": "declaration", "kind": "challenge", "on": "i2", "player": "Ben"}
    with path.open("a") as out:
        out.write(json.dumps({"id": "c1", **challenge}) + "\n")
    page = show(path)
    page.until("document.querySelector('#calls .call-wicket_scored .fate')")
    told = text(page, "#calls .call-wicket_scored .fate")
    assert told == "challenged by Ben, 1 challenge left: look and decide"
    page.run("document.querySelector('#calls .call-wicket_scored .look-button').click()")
    press(page, "It stands", "dialog")
    press(page, "Ann decides", "dialog")
    page.until(
        "document.querySelector('#calls .call-wicket_scored .fate').innerText.includes('Ann')"
    )


def test_who_challenges_a_call_in_the_look_sees_there_that_they_do(
    show: Show, tmp_path: Path
) -> None:
    begun = setup(2) | {"options": {"challenges": 2}}
    path = written(tmp_path / "record.jsonl", begun, *CROSSED)
    page = show(path)
    page.until("document.querySelector('#calls .call-wicket_scored .look-button')")
    page.run("document.querySelector('#calls .call-wicket_scored .look-button').click()")
    pick(page, "Ben (2 challenges left)", "dialog")
    page.run("document.querySelector('dialog').scrollTo(0, 9999)")
    press(page, "Challenge it", "dialog")
    page.until("document.querySelector('dialog .look-claim')")
    page.settle()
    told = "challenged by Ben, 1 challenge left: look and decide"
    assert (
        text(page, "dialog .look-claim") == f"{told} A ruling on this call settles the challenge."
    )
    assert text(page, "dialog .look-fate") == told
    bottom = "document.querySelector('.look-claim').getBoundingClientRect().bottom"
    assert page.run(f"{bottom} <= innerHeight")
    assert count(page, "dialog select.answer-name") == 0
    press(page, "It stands", "dialog")
    press(page, "Ann decides", "dialog")
    page.until("!document.querySelector('dialog')")


def test_badges_say_what_they_count(show: Show, tmp_path: Path) -> None:
    page = show(
        written(
            tmp_path / "record.jsonl",
            setup(2),
            "flick moons",
            "cross moons 1 out",
            "hit moons suns",
            "rest",
        )
    )
    page.until("document.querySelector('#calls .call-hit_scored')")
    badges = "[...document.querySelectorAll('#calls {} .chip')].map((one) => one.textContent)"
    told = [page.run(badges.format(f".call-{call}")) for call in ("wicket_scored", "hit_scored")]
    assert told == [["+earns 1 step", "+earns 1 flick"], ["+earns 2 flicks"]]


@pytest.mark.parametrize(
    ("where", "call", "badges"),
    [
        # Coins and balls that were knocked on make their step, and nobody earns a flick by it.
        ("tabletop-croquet/knocked-through", "wicket_scored", ["+earns 1 step"]),
        ("wickets-nine/croqueted-into-the-turning-stake", "stake_scored", ["+earns 1 step"]),
        ("piecepack-croquet/collision-knocks-through", "hoop_run", ["+earns 1 step"]),
        ("carroms/own-coin-by-opponent", "coin_pocketed", ["+earns 1 coin"]),
    ],
)
def test_a_badge_counts_each_games_own_steps(
    show: Show, tmp_path: Path, where: str, call: str, badges: list[str]
) -> None:
    page = show(record(tmp_path, *where.split("/")))
    page.until(f"document.querySelector('#calls .call-{call}')")
    told = f"[...document.querySelector('#calls .call-{call}').querySelectorAll('.chip')]"
    assert page.run(f"{told}.map((one) => one.textContent)") == badges


def test_a_coin_that_has_finished_has_no_flicks_left(show: Show, tmp_path: Path) -> None:
    # Ann hits Ben's coin, which earns two flicks, and then the left endpost: her coin has finished.
    page = show(record(tmp_path, "tabletop-croquet", "team-first-finisher", 4))
    page.until("document.querySelector('.turn-count')?.innerText === '2'")
    page = show(record(tmp_path, "tabletop-croquet", "team-first-finisher", 5))
    page.until("document.querySelector('.call-finished')")
    assert text(page, "#course").count("finished") == 1
    assert count(page, "#turn .turn-count") == 0


def test_a_recording_that_has_ended_leaves_no_flicks(
    window: Page, server: TableServer, feed: Feed
) -> None:
    scenes.publish(feed, "watching")
    window.open(server.url)
    window.until("document.querySelector('.turn-count')")
    feed.publish("doing", scenes.doing("finished", "Done", 1.0))
    window.until("document.querySelector('.phase-finished')")
    window.until("!document.querySelector('.turn-count')")


def test_ending_a_match_asks_first_and_nobody_is_preselected(show: Show, tmp_path: Path) -> None:
    page = show(written(tmp_path / "record.jsonl", setup(2), *CROSSED[:1], "rest"))
    open_rulings(page)
    end = (
        "[...document.querySelectorAll('#rulings button')].find((one) => one.innerText === 'End the"
        " match')"
    )
    page.until(end)
    assert page.run(f"{end}.disabled")
    pick(page, "Ben concedes", "#rulings")
    page.run(f"{end}.click()")
    assert "Is the match over: Ben concedes?" in text(page, "#rulings")
    assert not page.run("Boolean(document.querySelector('.turn-won'))")
