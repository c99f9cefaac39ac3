"""Only coins in play can be chosen on the page when people enter a match by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.chromium import Page
from tests.web_ui.followed import Show, record

#: The words of every coin that can be chosen in any part of the form, folded or not, but for the
#: part about pockets, which is only about coins that are out of the game.
OFFERED = """[...document.querySelectorAll("#hand :is(option, .choice, .button-coin)")]
  .filter((one) => !one.closest("details")?.textContent.startsWith("A hand took a coin out"))
  .map((one) => one.ariaLabel ?? one.textContent)
  .filter((words, i, all) => all.indexOf(words) === i)"""


def offered(page: Page) -> list[str]:
    """Return the coins that can be chosen, in words."""
    page.until("document.querySelector('#hand .side-title')")
    return list(page.run(OFFERED))


@pytest.mark.parametrize(
    ("game", "name", "lines", "gone", "there"),
    [
        # i2 to i5 put the red coins 1 to 4 into a pocket in the flick under way.
        ("carroms", "black-and-striker", 6, "red coin 4", "red coin 5"),
        # Between flicks, six red coins are down.
        ("carroms", "black-and-striker", 9, "red coin 6", "blue coin 6"),
        # Ben's coin was killed and lifted off; Cyd's is left.
        ("tabletop-croquet", "poison-kills", 12, "Ben's coin", "Cyd's coin"),
        # Ann's knight is Ben's prisoner: whatever else moves in this flick, it cannot be hit.
        ("castle-croquetnole", "guard-hits-knight", 12, "Ann's knight", "Cyd's guard"),
    ],
)
def test_a_coin_out_of_play_is_offered_nowhere(
    show: Show, tmp_path: Path, game: str, name: str, lines: int, gone: str, there: str
) -> None:
    page = show(record(tmp_path, game, name, lines))
    words = offered(page)
    assert not [one for one in words if gone in one]
    assert [one for one in words if there in one]
