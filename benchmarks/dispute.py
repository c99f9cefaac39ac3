"""Decides a dispute on the page, as fast as a person would, while a clip is refereed at its own
speed: `python -m benchmarks.dispute [--write FILE]`.

Three taps decide it: Look, "It does not count", "Ann decides". Two times are measured:

- `program`: what a person waits for, from a tap until its result is painted: the clip shows the
  call, the difference stands under it, the call is marked with what became of it.
- `dispute`: everything, at a person's pace. The script finds each button, moves to it and taps it
  as long as the keystroke-level model says (Card, Moran and Newell, 1980), watches the clip until
  the moment after the incident, and reads the difference as fast as people read on average
  (Brysbaert, 2019). The model's time for making up one's mind counts before the first tap only.
  Before the others, the script looks at the clip and at the difference.

The dispute is on the last wicket in the demo's clip, when the clip has been played, at each of
three sizes of screen.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Final

from benchmarks.arguments import Arguments
from benchmarks.chromium import Page
from benchmarks.machine import machine
from referee.commands.demo import demo_folder, surveyed

SIZES: Final = {"phone": (390, 844), "laptop": (1280, 800), "television": (1920, 1080)}
PROGRAM_BAR_S: Final = 1.5
DISPUTE_BAR_S: Final = 15.0
#: Making up one's mind to act; moving to a button, and pressing and releasing it, s.
MIND_S: Final = 1.35
BUTTON_S: Final = 1.1 + 2 * 0.1
#: The incident has been watched for so long after it happened, s of the clip's own time.
AFTER_S: Final = 0.25
#: Words that people read in a second: 238 a minute.
WORDS_PER_S: Final = 238 / 60
#: The page plays a clip from so long before the incident, s.
LEAD_S: Final = 0.5
WAIT_S: Final = 30.0
#: The clip has been refereed after so long, s.
PLAYED_S: Final = 60.0

#: Notes when the page was last tapped, and resolves when a condition holds and was painted.
NOTE_TAPS: Final = (
    "addEventListener('pointerdown', (event) => { window.tapped = event.timeStamp; }, true)"
)
PAINTED: Final = """new Promise((done) => {{
  const painted = () => requestAnimationFrame(() => setTimeout(() => done(performance.now())));
  const look = () => (({condition}) ? painted() : requestAnimationFrame(look));
  look();
}})"""
BUTTON: Final = (
    "[...document.querySelectorAll({selector!r})]"
    ".find((one) => one.checkVisibility() && one.innerText.startsWith({words!r}))"
)
MIDDLE: Final = (
    "(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])"
    "({button}.getBoundingClientRect())"
)

CALL: Final = "li.call-wicket_scored"
CLIP_SHOWS: Final = (
    "document.querySelector('dialog video')?.readyState >= 2"
    " && document.querySelector('dialog video').currentTime > 0"
    " && document.querySelector('dialog .dispute-verdicts button')"
)
DIFFERENCE_SHOWS: Final = (
    "document.querySelector('dialog .difference-gone')"
    " && document.querySelector('dialog .dispute-decide').checkVisibility()"
)
CALL_IS_MARKED: Final = (
    "!document.querySelector('dialog') && document.querySelector('#calls .fate')?.innerText"
    ".startsWith('Ann: it does not count')"
)
#: The text of the difference that people see.
DIFFERENCE: Final = (
    "(() => { const seen = document.querySelector('dialog .rule-change').cloneNode(true);"
    " seen.querySelectorAll('.unseen').forEach((one) => one.remove());"
    " return [...seen.querySelectorAll('th, td, h4, li')].map((one) => one.textContent).join(' ');"
    " })()"
)
WATCHED: Final = (
    "document.querySelector('dialog video').currentTime >= {until_s}"
    " || document.querySelector('dialog video').paused"
)


@dataclass
class Dispute:
    """How long one dispute took on a screen of one size.

    `size` names the screen. `waited_s` holds, for each tap, the seconds from the tap until its
    result was painted. `all_s` is how many seconds the whole dispute took. `words` is the number of
    words that the person read in the difference.
    """

    size: str
    waited_s: list[float] = field(default_factory=list)
    all_s: float = 0.0
    words: int = 0

    @property
    def program_s(self) -> float:
        return sum(self.waited_s)


class Person:
    """Taps what is on a page, at a person's pace."""

    def __init__(self, page: Page, dispute: Dispute) -> None:
        self.page, self.dispute = page, dispute

    def tap(self, selector: str, words: str, then: str) -> None:
        """Find a button, tap it, and wait until its result is painted: until the JavaScript
        condition `then` is true. Raises RuntimeError when the button is not in the window.
        """
        button = BUTTON.format(selector=selector, words=words)
        time.sleep(BUTTON_S)
        x, y = self.page.run(MIDDLE.format(button=button))
        if not self.page.run(f"document.elementFromPoint({x}, {y}) === {button}"):
            raise RuntimeError(f"{words!r} is not visible in the window")
        for kind in ("mousePressed", "mouseReleased"):
            self.page.send(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1
            )
        painted_ms = self.page.run(PAINTED.format(condition=then))
        self.dispute.waited_s.append((painted_ms - self.page.run("tapped")) / 1000)

    def watch_clip(self) -> None:
        """Watch the clip until a moment after the incident."""
        until_s = self.page.run("document.querySelector('dialog video').currentTime") + AFTER_S
        self.page.until(WATCHED.format(until_s=until_s + LEAD_S), WAIT_S)

    def read_difference(self) -> None:
        self.dispute.words = len(re.findall(r"\w+", str(self.page.run(DIFFERENCE))))
        time.sleep(self.dispute.words / WORDS_PER_S)


def decided(size: str, table: Path, pieces: Path, out: Path) -> Dispute:
    """Referee the demo's clip at its own speed, and decide a dispute on its last wicket."""
    dispute, (width, height) = Dispute(size), SIZES[size]
    folder = demo_folder()
    command = [sys.executable, "-m", "referee", "watch", str(folder / "clip.mp4")]
    command += ["--match", str(folder / "match.yaml"), "--table", str(table)]
    command += ["--pieces", str(pieces), "--out", str(out), "--realtime", "--stay", "--no-browser"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watch,
        Page(width=width, height=height, phone=size == "phone") as page,
    ):
        try:
            page.open(_entry_of(watch))
            _decide(Person(page, dispute))
        finally:
            watch.terminate()
    rulings = [json.loads(line) for line in (out / "record.jsonl").read_text().splitlines()]
    if not any(one.get("verdict") == "overturned" for one in rulings):
        raise RuntimeError(f"no ruling stands in {out / 'record.jsonl'}")
    return dispute


def _entry_of(watch: subprocess.Popen[str]) -> str:
    """Return the first address that the program prints for its own browser."""
    assert watch.stdout is not None
    for line in watch.stdout:
        if found := re.search(r"open this within .*: (http\S+)", line):
            return found[1]
    raise RuntimeError("the program printed no address")


def _decide(person: Person) -> None:
    page = person.page
    look = "#latest .look-button" if person.dispute.size == "phone" else f"{CALL} .look-button"
    page.until("document.body?.dataset.phase === 'finished'", PLAYED_S)
    page.until(BUTTON.format(selector=look, words="Look"), WAIT_S)
    page.run(NOTE_TAPS)
    page.settle()
    began_s = time.monotonic()
    time.sleep(MIND_S)
    person.tap(look, "Look", CLIP_SHOWS)
    person.watch_clip()
    person.tap("dialog .dispute-verdicts button", "It does not count", DIFFERENCE_SHOWS)
    person.read_difference()
    person.tap("dialog .dispute-decide button", "Ann decides", CALL_IS_MARKED)
    person.dispute.all_s = time.monotonic() - began_s


def report(disputes: list[Dispute]) -> list[str]:
    """Return the table, as lines."""
    lines = [f"{'screen':12} {'taps':>4} {'each, s':>16} {'program s':>10} {'dispute s':>10}"]
    for one in disputes:
        each = " ".join(f"{waited:.2f}" for waited in one.waited_s)
        lines.append(
            f"{one.size:12} {len(one.waited_s):4} {each:>16} {one.program_s:10.2f}"
            f" {one.all_s:10.1f}   ({one.words} words to read)"
        )
    return [*lines, f"bars: 3 taps, program {PROGRAM_BAR_S} s, dispute {DISPUTE_BAR_S:.0f} s"]


def kept(one: Dispute) -> bool:
    return len(one.waited_s) == 3 and one.program_s <= PROGRAM_BAR_S and one.all_s <= DISPUTE_BAR_S


def main() -> int:
    parser = Arguments("dispute", __doc__)
    parser.add_argument("--write", type=Path, help="write the table to this file")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    table, pieces = surveyed(demo_folder())
    with tempfile.TemporaryDirectory() as scratch:
        disputes = [decided(size, table, pieces, Path(scratch) / size) for size in SIZES]
    lines = [f"demo, {date.today()}, {machine()}, load {load:.1f} before", "", *report(disputes)]
    print("\n".join(lines))
    if given.write:
        given.write.write_text("\n".join(lines) + "\n")
    return 0 if all(kept(one) for one in disputes) else 1


if __name__ == "__main__":
    sys.exit(main())
