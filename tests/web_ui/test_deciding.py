"""Players declare, rule and concede on the page of a record, or with the commands that the page
names.
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
from tests.commands.records import written
from tests.record.matches import setup
from tests.web_ui.followed import Show, record, text
from tests.web_ui.pressing import open_rulings, pick, press


def test_a_rover_is_declared_on_the_page(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "tabletop-croquet", "rover-asked")
    page = show(path)
    page.until("[...document.querySelectorAll('.notice-question .button')].length === 2")
    page.run(
        "[...document.querySelectorAll('.notice-question .button')].find((button) =>"
        " button.innerText === 'It becomes a rover').click()"
    )
    page.until("!document.querySelector('.notice-question')")
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["entry"], last["kind"], last["coin"], last["player"]) == (
        "declaration",
        "rover",
        "moons",
        "Ann",
    )


@pytest.mark.parametrize(
    ("seen", "probability", "others"),
    [("suns", None, ["moons", "arms"]), ("moons", 0.5, ["suns", "arms"])],
)
def test_of_a_flick_that_was_wrong_or_is_asked_about_the_right_coin_is_named_on_the_page(
    show: Show, tmp_path: Path, seen: str, probability: float | None, others: list[str]
) -> None:
    """It is Ann's turn, whose coin is moons."""
    flick = {"entry": "incident", "id": "i1", "kind": "flicked", "coin": seen}
    path = written(tmp_path / "record.jsonl", setup(3), flick | {"probability": probability})
    page = show(path)
    page.until("document.querySelector('.answer-other select')")
    assert (
        page.run(
            "[...document.querySelectorAll('.answer-other option')].map((option) => option.value)"
        )
        == others
    )
    page.run(
        "document.querySelector('input.answer-name').value = 'Cyd';"
        " document.querySelector('.answer-other .button').click()"
    )
    page.until(f"!document.querySelector('.answer-other option[value={others[0]}]')")
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["verdict"], last["on"], last["by"], last["replacement"]["coin"]) == (
        "replaced",
        "i1",
        "Cyd",
        others[0],
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
    page.run("document.querySelector('.rule [value=overturned]').click()")
    page.until("document.querySelector('.rule-change table')")
    assert text(page, ".difference-gone") == "this call"
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
    assert text(page, "#say .side-title") == "Ben may first choose"
    page.run(
        "[...document.querySelectorAll('#say .button')].find((button) =>"
        " button.innerText.startsWith('Flick it')).click()"
    )
    page.until("document.querySelector('.turn-now')?.innerText.includes(\"Flick Ann's coin\")")
    page.until(
        "document.querySelector('#say .side-title').innerText === 'Ben may choose again'"
    )  # a player who has pressed the wrong button says so
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
    press(page, "Yes, end the match", "#rulings")
    page.until("document.querySelector('.turn-won')")
    assert text(page, ".turn-name") == "Ann wins"


def in_a_shell(command: str, folder: Path) -> str:
    """Run a command in a shell, in this folder, and return what it prints. It must succeed."""
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
    page.run("document.querySelector('.rule [value=overturned]').click()")
    page.until("!document.querySelector('.rule [type=submit]').disabled")
    page.run("document.querySelector('.rule [value=replaced]').click()")
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
    # The measurements belong to another line.
    assert last["replacement"] == {
        "entry": "incident",
        "kind": "line_crossed",
        "coin": "moons",
        "line": "wicket-1",
        "direction": "outward",
    }
