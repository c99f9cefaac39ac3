"""Rulings while a match is being watched, on the page and by commands, written to one record, and
what the session does with them.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from calibration.store.store import write_table
from referee.desk.match_topics import standing_topic
from referee.domain.entry import Ruling
from referee.domain.errors import InputError
from referee.domain.incident import Flicked
from referee.record.reading import read_record
from referee.replay.adjudication import adjudicate
from referee.session import watching
from referee.session.live_rulings import LiveRulingDesk
from referee.session.live_view import LiveView
from referee.session.match_file import read_match
from referee.session.watching import watch
from tests.clips.bundled import CLIPS, options, true_table, truth_of
from tests.commands.processes import IN_TERMINAL, ROOT, running
from tests.desk.whole_topics import irregularities_topic
from tests.web_ui.listening import Listener, Shown

WAIT_S = 60.0
CLIP = "pass-and-hit"
#: Suns is flicked first, through wicket 1 and into moons.
MATCH = (
    "game: tabletop-croquet\nplayers: [{name: Ben, coin: suns}, {name: Ann, coin: moons}, {name:"
    " Cleo, coin: arms}]\n"
)
NAMES = {
    n: (c["mm"][0], c["mm"][1])
    for n, c in truth_of(CLIP)["frames"][0]["coins"].items()
    if n in ("suns", "moons", "arms")
}


class Watched(NamedTuple):
    """A running `referee watch` whose clip has ended, and its page."""

    url: str
    record: Path
    opener: urllib.request.OpenerDirector

    def post(self, to: str, body: object) -> tuple[int, Any]:
        request = urllib.request.Request(
            f"{self.url}{to}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json", "Origin": self.url.rstrip("/")},
        )
        try:
            with self.opener.open(request, timeout=20) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def rule(self, on: str, verdict: str, by: str) -> tuple[int, Any]:
        """Weigh a ruling and write it, as the page does. Do it again where the match has continued
        meanwhile.
        """
        asked = {"on": on, "verdict": verdict, "by": by, "reason": "the clip shows it"}
        for _ in range(100):
            _, weighed = self.post("rulings/weighed", {"on": on, "verdict": verdict})
            status, answer = self.post("rulings", {**asked, "entries": weighed["entries"]})
            if status != 400 or "gone on" not in answer["error"]:
                break
        return status, answer

    def beside(self, *words: str) -> None:
        """Run `referee rule` in a process of its own."""
        command = [
            sys.executable,
            "-m",
            "referee",
            "rule",
            str(self.record),
            *words,
            "--by",
            "Cyd",
            "--reason",
            "saw it",
        ]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=60)

    def shown(self, rulings: int) -> dict[str, Any]:
        """Return all topics once the page shows so many rulings."""
        listener, shown = Listener(self.url), Shown()
        try:
            for event in listener:
                topics = shown.hear(event)
                if len(topics.get("rulings", ())) == rulings and outcome(topics) == now(
                    self.record
                ):
                    return topics
        finally:
            listener.close()
        raise AssertionError("the page has ended")

    def call(self, name: str) -> str:
        """Return the entry that a call rests on."""
        return next(
            call.on for call in adjudicate(read_record(self.record)).calls if call.call == name
        )


def now(record: Path) -> dict[str, Any]:
    """Return what the rules make of the record as it is, as the page gets it."""
    made = adjudicate(read_record(record))
    topics = {
        "standing": standing_topic(made),
        "calls": made.calls,
        "irregularities": irregularities_topic(made),
    }
    read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(topics))
    return read


def outcome(topics: Mapping[str, Any]) -> dict[str, Any]:
    return {name: topics[name] for name in ("standing", "calls", "irregularities")}


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Run the command itself over a bundled clip."""
    folder = tmp_path_factory.mktemp("watched")
    write_table(folder / "table.yaml", true_table(CLIP))
    (folder / "match.yaml").write_text(MATCH, encoding="utf-8")
    names = [word for name, (x, y) in NAMES.items() for word in ("--name", f"{name}={x},{y}")]
    given = [
        "--match",
        str(folder / "match.yaml"),
        "--table",
        str(folder / "table.yaml"),
        "--out",
        str(folder / "out"),
        *names,
    ]
    command = ["watch", CLIPS / CLIP / "clip.mp4", *given, "--no-browser", "--stay"]
    with running(
        *("-u", "-c", IN_TERMINAL, *command),
        limit_s=600,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        said, opener = "", urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        while "stays open" not in said:
            line = process.stdout.readline()
            assert line, f"the program has ended: {said}"
            said += line
            if "open this within" in line:
                opener.open(line.split()[-1], timeout=20).close()
        url = re.findall(r"http://\S+", said)[0]
        yield Watched(url, folder / "out" / "record.jsonl", opener)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0


def test_a_call_is_explained_overturned_and_upheld_on_the_page_of_a_match_that_is_watched(
    watched: Watched,
) -> None:
    wicket = watched.call("wicket_scored")
    with urllib.request.urlopen(f"{watched.url}explained?on={wicket}", timeout=20) as answer:
        assert all(clause["met"] for clause in json.load(answer)["clauses"])
    before = now(watched.record)["standing"]["standings"]
    status, told = watched.post("rulings/weighed", {"on": wicket, "verdict": "overturned"})
    scorer = next(
        call.player
        for call in adjudicate(read_record(watched.record)).calls
        if call.call == "wicket_scored"
    )
    assert status == 200
    (change,) = [
        one for one in told["changes"] if (one["player"], one["field"]) == (scorer, "progress")
    ]
    assert change["after"] == change["before"] - 1
    made = len([entry for entry in read_record(watched.record) if isinstance(entry, Ruling)])
    assert watched.rule(wicket, "overturned", "Ann") == (204, None)
    shown = watched.shown(made + 1)
    assert {row["player"]: row["progress"] for row in shown["standing"]["standings"]}[
        scorer
    ] == change["after"]
    assert (
        shown["rulings"][-1]["by"],
        shown["rulings"][-1]["on"],
        shown["rulings"][-1]["holds"],
    ) == ("Ann", wicket, True)
    assert shown["record"]["typed"] == str(watched.record)
    # The clip and the paths of the flick are beside it.
    evidence = shown["evidence"][wicket]
    with urllib.request.urlopen(f"{watched.url}flicks/{evidence['flick']}", timeout=20) as answer:
        assert json.load(answer)["coins"]
    with urllib.request.urlopen(f"{watched.url}{evidence['clip']}/original", timeout=20) as answer:
        assert answer.status == 200
    assert watched.rule(wicket, "upheld", "Ben")[0] == 204
    assert watched.shown(made + 2)["standing"]["standings"] == before


def test_two_who_rule_at_once_on_the_page_and_two_beside_it_lose_nothing(watched: Watched) -> None:
    wicket, before = watched.call("flick_began"), read_record(watched.record)
    status: list[int] = []

    def on_the_page(name: str) -> None:
        status.extend(watched.rule(wicket, "upheld", name)[0] for _ in range(3))

    rulers = [
        *((on_the_page, (name,)) for name in ("Ann", "Ben")),
        *((watched.beside, (wicket, "--uphold")) for _ in range(2)),
    ]
    threads = [threading.Thread(target=rule, args=on, daemon=True) for rule, on in rulers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_S)
    assert status == [204] * 6
    after = read_record(watched.record)
    new = [entry for entry in after[len(before) :] if isinstance(entry, Ruling)]
    assert after[: len(before)] == before
    assert sorted(str(ruling.by) for ruling in new) == ["Ann"] * 3 + ["Ben"] * 3 + ["Cyd"] * 2
    assert len({ruling.id for ruling in new}) == 8
    made = len([entry for entry in after if isinstance(entry, Ruling)])
    assert [ruling["id"] for ruling in watched.shown(made)["rulings"]][-8:] == [
        ruling.id for ruling in new
    ]


def test_what_players_say_is_declared_on_the_page_as_it_then_stands(watched: Watched) -> None:
    made = len([entry for entry in read_record(watched.record) if isinstance(entry, Ruling)])
    shown = watched.shown(made)
    assert shown["standing"]["turn"]["options"]["coins"] == ["moons"]  # Ben's suns has hit it
    said = {"kind": "after_hit", "option": 3, "coin": "moons"}
    assert (
        watched.post("declarations", {"said": said, "entries": shown["record"]["entries"] - 1})[0]
        == 400
    )
    assert watched.post("declarations", {"said": said, "entries": shown["record"]["entries"]}) == (
        204,
        None,
    )
    assert now(watched.record)["standing"]["turn"]["flick"] == "moons"
    last = json.loads(watched.record.read_text().splitlines()[-1])
    assert (last["entry"], last["kind"], last["option"]) == ("declaration", "after_hit", 3)
    assert watched.rule(last["id"], "overturned", "Ann")[0] == 204
    assert watched.shown(made + 1)["standing"]["turn"]["flick"] == "suns"


def test_what_the_camera_missed_is_added_beside_and_the_page_shows_it(
    watched: Watched, tmp_path: Path
) -> None:
    made = len([entry for entry in read_record(watched.record) if isinstance(entry, Ruling)])
    (tmp_path / "missed.json").write_text(
        '{"entry": "declaration", "kind": "agreed", "winner": null}'
    )
    last = watched.shown(made)["record"]["last"]
    watched.beside(last, "--add", str(tmp_path / "missed.json"))
    shown = watched.shown(made + 1)
    assert (shown["standing"]["status"], shown["standing"]["winner"]) == ("won", None)
    assert watched.rule(shown["rulings"][-1]["id"], "overturned", "Ann")[0] == 204
    assert watched.shown(made + 2)["standing"]["status"] == "in_progress"


def test_what_was_something_else_stands_at_its_moment_and_the_beginning_is_put_right_too(
    watched: Watched,
) -> None:
    """The measurements belong to the crossing of the wicket. The time and the clip stay with the
    hit that it really was. Cleo becomes Cloe.
    """
    made = len([entry for entry in read_record(watched.record) if isinstance(entry, Ruling)])
    hit = {"entry": "incident", "kind": "contact", "coin": "suns", "with": "arms"}
    names = {"names": ["Ben", "Ann", "Cloe"], "options": {}}
    wicket = watched.call("wicket_scored")
    seen = next(
        json.loads(line)
        for line in watched.record.read_text().splitlines()
        if json.loads(line).get("id") == wicket
    )
    for number, asked in enumerate(
        ({"on": wicket, "told": hit}, {"on": "setup", "setup": names}), start=1
    ):
        put = {
            **asked,
            "verdict": "replaced",
            "then": "keep",
            "by": "Ann",
            "reason": "we all saw it",
        }
        _, weighed = watched.post("rulings/weighed", put)
        assert watched.post("rulings", {**put, "entries": weighed["entries"]}) == (204, None)
        shown = watched.shown(made + number)
    first, _ = (json.loads(line) for line in watched.record.read_text().splitlines()[-2:])
    assert first["replacement"] == {
        **hit,
        **{name: seen[name] for name in ("t_s", "frames", "clip")},
    }
    assert [player["name"] for player in shown["match"]["players"]] == ["Ben", "Ann", "Cloe"]
    assert ("hit_scored", "arms") in {
        (call["call"], call.get("with")) for call in shown["calls"] if call["on"] == wicket
    }
    for number, ruling in enumerate(shown["rulings"][-2:], start=3):
        assert watched.rule(ruling["id"], "overturned", "Ann")[0] == 204
        assert watched.shown(made + number)["rulings"][-1]["holds"]


def test_while_a_flick_is_played_a_ruling_is_refused_and_once_it_is_recorded_taken_and_gone_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    umpires: list[LiveRulingDesk] = []
    refused: list[str] = []
    shown: list[dict[str, Any]] = []
    shows_provisional = LiveView.provisional

    def ruled(on: str) -> None:
        ruling = Ruling(on=on, verdict="overturned", then="keep", by="Ann", reason="not so")
        umpires[0].rule(ruling, umpires[0].weigh(ruling).entries)

    def provisional(show: LiveView, calls: Any, incidents: Any) -> None:
        shows_provisional(show, calls, incidents)
        if any(isinstance(incident, Flicked) for incident in incidents):
            with pytest.raises(InputError) as no:
                ruled("i2")
            refused.append(str(no.value))

    def coins(show: LiveView, *_: Any) -> None:
        """At each frame, from another thread as on the pages: overturn the flick's wicket once the
        flick is recorded.
        """
        calls = show.feed.snapshot()["calls"]
        wicket = [call["on"] for call in calls if call["call"] == "wicket_scored"]
        if wicket and not umpires[0].flick_runs:
            page = threading.Thread(target=ruled, args=wicket, daemon=True)
            page.start()
            page.join(WAIT_S)
            shown.append(outcome(show.feed.snapshot()))

    monkeypatch.setattr(
        watching,
        "serve_dashboard",
        lambda _options, _feed, ruling_desk, _stack: umpires.append(ruling_desk),
    )
    monkeypatch.setattr(LiveView, "provisional", provisional)
    monkeypatch.setattr(LiveView, "coins", coins)
    (tmp_path / "match.yaml").write_text(MATCH, encoding="utf-8")
    match = read_match(tmp_path / "match.yaml")
    assert (
        watch(options(CLIP, true_table(CLIP), tmp_path, match=match, names_mm=NAMES, ui=True)) == 0
    )
    assert set(refused) == {
        "A flick is being played. Wait until all coins lie still, look at the match again,"
        " and then decide."
    }
    record = tmp_path / "out" / "record.jsonl"
    (ruling,) = [entry for entry in read_record(record) if isinstance(entry, Ruling)]
    (topics,) = shown  # the page shows it before the next frame
    assert (ruling.by, ruling.then, topics) == ("Ann", "keep", now(record))
    assert [row["progress"] for row in topics["standing"]["standings"]] == [0, 0, 0]
