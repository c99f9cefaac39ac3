"""What every game's fold promises, as functions of a record (its lines, the setup first). Each
raises AssertionError where the promise is broken.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from referee.domain.call import Call
from referee.domain.declaration import Said
from referee.domain.entry import Entry, Ruling
from referee.domain.errors import InputError
from referee.domain.incident import Measured
from referee.games import game_named
from referee.games.clauses import clauses_of
from referee.record.reading import lines_of, parse_record
from referee.replay.adjudication import Adjudication, adjudicate, summary
from referee.replay.fold import Fold, extend, fold
from referee.reports.explanation import explain

Line = dict[str, Any]
Lines = list[Line]
#: The name of a player's progress in a game's standings, and the calls by which its rules take some
#: of it back.
PROGRESS: dict[str, tuple[str, tuple[str, ...]]] = {
    "tabletop-croquet": ("progress", ()),
    "castle-croquetnole": ("progress", ("prisoner_released",)),
    "carroms": ("pocketed", ("penalty",)),
    "piecepack-croquet": ("hoops", ("pegged",)),
    "wickets-six": ("points", ()),
    "wickets-nine": ("points", ()),
}


def checks(examples: int) -> settings:
    """Return the settings for how often a promise is tried. Random play takes its time."""
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))


def read(lines: Lines) -> tuple[Entry, ...]:
    """Read the lines as a record."""
    return parse_record(b"".join(json.dumps(line).encode() + b"\n" for line in lines), "match")


@st.composite
def rulings(
    draw: st.DrawFn, names: list[tuple[str, str]], replacement: st.SearchStrategy[Line]
) -> Line:
    """Draw a ruling on something in the record. `names` are ids with what they are, `replacement`
    draws what a ruling puts in.
    """
    name, what = draw(st.sampled_from(names))
    if what == "ruling":
        verdict = draw(st.sampled_from(["upheld", "overturned"]))
        return {"entry": "ruling", "on": name, "verdict": verdict}
    incidents = [other for other, kind in names if kind == "incident" and other != name]
    verdict = draw(
        st.sampled_from(["upheld", "overturned", "overturned", "replaced", "added", "before"])
    )
    if verdict == "before" and (what != "incident" or not incidents):
        verdict = "upheld"
    found: Line = {
        "entry": "ruling",
        "verdict": verdict,
        "after" if verdict == "added" else "on": name,
    }
    if verdict == "before":
        found["other"] = draw(st.sampled_from(incidents))
    if verdict in ("replaced", "added"):
        found["replacement"] = draw(replacement)
    then = draw(st.sampled_from([None, None, "rewind", "keep"]))
    return found if then is None else {**found, "then": then}


def as_can_be_read(lines: Lines, line: Line) -> Line:
    """Return a further line. A ruling `before` on incidents of two flicks cannot be read, so it
    becomes `upheld`.
    """
    if line.get("verdict") != "before":
        return line
    try:
        read([*lines, line])
    except InputError:
        return {"verdict": "upheld", **{k: line[k] for k in line if k not in ("verdict", "other")}}
    return line


def judged(lines: Lines) -> Adjudication:
    """Return what the rules make of the lines."""
    return adjudicate(read(lines))


def result(folded: Fold) -> dict[str, Any]:
    """Return everything that a fold shows."""
    return summary(folded).as_json()


def ruling(verdict: str, on: str, **more: Any) -> Line:
    """Return a ruling on an entry, or after an entry where it adds one."""
    return {
        "entry": "ruling",
        "id": "rule",
        "verdict": verdict,
        "after" if verdict == "added" else "on": on,
        **more,
    }


def folds_again_to_the_same(lines: Lines) -> None:
    """Check that no entry ever raises, and that the fold is a function of the record."""
    assert judged(lines).as_json() == judged(lines).as_json()


def flicks_are_never_negative(lines: Lines) -> None:
    folded = fold(read(lines))
    for step in folded.steps:
        assert folded.game.turn(step.state).get("flicks_left", 0) >= 0
        hash(step.state)


def progress_only_grows_but_where_a_rule_takes_it_back(lines: Lines) -> None:
    folded = fold(read(lines))
    field, back = PROGRESS[lines[0]["game"]]
    before = [row[field] for row in folded.game.standings(folded.begun)]
    for step in folded.steps:
        now = [row[field] for row in folded.game.standings(step.state)]
        if not any(isinstance(verdict, Call) and verdict.call in back for verdict in step.verdicts):
            assert all(new >= old for new, old in zip(now, before, strict=True))
        before = now


def pieces_are_conserved(lines: Lines) -> None:
    """Check that every piece of the beginning appears exactly once at any time, as the same
    player's piece.
    """
    folded = fold(read(lines))
    begun = _pieces(folded.game.standings(folded.begun))
    assert (
        len({piece for _, piece in begun})
        == len(begun)
        == sum(len(player.get("pawns", "1")) for player in lines[0]["players"])
    )
    for step in folded.steps:
        assert _pieces(folded.game.standings(step.state)) == begun


def _pieces(standings: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(row["player"], row.get("pawn", row.get("coin", row["player"]))) for row in standings]


def written_and_read_again_is_the_same(lines: Lines) -> None:
    entries = read(lines)
    assert parse_record(b"".join(lines_of(entries))) == entries
    assert json.loads(json.dumps(adjudicate(entries).as_json())) == adjudicate(entries).as_json()


def one_entry_at_a_time_comes_to_the_same(lines: Lines) -> None:
    """Check that folding entry by entry gives the same, and does not change the shorter fold."""
    first, *rest = read(lines)
    folded = fold([first])
    for entry in rest:
        before = result(folded)
        longer = extend(folded, entry)
        assert result(folded) == before
        folded = longer
    assert result(folded) == judged(lines).as_json()


def reading_anew_from_the_setup_comes_to_the_same(lines: Lines) -> None:
    """Check that reading from the setup again gives the same, at any time and however often. A
    ruling has replayed only what it is about, and replaying everything must give the same.
    """
    first, *rest = read(lines)
    folded = fold([first])
    for entry in rest:
        folded.push(entry)
        if isinstance(entry, Ruling) or entry is rest[-1]:
            again, told = folded.copy(), result(folded)
            for _ in range(2):
                again.replay()
                assert result(again) == told


def overturning_an_overturn_restores(lines: Lines, data: st.DataObject) -> None:
    """Check that overturning an overturn restores the match exactly, for any entry, including
    rulings. What was overturned for a while was played differently meanwhile, and that must leave
    no trace.
    """
    entries = read(lines)
    named = [str(entry.id) for entry in entries[1:]]  # type: ignore[union-attr]
    if named:
        on = data.draw(st.sampled_from(named))
        folded = fold(entries)
        twice = extend(
            extend(folded, Ruling(id="a", on=on, verdict="overturned")),
            Ruling(id="b", on="a", verdict="overturned"),
        )
        assert result(twice) == result(folded)


def every_entry_can_be_explained(lines: Lines, data: st.DataObject) -> None:
    if len(lines) > 1:
        name = data.draw(st.sampled_from([line["id"] for line in lines[1:]]))
        assert explain(read(lines), name).as_json()["on"] == name


def clauses_can_be_told(game: str, before: Any, entry: object, *, upheld: bool) -> None:
    """Check that, whether an entry is allowed or not, each of its clauses is a sentence with a
    verdict.
    """
    if isinstance(entry, Measured | Said):
        found = clauses_of(game, before, entry, upheld=upheld)  # type: ignore[arg-type]
        assert all(isinstance(clause.met, bool) and clause.text.endswith(".") for clause in found)


def what_was_overturned_is_as_if_it_had_never_been(lines: Lines, data: st.DataObject) -> None:
    """Check this in the last flick, and in games without flicks anywhere. There, a challenge of
    something wrong is given back, which is the only difference.
    """
    begins = [i for i, line in enumerate(lines) if line.get("kind") == "flicked"]
    flicks = not hasattr(game_named(lines[0]["game"]), "pawns")
    behind = (
        range(begins[-1] + 1, len(lines))
        if begins
        else range(0)
        if flicks
        else range(1, len(lines))
    )
    apart = ("renamed", "challenge") if flicks else ("challenge",)
    places = [
        i
        for i in behind
        if lines[i].get("kind") not in apart and (lines[i]["entry"] == "incident" or not flicks)
    ]
    if places:
        place = data.draw(st.sampled_from(places))
        ruled, right = (
            judged([*lines, ruling("overturned", lines[place]["id"])]),
            judged([*lines[:place], *lines[place + 1 :]]),
        )
        same(ruled, right, *(() if flicks else ("challenges_left",)))


def what_was_added_is_as_if_it_had_been_seen(lines: Lines, new: Line, data: st.DataObject) -> None:
    """Check this in the last flick of a game with flicks."""
    lines = [line for line in lines if line.get("kind") not in ("renamed", "challenge")]
    begins = [i for i, line in enumerate(lines) if line.get("kind") == "flicked"]
    if begins:
        behind = data.draw(st.integers(begins[-1], len(lines) - 1))
        added = ruling("added", lines[behind]["id"], replacement={**new, "id": "x"})
        same(
            judged([*lines, added]),
            judged([*lines[: behind + 1], {**new, "id": "x"}, *lines[behind + 1 :]]),
        )


def same(ruled: Adjudication, right: Adjudication, *apart: str) -> None:
    """Check that a match with a ruling stands like one that had been right. Irregularities and the
    fields `apart` of a standing may differ.
    """
    rows = [
        [{key: value for key, value in row.items() if key not in apart} for row in one.standings]
        for one in (ruled, right)
    ]
    assert (rows[0], ruled.turn, ruled.winner, ruled.status) == (
        rows[1],
        right.turn,
        right.winner,
        right.status,
    )
    assert ruled.calls == right.calls


def with_keep_every_pawn_stays(
    lines: Lines, kinds: Iterable[str], out: tuple[str, ...], data: st.DataObject
) -> None:
    """If no shot was played in between, everything must be as if the roll had never happened. Calls
    in `out`, by which pawns go out, are excepted.
    """
    rolls = [line["id"] for line in lines if line.get("kind") in tuple(kinds)]
    folded = fold(read(lines))
    if not rolls or folded.question is not None:
        return
    on = data.draw(st.sampled_from(rolls))
    kept, plain = (
        extend(folded, Ruling(id="a", on=on, verdict="overturned", then=then))
        for then in ("keep", None)
    )
    if any(call.call in out for one in (folded, kept, plain) for call in one.verdict_log.calls):
        return
    pawns = folded.game.pawns  # type: ignore[attr-defined]
    assert pawns(kept.state) in (pawns(folded.state), pawns(plain.state))
