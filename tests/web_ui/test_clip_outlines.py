"""The page draws what was measured over a real clip, and opens a close call by itself."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from referee.session.watching import watch
from tests.clips.bundled import options, true_table, truth_of
from tests.web_ui.followed import PHONE, Show, text
from tests.web_ui.test_dispute import tap

CLIP = "pass-and-hit"
DRAWN = "document.querySelector('dialog .look-frames:not([hidden])')"
PAUSED = "document.querySelector('dialog video').paused && !document.querySelector('video').seeking"
#: Where a drawn part lies on the clip, as shares of the whole picture; the zoom does not matter.
MIDDLE = """((part, film) => [(part.left + part.width / 2 - film.left) / film.width,
  (part.top + part.height / 2 - film.top) / film.height])(
  document.querySelector('dialog {}').getBoundingClientRect(),
  document.querySelector('dialog .look-clip').getBoundingClientRect())"""
Closely = Callable[..., Path]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that a run over the clip wrote. Its coin suns passes wicket 1."""
    folder = tmp_path_factory.mktemp("watched")
    names = {n: tuple(c["mm"]) for n, c in truth_of(CLIP)["frames"][0]["coins"].items()}
    assert watch(options(CLIP, true_table(CLIP), folder, names_mm=names)) == 0
    return folder / "out"


@pytest.fixture
def closely(watched: Path, tmp_path: Path) -> Closely:
    """Return a function that copies the folder with other numbers for the passing of wicket 1, and
    with Ben, whose coin is suns, to begin. It returns the record.
    """

    def copied(**measured: float) -> Path:
        shutil.copytree(watched, tmp_path / "match")
        record = tmp_path / "match" / "record.jsonl"
        entries = [json.loads(line) for line in record.read_text().splitlines()]
        entries[0]["players"].sort(key=lambda player: player["coin"] != "suns")
        for entry in entries:
            if entry.get("line") == "wicket-1":
                entry.update(measured)
        record.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        return record

    return copied


CLOSE = {"margin_mm": 0.1, "sigma_mm": 0.4, "probability": 0.5}


def truth_px() -> tuple[float, float]:
    """Return where the camera saw suns as it crossed wicket 1, as shares of the picture."""
    truth = truth_of(CLIP)
    (crossed,) = (
        i for i in truth["incidents"] if i["kind"] == "line_crossed" and i.get("line") == "wicket-1"
    )
    seen = [frame["coins"]["suns"] for frame in truth["frames"]]
    before, after = next(
        (a, b) for a, b in pairwise(seen) if a["t_seen_s"] <= crossed["t_s"] <= b["t_seen_s"]
    )
    share = (crossed["t_s"] - before["t_seen_s"]) / (after["t_seen_s"] - before["t_seen_s"])
    x, y = (a + share * (b - a) for a, b in zip(before["px_top"], after["px_top"], strict=True))
    return (x + 0.5) / 1280, (y + 0.5) / 720


def test_a_close_call_opens_by_itself_at_the_picture_that_decided_it(
    show: Show, closely: Closely
) -> None:
    record = closely(**CLOSE)
    page = show(record)
    page.resize(*PHONE, phone=True)
    page.until(DRAWN)
    page.until(PAUSED)
    assert text(page, "dialog h2") == "Did Ben pass wicket 1?"
    assert text(page, "dialog .look-odds") == "0.1 mm, 50:50"
    # the coin's rim lies where the camera truly saw its upper side, and the zoom shows it
    assert page.run(MIDDLE.format(".look-rim")) == pytest.approx(truth_px(), abs=0.002)
    page.settle()
    assert page.run(
        "(({ left, right, top, bottom }, seen) => left > seen.left && right < seen.right &&"
        " top > seen.top && bottom < seen.bottom)"
        "(document.querySelector('dialog .look-rim').getBoundingClientRect(),"
        " document.querySelector('dialog .look-stage').getBoundingClientRect())"
    )
    page.until("document.querySelector('dialog .close-answers button:not(:disabled)')")
    tap(page, "dialog .close-answers button", "Yes")
    page.until("!document.querySelector('dialog')")
    page.until("document.querySelector('.call-wicket_scored')")
    last = json.loads(record.read_text().splitlines()[-1])
    assert (last["entry"], last["verdict"]) == ("ruling", "upheld")


def test_it_waits_while_somebody_chooses_something(show: Show, closely: Closely) -> None:
    record = closely(**CLOSE)
    setup, first, *flick = record.read_text().splitlines(keepends=True)
    record.write_text(setup + first)
    page = show(record)
    page.run(
        "document.body.append(document.createElement('input')); document.body.lastChild.focus()"
    )
    with record.open("a") as more:
        more.writelines(flick)
    page.until("document.querySelector('.notice-question')")
    page.run("new Promise((told) => setTimeout(told, 1500))")
    assert not page.run("Boolean(document.querySelector('dialog'))")
    page.run("document.body.lastChild.remove()")
    page.until("document.querySelector('dialog .close-answers')")


def test_one_goes_through_the_clip_picture_by_picture(show: Show, closely: Closely) -> None:
    page = show(closely(**CLOSE))
    page.until(DRAWN)
    page.until(PAUSED)
    number = "Number(document.querySelector('dialog .look-slider').value)"
    time = "document.querySelector('dialog video').currentTime"
    begin, at = page.run(number), page.run(time)
    page.run("document.querySelector('dialog .look-on').click()")
    page.until(f"{PAUSED} && {time} > {at} + 0.01")
    assert page.run(number) == begin + 1
    assert page.run(time) - at == pytest.approx(1 / 60, abs=0.002)
    for _ in range(3):
        page.run("document.querySelector('dialog .look-back').click()")
        page.until(PAUSED)
    assert page.run(number) == begin - 2
    slide = (
        "((slider) => { slider.value = 5; slider.dispatchEvent(new Event('input')); })"
        "(document.querySelector('dialog .look-slider'))"
    )
    page.run(slide)
    page.until(f"{PAUSED} && {time} < 0.2")
    page.run("document.querySelector('dialog .look-decided').click()")
    page.until(f"{PAUSED} && {number} === {begin}")


def test_an_older_folder_shows_its_clip_with_the_browsers_own_controls(
    show: Show, closely: Closely
) -> None:
    record = closely(**CLOSE)
    (record.parent / "clips" / "flick-0001.outlines.json").unlink()
    page = show(record)
    page.until("document.querySelector('dialog video')?.readyState >= 2")
    page.until("document.querySelectorAll('dialog .look-picture').length === 2")
    assert page.run("document.querySelector('dialog video').controls")
    assert page.run("document.querySelector('dialog .look-frames').hidden")
