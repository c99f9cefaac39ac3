"""`referee adjudicate --explain` for events in a flick that counts for nothing: it says this, and
why, before anything else.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.domain.incident import Unseen
from referee.record.reading import read_record
from referee.reports.explanation import Explanation, explain
from tests.commands.records import Run, as_json, runner, written
from tests.record.matches import entries, setup

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
#: Ann passes wicket 1 and flicks again. Her coin hits Ben's, which passes wicket 1, and so does
#: hers.
AGAIN = (
    "flick moons",
    "cross moons 1 out",
    "rest",
    "flick moons",
    "hit moons suns",
    "cross suns 1 out",
    "cross moons 1 out",
    "rest",
)
#: Ben flicks in Ann's turn.
EARLY = ("flick suns", "hit suns moons", "cross suns 1 out", "rest")
RIGHTLESS = "Ann had no right to this flick: it earns, hits, wins and loses nothing."


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    return runner(capfd)


def unmet(why: Explanation) -> list[str]:
    return [clause.text for clause in why.clauses if clause.met is False]


def test_a_hit_in_a_flick_nobody_had_a_right_to_begins_with_that(run: Run, tmp_path: Path) -> None:
    """Without the crossing i2 Ann had no second flick (i4), which contains i5."""
    record = written(tmp_path / "r.jsonl", setup(2), *AGAIN, "overturned i2 then=keep")
    why = as_json(run("adjudicate", record, "--explain", "i5", "--json"))
    assert (why["flick"]["on"], why["flick"]["rule"]) == ("i4", "Player turns")
    assert (
        why["flick"]["text"].startswith("The flick i4 is void.")
        and RIGHTLESS in why["flick"]["text"]
    )
    assert [clause["text"] for clause in why["clauses"] if not clause["met"]] == [
        "Ann had a right to this flick."
    ]
    assert why["state"] == "it is part of a void flick"
    _, second, *_ = run("adjudicate", record, "--explain", "i5").splitlines()
    assert second.startswith("The flick i4 is void.")


def test_of_a_step_that_counts_as_knocked_no_clause_has_failed() -> None:
    """Ben's coin was knocked through its wicket, which is a plain fact. That it earns nobody a
    flick was said about the whole flick.
    """
    why = explain(entries(setup(2), *AGAIN, "overturned i2 then=keep"), "i6")
    assert [call.call for call in why.calls] == ["wicket_scored"]
    assert why.flick is not None and why.flick.on == "i4" and unmet(why) == []


@pytest.mark.parametrize(
    ("record", "on", "flick", "rule", "failed"),
    [
        (
            "castle-croquetnole/between-keep-void",
            "i13",
            "i12",
            "Starting the Game",
            [
                "Ann had a right to this flick.",
                "For a strike: the player had a right to this flick.",
            ],
        ),
        (
            "castle-croquetnole/between-keep-prisoner",
            "i19",
            "i18",
            "Starting the Game",
            ["Ann had a right to this flick."],
        ),  # nobody is taken prisoner in it
        (
            "carroms/between-keep-black",
            "i10",
            "i9",
            "Playing the game",
            ["Ann had a right to the flick."],
        ),
        (
            "carroms/between-keep-opponents-coin",
            "i5",
            "i4",
            "Playing the game",
            [],
        ),  # an opponent's coin stays down
    ],
)
def test_in_every_game_with_flicks_a_void_one_is_named_with_its_rule(
    record: str, on: str, flick: str, rule: str, failed: list[str]
) -> None:
    why = explain(read_record(MATCHES / f"{record}.jsonl"), on)
    assert why.flick is not None and (why.flick.on, why.flick.rule) == (flick, rule)
    assert "had no right to this flick" in why.flick.text and unmet(why) == failed


@pytest.mark.parametrize(
    ("record", "on", "failed"),
    [
        # of a flick with which play went on from a turn: what that turn had left, not the flick
        ("tabletop-croquet/then-keep-denied", "i6", ["Ann had used up every flick"]),
        ("castle-croquetnole/between-keep-denied-knight", "i13", ["Ann had used up every flick"]),
        ("carroms/between-keep-denied", "i3", ["Ann had used up every flick"]),
        ("wickets-six/keep-denied", "e4", ["Ann had no shot left with the blue ball"]),
        ("piecepack-croquet/keep-denied-bonus", "e4", ["Ann had no shot left with the black"]),
        # of a void one: what its player lacked
        ("tabletop-croquet/then-keep-void", "i4", ["The player flicks Ben's coin"]),
        ("castle-croquetnole/between-keep-denied-knight", "i11", ["Ann may flick this coin now"]),
        ("carroms/between-keep-void", "i4", ["Ben makes this flick"]),
        (
            "tabletop-croquet/then-keep-void-declaration",
            "i7",
            ["The flick that the declaration is about"],
        ),
        (
            "wickets-six/keep-void-croquet",
            "e7",
            ["Under the rulings so far, the last strike", "Under the rulings so far"],
        ),
        (
            "piecepack-croquet/keep-void-bonus",
            "e4",
            ["Under the rulings so far, the player's go", "Under the rulings so far, the player"],
        ),
    ],
)
def test_what_a_ruling_keeps_is_explained_by_what_decided_it(
    record: str, on: str, failed: list[str]
) -> None:
    told = unmet(explain(read_record(MATCHES / f"{record}.jsonl"), on))
    assert len(told) == len(failed)
    assert all(text.startswith(begin) for text, begin in zip(told, failed, strict=True)), told


@pytest.mark.parametrize(
    ("record", "met"),
    [
        ("tabletop-croquet/unseen-in-a-flick", [True, True]),
        ("tabletop-croquet/unseen-between-flicks", [False]),
        ("tabletop-croquet/unseen-stranger", [True, False]),
        ("tabletop-croquet/unseen-upheld", [True, True, True]),
        ("castle-croquetnole/unseen", [True, True]),
        ("castle-croquetnole/unseen-between-flicks", [False]),
        ("carroms/unseen-pocketed-coin", [True, False]),
        ("carroms/unseen-upheld", [True, True, True]),
    ],
)
def test_what_was_unseen_is_asked_about_by_its_clauses(record: str, met: list[bool]) -> None:
    """A flick is under way, a coin in play is unseen; last, that a ruling says nothing happened."""
    lines = read_record(MATCHES / f"{record}.jsonl")
    on = next(str(entry.id) for entry in lines if isinstance(entry, Unseen))
    assert [clause.met for clause in explain(lines, on).clauses[1:]] == met


def test_a_flick_out_of_turn_that_was_overturned_says_both() -> None:
    record = entries(setup(2), *EARLY, "overturned i1 by=Cyd reason=early")
    for on in ("i1", "i2", "i3", "i4"):
        why = explain(record, on)
        assert why.flick is not None and why.flick.text.startswith(
            "The flick i1 counts for nothing: Cyd overturned it (early)."
        )
        assert "it is Ann's turn" in why.flick.text and why.flick.rule == "Player turns"
        assert why.clauses == ()
    assert explain(record, "i1").state == "it was overturned"


def test_a_flick_that_was_in_order_and_overturned_has_no_rule_against_it() -> None:
    why = explain(entries(setup(2), *AGAIN, "overturned i4 by=Cyd reason=dream"), "i5")
    assert why.flick is not None and (why.flick.text, why.flick.rule) == (
        "The flick i4 counts for nothing: Cyd overturned it (dream).",
        "",
    )


def test_a_flick_out_of_turn_that_was_let_stand_hits_nothing() -> None:
    why = explain(entries(setup(2), *EARLY, "upheld i1"), "i2")
    assert why.flick is not None and why.flick.text.startswith(
        "A ruling lets the flick i1 stand: contacts in it do not count as hits."
    )
    assert "it is Ann's turn" in why.flick.text and unmet(why) == [
        "Contacts in this flick can be hits."
    ]


def test_a_flick_too_unlikely_to_have_been_made_takes_what_happened_with_it() -> None:
    why = explain(
        entries(setup(2), "flick moons probability=0.01", "cross moons 1 out", "rest"), "i2"
    )
    assert (
        why.flick is not None
        and why.flick.text
        == "The flick i1 counts for nothing: it is too unlikely that it was made."
    )


def test_play_that_was_taken_back_names_who_took_it_back() -> None:
    record = entries(
        setup(2),
        *AGAIN,
        "overturned i2 then=rewind by=Cyd reason=short",
        "flick suns",
        "hit suns moons",
        "rest",
    )
    why = explain(record, "i5")
    assert (
        why.flick is not None
        and why.flick.text
        == "It counts for nothing: Cyd took back what was played after it (short)."
    )
    assert why.clauses == () and explain(record, "i10").flick is None


@pytest.mark.parametrize(
    ("lines", "on", "failed"),
    [
        (
            ("flick moons", "cross moons 3 out", "rest"),
            "i2",
            ["Wicket 3 is the coin's next step."],
        ),  # nobody asks which way
        (("flick moons", "cross moons 3 out", "rest", "overturned i2"), "i2", ["It counts."]),
        (
            ("flick moons", "cross moons 3 out probability=0.01", "rest"),
            "i2",
            ["It is likely enough that it happened."],
        ),
        (
            ("flick moons", "hit moons suns", "cross suns 2 out", "rest"),
            "i3",
            ["Wicket 2 is the coin's next step."],
        ),  # nor whose flick it was
    ],
)
def test_what_was_not_reached_has_not_failed(
    lines: tuple[str, ...], on: str, failed: list[str]
) -> None:
    assert unmet(explain(entries(setup(2), *lines), on)) == failed


@pytest.mark.parametrize("game", ["tabletop-croquet", "castle-croquetnole", "carroms"])
def test_whatever_stands_in_a_void_flick_says_so(game: str) -> None:
    """In every scripted turn, what the replay made void is named before the clauses, and nothing
    else is.
    """
    for path in sorted((MATCHES / game).glob("*keep*.jsonl")):
        record = read_record(path)
        void = {
            odd.on
            for entry in record[1:]
            for odd in explain(record, str(entry.id)).irregularities
            if odd.what == "void_entitlement"
        }
        for entry in record[1:]:
            flick = explain(record, str(entry.id)).flick
            assert flick is None or (flick.on in void) == ("had no right" in flick.text), (
                path.stem,
                entry.id,
            )
