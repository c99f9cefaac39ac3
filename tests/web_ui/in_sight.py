"""Which enabled controls of the page lie outside the window, so that people must scroll the page to
them.

    python -m tests.web_ui.in_sight      # every state of every whole game; a line for each miss
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord
from referee.library.archive import MatchFolder
from tests.web_ui.at_table import serve_table
from tests.web_ui.followed import MATCHES

#: A phone whose browser shows its bars, a laptop and a television.
SIZES = ((390, 664), (1280, 800), (1920, 1080))
#: A record of each game whose states offer the most kinds of entries.
RECORDS = (
    ("tabletop-croquet", "whole-game"),
    ("castle-croquetnole", "whole-game"),
    ("carroms", "whole-game"),
    ("piecepack-croquet", "whole-game"),
    ("wickets-six", "whole-game"),
    ("wickets-nine", "whole-game-in-one-turn"),
)
#: Long choices scroll by themselves; they must lie in the window as a whole. The calls, the
#: course and the rulings are read, and are not a next step.
OUTSIDE = """(() => {
  const names = "button, select, input, summary, a[href]";
  const lists = "#calls, .pinned-list";
  const inside = ({ left, right, top, bottom }) =>
    left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  const cut = (one, box) => {
    for (let outer = one.parentElement; outer; outer = outer.parentElement) {
      if (getComputedStyle(outer).overflowY === "visible") continue;
      const { top, bottom } = outer.getBoundingClientRect();
      if (box.top < top - 1 || box.bottom > bottom + 1) return true;
    }
    return false;
  };
  return [...document.querySelectorAll(names)]
    .filter((one) => one.checkVisibility() && !one.disabled && !one.closest("#calls"))
    .map((one) => [one, one.closest(lists) ?? one.closest(".choice") ?? one])
    .filter(([, shown]) => {
      const box = shown.getBoundingClientRect();
      const small = shown.clientHeight < Math.min(shown.scrollHeight, 88) - 1;
      return !inside(box) || cut(shown, box) || (shown.matches(lists) && small);
    })
    .map(([one]) => (one.closest("label") ?? one).innerText.trim() || one.name || one.className);
})()"""
#: What decides which controls a state offers: the parts that are shown, their titles without names,
#: and how many controls they have.
CONTROLS = """[...document.querySelectorAll(".asked > :not([hidden])")].map((part) =>
  `${part.id} ${part.querySelector(".side-title")?.innerText.split(" ").at(-1)} ${
    part.querySelectorAll("button, summary, input, select").length}`).join(", ")"""


def outside(page: Page, size: tuple[int, int]) -> list[str]:
    """Return the words of each enabled control that lies outside a window of this size."""
    page.resize(*size, phone=size[0] < 500)
    page.until(f"innerWidth === {size[0]} && innerHeight === {size[1]}")
    page.run("scrollTo(0, 0)")
    page.settle()
    return list(page.run(OUTSIDE))


def states(page: Page, game: str, name: str, folder: Path) -> Iterator[int]:
    """Show one state after another of a scripted match, and give the number of its lines."""
    lines = (MATCHES / game / f"{name}.jsonl").read_text().splitlines(keepends=True)
    path = folder / f"{game}-{name}.jsonl"
    path.write_text(lines[0])
    feed = Feed()
    followed = FollowedRecord(path, feed)
    followed.look()
    server = serve_table(feed, MatchFolder(folder), followed)
    try:
        page.open(server.url)
        page.until("document.querySelector('.turn-name') && document.querySelector('#rulings > *')")
        yield 1
        for count, line in enumerate(lines[1:], 2):
            with path.open("a") as out:
                out.write(line)
            followed.look()
            shown = f"document.getElementById('rulings').dataset.view?.includes(',{count - 1},')"
            page.until(shown)
            yield count
    finally:
        page.open("about:blank")
        server.close()
        feed.close()


def all_outside(
    page: Page, game: str, name: str, folder: Path, sizes_each: int = len(SIZES)
) -> Iterator[tuple[str, list[str]]]:
    """Give, for each different choice of controls in a scripted match, where it is and which
    controls lie outside the window. Each choice is looked at in `sizes_each` sizes, in turn.
    """
    seen: set[str] = set()
    sizes = cycle(SIZES)
    for count in states(page, game, name, folder):
        controls = str(page.run(CONTROLS))
        if controls not in seen:
            seen.add(controls)
            for size in islice(sizes, sizes_each):
                yield f"{game} {count} {size[0]}x{size[1]}", outside(page, size)


def main() -> None:
    """Print each window with controls outside, and how many there are."""
    found = []
    with Page() as page, tempfile.TemporaryDirectory() as folder:
        for game, name in RECORDS:
            found += all_outside(page, game, name, Path(folder))
    missed = [f"{where}: {words}" for where, words in found if words]
    print(*missed, f"{len(missed)} of {len(found)} windows have a control outside", sep="\n")


if __name__ == "__main__":
    main()
