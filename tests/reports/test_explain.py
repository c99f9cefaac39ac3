"""`referee adjudicate --explain`: the clauses of a call, the facts that decided each, and what did
not count.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.domain.entry import Ruling
from referee.record.reading import read_record
from referee.replay.adjudication import adjudicate
from referee.reports.explanation import explain
from referee.reports.wording.values import named
from tests.commands.records import Run, as_json, runner, written
from tests.record.matches import entries, setup

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches" / "tabletop-croquet"
SCORING = {"wicket_scored", "endpost_scored", "hit_scored", "killed"}
BETWEEN = ("placed", "after_hit", "rover", "leave", "pass", "concede")


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    return runner(capfd)


def unmet(why: dict[str, object]) -> list[str]:
    return [clause["text"] for clause in why["clauses"] if clause["met"] is False]


def test_a_wicket_that_counts_has_every_clause_met_and_shows_what_was_measured(
    run: Run, tmp_path: Path
) -> None:
    record = written(
        tmp_path / "r.jsonl",
        setup(2),
        "flick moons",
        "cross moons 1 out margin_mm=4.5 sigma_mm=0.4 probability=0.99",
        "rest",
    )
    why = as_json(run("adjudicate", record, "--explain", "i2", "--json"))
    assert unmet(why) == []
    assert why["clauses"][0]["margin_mm"] == 4.5
    assert why["clauses"][0]["too_close_band"] == [0.05, 0.95]
    assert [call["call"] for call in why["calls"]] == ["wicket_scored"]
    shown = run("adjudicate", record, "--explain", "i2")
    assert "margin 4.5 mm" in " ".join(shown.split())
    assert "Player turns" in shown


def test_a_wicket_out_of_order_names_the_clause_that_failed(run: Run, tmp_path: Path) -> None:
    record = written(tmp_path / "r.jsonl", setup(2), "flick moons", "cross moons 3 out", "rest")
    why = as_json(run("adjudicate", record, "--explain", "i2", "--json"))
    (clause,) = [
        clause
        for clause in why["clauses"]
        if clause["met"] is False and clause["text"] == "Wicket 3 is the coin's next step."
    ]
    assert clause["next"] == "wicket-1"
    assert "Does not count" in run("adjudicate", record, "--explain", "i2")


def test_a_knocked_coin_makes_its_step_and_only_the_clause_for_flicks_fails(
    run: Run, tmp_path: Path
) -> None:
    record = written(
        tmp_path / "r.jsonl", setup(2), "flick moons", "hit moons suns", "cross suns 1 out", "rest"
    )
    why = as_json(run("adjudicate", record, "--explain", "i3", "--json"))
    assert {clause["about"] for clause in why["clauses"] if clause["met"] is False} == {"flicks"}


def test_an_overturned_entry_says_by_whom_and_why(run: Run, tmp_path: Path) -> None:
    record = written(
        tmp_path / "r.jsonl",
        setup(2),
        "flick moons",
        "cross moons 1 out",
        "rest",
        "overturned i2 by=Ben reason=short",
    )
    why = as_json(run("adjudicate", record, "--explain", "i2", "--json"))
    assert why["state"] == "it was overturned"
    assert [(ruling["by"], ruling["reason"]) for ruling in why["rulings"]] == [("Ben", "short")]
    assert why["calls"] == []


def test_a_ruling_is_explained_by_the_difference_it_makes(run: Run, tmp_path: Path) -> None:
    record = written(
        tmp_path / "r.jsonl", setup(2), "flick moons", "cross moons 1 out", "rest", "overturned i2"
    )
    makes = as_json(run("adjudicate", record, "--explain", "r1", "--json"))["makes"]
    changes = {
        (change["of"], change["field"]): (change["before"], change["after"])
        for change in makes["changes"]
    }
    assert changes["standing", "progress"] == (1, 0)
    assert changes["turn", "player"] == ("Ann", "Ben")


def test_what_is_behind_a_question_says_what_play_waits_for(run: Run, tmp_path: Path) -> None:
    record = written(
        tmp_path / "r.jsonl",
        setup(2),
        "flick moons",
        "cross moons 1 out probability=0.5",
        "rest",
        "flick moons",
        "rest",
    )
    assert "waits for an answer about i2" in run("adjudicate", record, "--explain", "i4")
    why = as_json(run("adjudicate", record, "--explain", "i2", "--json"))
    assert [question["what"] for question in why["questions"]] == ["too_close"] or why[
        "state"
    ].startswith("it has not been replayed yet")


def test_at_and_explain_do_not_go_together(run: Run, tmp_path: Path) -> None:
    record = written(tmp_path / "r.jsonl", setup(2), "flick moons", "rest")
    assert (
        run("adjudicate", record, "--at", "i1", "--explain", "i1", status=2)
        == "--at and --explain: only one of them\n"
    )
    assert (
        run("adjudicate", record, "--explain", "i9", status=2)
        == "--explain: there is no entry 'i9' in this record\n"
    )


@pytest.mark.parametrize("path", sorted(MATCHES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_what_counts_is_what_meets_its_clauses(path: Path) -> None:
    """In every scripted turn an incident scores if and only if no clause for the call failed."""
    record = read_record(path)
    done = {(call.on, call.call) for call in adjudicate(record).calls}
    for entry in record[1:]:
        why = explain(record, str(entry.id))
        asked = why.questions or why.state.startswith("it has not been replayed")
        if (
            why.entry.get("kind") not in ("line_crossed", "contact")
            or asked
            or not why.clauses
            or not why.calls
            or len(why.clauses) == 1
        ):
            continue
        scored = bool({name for on, name in done if on == entry.id} & SCORING)
        assert scored == all(clause.met for clause in why.clauses if clause.about == "call"), (
            entry,
            why.clauses,
        )


def test_every_entry_of_every_scripted_turn_can_be_explained() -> None:
    for path in sorted(MATCHES.glob("*.jsonl"))[::7]:
        record = read_record(path)
        for name in ("setup", *(str(entry.id) for entry in record[1:])):
            assert explain(record, name).as_json()["on"] == name


def test_judged_at_rest_a_crossing_that_is_undone_fails_its_last_clause() -> None:
    record = entries(
        setup(2, options={"wicket_credit": "rest"}),
        "flick moons",
        "cross moons 1 out",
        "cross moons 1 home",
        "rest",
    )
    assert [clause.text for clause in explain(record, "i2").clauses if clause.met is False] == [
        "When all is at rest, the coin is on the table and has not come back through the wicket."
    ]


@pytest.mark.parametrize(("columns", "headed"), [("200", "player"), ("60", "player")])
def test_standings_are_turned_on_their_side_where_they_are_too_wide(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: str, headed: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    shown = run("adjudicate", MATCHES.parent / "castle-croquetnole" / "whole-game.jsonl")
    line = next(line for line in shown.splitlines() if headed in line)
    assert ("Ann" in line) == (columns == "60")
    assert "on duty" in shown


@pytest.mark.parametrize("path", sorted(MATCHES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_what_is_put_down_or_said_is_irregular_where_a_clause_fails(path: Path) -> None:
    """In every scripted turn, a placement or a declaration between flicks is irregular if and only
    if one of its clauses failed.

    After a ruling, placements appear as they were judged when they happened, and clauses as the
    match reads now. What was said about a void flick is void, which is no irregularity.
    """
    record = read_record(path)
    ruled = any(isinstance(entry, Ruling) for entry in record)
    for entry in record[1:]:
        why = explain(record, str(entry.id))
        kind = why.entry.get("kind")
        if (
            why.state != "it counts as recorded"
            or kind not in BETWEEN
            or len(why.clauses) < 2
            or (ruled and kind == "placed")
        ):
            continue
        wrong = [odd.what for odd in why.irregularities]
        assert bool(wrong) == (not all(clause.met for clause in why.clauses)), (
            entry,
            wrong,
            why.clauses,
        )


def test_a_placement_too_far_says_by_how_much(run: Run, tmp_path: Path) -> None:
    """Centres are 40.1 mm apart and coins 19.05 mm wide. The gap is 21.05 mm, and a width and a
    tenth is 20.96.
    """
    record = written(
        tmp_path / "r.jsonl",
        setup(2),
        "flick moons",
        "hit moons suns",
        "rest moons 500 0 suns 540 0",
        "after_hit 2 suns",
        "place moons 540 40.1",
    )
    gap = as_json(run("adjudicate", record, "--explain", "i5", "--json"))["clauses"][1]
    assert (gap["met"], gap["gap_mm"]) == (False, 21.05)
    assert "gap 21.05 mm" in run("adjudicate", record, "--explain", "i5")


def test_what_is_asked_about_has_its_clauses(run: Run, tmp_path: Path) -> None:
    record = written(
        tmp_path / "r.jsonl", setup(2), "flick moons", "cross moons 1 out probability=0.5", "rest"
    )
    why = as_json(run("adjudicate", record, "--explain", "i2", "--json"))
    assert why["state"] == "play waits for an answer about it"
    assert [clause["met"] for clause in why["clauses"]][:2] == [None, True]
    assert "referee rule RECORD i2 --uphold or --overturn" in run(
        "adjudicate", record, "--explain", "i2"
    )


def test_play_that_was_taken_back_is_said_to_be(run: Run, tmp_path: Path) -> None:
    lines = (
        "flick moons",
        "cross moons 1 out",
        "rest",
        "flick moons",
        "rest",
        "overturned i2 then=rewind",
    )
    record = written(tmp_path / "r.jsonl", setup(2), *lines)
    assert "a later ruling took back the play that it was part of" in run(
        "adjudicate", record, "--explain", "i4"
    )


@pytest.mark.parametrize(
    ("record", "entry", "said"),
    [
        (
            "piecepack-croquet/ace-always-succeeds",
            "e1",
            "Everything is in order, and play goes on.",
        ),
        (
            "piecepack-croquet/ace-always-succeeds",
            "e2",
            "Everything is in order, and play goes on.",
        ),
        ("tabletop-croquet/option-2", "i5", "Everything is in order, and play goes on."),
        (
            "carroms/rack-nearly-tight",
            "i1",
            "Everything is still. Nothing else follows from it by the rules.",
        ),
        (
            "piecepack-croquet/close-placing-for-striker",
            "e1",
            "Nothing follows from it by the rules.",
        ),
        (
            "tabletop-croquet/then-missing-irregularities-stay",
            "i5",
            "Somebody must put the tile back before the next flick.",
        ),
        ("tabletop-croquet/tile-hardly-moved", "i2", "Nothing follows from it by the rules."),
    ],
)
def test_what_is_as_the_rules_want_it_is_said_to_be_in_order(
    run: Run, record: str, entry: str, said: str
) -> None:
    """A right placing, a shot announced correctly and a rest that only continues play are in order.
    An entry that did not happen, or hardly did, is not.
    """
    assert (
        run("adjudicate", MATCHES.parent / f"{record}.jsonl", "--explain", entry).splitlines()[-1]
        == said
    )


def test_a_call_of_wickets_shows_no_more_than_its_words(run: Run) -> None:
    shown = run(
        "adjudicate",
        MATCHES.parent / "wickets-six" / "alive-within-the-strike.jsonl",
        "--explain",
        "setup",
    )
    assert shown.splitlines()[-1].startswith("Call: ")


def test_what_makes_no_difference_tells_how_it_would_be_judged() -> None:
    """Ann wins with the left endpost, whether or not her coin hit Ben's before: nobody is asked."""
    why = explain(read_record(MATCHES / "too-close-before-the-win.jsonl"), "i2")
    assert why.state == "it is left out, because it is too close to call and makes no difference"
    assert why.clauses[0].met is False and why.clauses[0].text.endswith("If it had happened:")
    assert [clause.met for clause in why.clauses[1:]] == [True] * 6


def test_what_is_too_unlikely_does_not_count(run: Run, tmp_path: Path) -> None:
    record = written(
        tmp_path / "r.jsonl", setup(2), "flick moons", "cross moons 1 out probability=0.01", "rest"
    )
    assert "i2: line crossed; it is left out, because it is too unlikely." in " ".join(
        run("adjudicate", record, "--explain", "i2").split()
    )


@pytest.mark.parametrize("path", sorted(MATCHES.parent.glob("*/whole-game.jsonl")), ids=str)
def test_no_fact_says_that_it_is_nothing(path: Path) -> None:
    """What a coin does not touch and where it is not dead on any go without saying."""
    record = read_record(path)
    for entry in record[1:80]:
        why = explain(record, str(entry.id))
        told = [named(clause.facts) for clause in why.clauses]
        assert not any("nothing" in facts for facts in told), told
