"""People at a table without a camera, who enter what happens with the page's buttons and choices
only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.chromium import Page
from tests.web_ui.followed import count, text
from tests.web_ui.pressing import choose, entered, lines_of, pick, press, type_spot, unfold

CARROMS = {"striker": "the striker", "moons": "the black coin"}
ACTIONS = {1: "Flick on", 2: "Move beside it", 3: "Flick it", 4: "Move beside it and flick it"}


class Players:
    """People at a table, who have a page and a script of what happens."""

    def __init__(self, page: Page, path: Path, game: str, players: list[dict[str, Any]]) -> None:
        self.page, self.path = page, path
        kind = "knight" if game == "castle-croquetnole" else "coin"
        self._whose = (
            {}
            if game == "carroms"
            else {player["coin"]: (player["name"], kind) for player in players}
        )
        if game == "castle-croquetnole":
            self._whose |= {
                guard: (player["name"], "guard")
                for player, guard in zip(players, ("ace", "2", "3", "4"), strict=False)
            }

    def called(self, coin: str) -> str:
        """Return a coin's name on the page."""
        if coin in self._whose:
            name, kind = self._whose[coin]
            return f"{name}'s {kind}"
        return CARROMS.get(coin, coin.replace("suns-", "red coin ").replace("arms-", "blue coin "))

    def chip(self, coin: str) -> str:
        """Return what is written on the coin's choice: its letter or number, if it has one, and its
        owner.
        """
        name, kind = self._whose.get(coin, ("", ""))
        words = self.called(coin) if not name else f"{name}, guard" if kind == "guard" else name
        face = {"ace": "A", "striker": "S"}.get(coin, coin.rpartition("-")[2])
        return f"{face} {words}" if len(face) == 1 else words

    def tell(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Enter one line of a script, and return what is then in the record. Places of coins are
        entered only where the script knows them all.
        """
        before = lines_of(self.path)
        getattr(self, entry["kind"])(entry)
        written = f"document.getElementById('hand').dataset.view?.includes('\"entries\":{before}')"
        self.page.until(f"{written} || document.querySelector('#hand .answer-message button')")
        if not self.page.run(f"Boolean({written})"):  # the rules do not allow it, and it happened
            press(self.page, "It happened", "#hand")
        return entered(self.page, self.path, before + 1, "hand")

    def placed(self, entry: dict[str, Any]) -> None:
        self.page.until("document.querySelector('#hand .side-title')")
        title = text(self.page, "#hand .side-title")
        if title.endswith("is taken away"):
            return press(self.page, title.replace("away", "off the table"), "#hand")
        if title.lower() != f"{self.called(entry['coin'])} is put down".lower():
            pocketed = self.sees("A hand took a coin out of a pocket", "summary")
            out = pocketed and self.in_pocket(entry["coin"])
            unfold(self.page, "A hand took a coin" if out else "A hand moved a coin")
            pick(self.page, self.called(entry["coin"]), "#hand")
        if entry["at_mm"] is None:
            return press(self.page, "It is taken off the table", "#hand")
        type_spot(self.page, entry["at_mm"])
        self.page.run("document.querySelector('#hand .spot').scrollIntoView()")
        return self.press_last("It lies there")

    def in_pocket(self, coin: str) -> bool:
        """Whether the coin is one of those that a hand may take out of a pocket."""
        fold = "[...document.querySelectorAll('#hand details')].find((one) => one.innerText"
        words = f"{fold}.startsWith('A hand took a coin out')).textContent"
        return bool(self.page.run(f"{words}.includes({self.called(coin)!r})"))

    def press_last(self, words: str) -> None:
        """Press, of several buttons with these words, the one beside the place that was given."""
        button = (
            "[...document.querySelectorAll('#hand button')].filter((one) => one.checkVisibility()"
            f" && one.innerText === {words!r}).at(-1)"
        )
        self.page.until(f"{button} && !{button}.disabled")
        self.page.run(f"{button}.click()")

    def sees(self, words: str, of: str) -> bool:
        """Whether there is a button, a choice or a folded part with these words, or with words that
        begin so.
        """
        words_of = "one.innerText.trim().replace(/\\s+/g, ' ')"
        return bool(
            self.page.run(
                f"[...document.querySelectorAll('#hand {of}')].some((one) => one.checkVisibility()"
                f" && {words_of}.startsWith({words!r}))"
            )
        )

    def flicked(self, entry: dict[str, Any]) -> None:
        coin = self.called(entry["coin"])
        words = f"{coin[0].upper()}{coin[1:]} is flicked"
        self.page.until("document.querySelector('#hand .side-title')")
        if self.sees("Flicked anyway", "summary"):
            unfold(self.page, "Flicked anyway")
        if entry["touching"]:
            unfold(self.page, "Enter another coin or player")
        for other in entry["touching"]:
            choose(self.page, self.chip(other), "#hand .touching")
        if "player" in entry:
            unfold(self.page, "Enter another coin or player")
            pick(self.page, entry["player"], "#hand")
        if not self.sees(words, "button") and self.sees(self.chip(entry["coin"]), ".choice"):
            choose(self.page, self.chip(entry["coin"]), "#hand")
        elif not self.sees(words, "button"):
            unfold(self.page, "Enter another coin or player")
            pick(self.page, coin, "#hand")
        press(self.page, words, "#hand")

    def actor(self, coin: str) -> None:
        if count(self.page, "#hand .hand-does"):
            choose(self.page, self.chip(coin), "#hand")

    def line_crossed(self, entry: dict[str, Any]) -> None:
        self.actor(entry["coin"])
        kind, of = entry["line"].split("-")
        line = f"wicket {of}" if kind == "wicket" else f"the {kind} of {of}"
        way = (
            f"{entry['direction']}wards"
            if entry["direction"] in ("out", "in")
            else entry["direction"]
        )
        if self.page.run(
            "[...document.querySelectorAll('#hand button')].some((one) => one.innerText ==="
            f" 'Passes {line} {way}')"
        ):
            return press(self.page, f"Passes {line} {way}", "#hand")
        unfold(self.page, "Something else happens")
        pick(self.page, line, "#hand")
        pick(self.page, way, "#hand")
        return press(self.page, "It does", "#hand")

    def contact(self, entry: dict[str, Any]) -> None:
        self.actor(entry["coin"])
        if entry["with"] in self._whose:
            return press(self.page, self.called(entry["with"]), "#hand .hand-does")
        kind, of = entry["with"].split("-")
        place = f"the tower of {of}" if kind == "tower" else f"the {kind} endpost"
        if self.page.run(
            "[...document.querySelectorAll('#hand button')].some((one) => one.innerText ==="
            f" 'Touches {place}')"
        ):
            return press(self.page, f"Touches {place}", "#hand")
        unfold(self.page, "Something else happens")
        pick(self.page, place, "#hand")
        return self.press_last("It does")

    def pocketed(self, entry: dict[str, Any]) -> None:
        choose(self.page, entry["pocket"].removeprefix("pocket-").upper(), "#hand")
        press(self.page, self.called(entry["coin"]), "#hand")

    def left_table(self, entry: dict[str, Any]) -> None:
        if count(self.page, "#hand .hand-does"):
            self.actor(entry["coin"])
            unfold(self.page, "Leaves the table")
        else:
            unfold(self.page, "A coin leaves the board")
            pick(self.page, self.called(entry["coin"]), "#hand")
        type_spot(self.page, entry["at_mm"])
        press(self.page, "It leaves there", "#hand")

    def at_rest(self, entry: dict[str, Any]) -> None:
        if entry["coins"]:
            unfold(self.page, "Say where the coins lie")
        for coin, at_mm in entry["coins"].items():
            choose(self.page, self.chip(coin), "#hand details[open]")
            type_spot(self.page, at_mm, "#hand details[open]")
        lie = "Every coin has its place" in text(self.page, "#hand details[open]")
        press(self.page, "Everything lies as shown" if lie else "All is at rest", "#hand")

    def after_hit(self, entry: dict[str, Any]) -> None:
        end = ACTIONS[entry["option"]]
        button = (
            "[...document.querySelectorAll('#say button')].find((one) =>"
            f" one.innerText.endsWith({end!r}))"
        )
        self.page.until(button)
        self.page.run(f"{button}.click()")

    def croquet(self, entry: dict[str, Any]) -> None:
        press(self.page, f"{entry['option']}:")

    def pass_(self, entry: dict[str, Any]) -> None:
        press(self.page, "Go over" if count(self.page, "#say button") else "Do not")
