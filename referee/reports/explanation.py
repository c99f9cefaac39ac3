"""Why the rules judged one entry as they did: what was measured, which clauses had to be met, and
which of them were met.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

import msgspec

from referee.domain.call import Call, Irregularity, Question, Verdict, plain
from referee.domain.clause import Clause
from referee.domain.declaration import Said
from referee.domain.entry import Entry, Ruling, added_id
from referee.domain.entry import plain as plain_entry
from referee.domain.errors import InputError
from referee.domain.incident import AtRest, Flicked, Measured
from referee.games.clauses import clauses_of, clauses_of_kept_flick, clauses_of_kept_shot
from referee.games.words import option
from referee.replay.adjudication import summary
from referee.replay.fold import Fold, extend, fold
from referee.replay.playing.judge import MOVING
from referee.replay.rulings.items import AsPlayed, Fate, Item, Step
from referee.replay.rulings.shots import knows_pawns
from referee.replay.rulings.too_close import too_close_of
from referee.reports.difference import Difference, difference
from referee.reports.flick_explanation import InFlick, flick_of

#: The state of an entry that a question is about.
ASKED: Final = "play waits for an answer about it"
#: The clause of an entry that nobody needs to decide. Later clauses say how it would be judged.
UNASKED: Final = (
    "It is too close to call, but makes no difference at rest: it is not applied, and nobody is"
    " asked. If it had happened:"
)
#: The state of an entry that is not applied and about which nobody is asked.
LEFT_OUT: Final[Mapping[str, str]] = {
    "left out": "it is left out, because it is too unlikely",
    "in doubt": "it is left out, because it is too close to call and makes no difference",
}
#: What clauses are about, in the order in which the rules decide.
STAGES: Final = ("call", "step", "flicks")


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """One entry explained. `state` says in words whether it counts. `turn` and `standings` are
    those just before the entry.

    `flick` says what people must know first about the flick that the entry is in: that it counts
    for nothing, or that a ruling let it stand.
    """

    on: str
    entry: dict[str, Any]
    state: str
    flick: InFlick | None = None
    rulings: tuple[Ruling, ...] = ()
    clauses: tuple[Clause, ...] = ()
    calls: tuple[Call, ...] = ()
    irregularities: tuple[Irregularity, ...] = ()
    questions: tuple[Question, ...] = ()
    turn: dict[str, Any] = {}
    standings: tuple[dict[str, Any], ...] = ()
    makes: Difference | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the explanation as plain values. The field `makes` holds the difference that a
        ruling makes.
        """
        return {
            "on": self.on,
            "entry": self.entry,
            "state": self.state,
            "flick": (
                None
                if self.flick is None
                else {"on": self.flick.on, "text": self.flick.text, "rule": self.flick.rule}
            ),
            "rulings": [plain_entry(ruling) for ruling in self.rulings],
            "clauses": [
                {"text": clause.text, "met": clause.met, "about": clause.about, **clause.facts}
                for clause in self.clauses
            ],
            "calls": [plain(call) for call in self.calls],
            "irregularities": [plain(odd) for odd in self.irregularities],
            "questions": [plain(question) for question in self.questions],
            "turn": self.turn,
            "standings": list(self.standings),
            "makes": None if self.makes is None else self.makes.as_json(),
        }


def explain(entries: Sequence[Entry], name: str) -> Explanation:
    """Explain the entry `name` (or "setup"). Raises InputError if there is no such entry, and
    for a game whose rules are not known.
    """
    folded = fold(entries)
    if name == "setup":
        return _of_opening(folded, entries)
    ruling = next(
        (entry for entry in folded.entries if isinstance(entry, Ruling) and entry.id == name), None
    )
    if ruling is not None:
        return _of_ruling(folded, ruling)
    place = next((i for i, step in enumerate(folded.steps) if step.item.id == name), None)
    if place is not None:
        return _of_step(folded, place)
    if not folded.has(name):
        raise InputError(f"--explain: there is no entry {name!r} in this record")
    return _not_reached(folded, name)


def _of_opening(folded: Fold, entries: Sequence[Entry]) -> Explanation:
    calls, odd, asked = _parted(folded.opening)
    state = (
        "the match begins with it"
        if folded.setup is folded.first_setup
        else "a ruling has replaced it with another setup"
    )
    about = tuple(e for e in folded.entries if isinstance(e, Ruling) and e.on == "setup")
    return Explanation(
        on="setup",
        entry=plain_entry(entries[0]),
        state=state,
        rulings=about,
        calls=calls,
        irregularities=odd,
        questions=asked,
    )


def _of_ruling(folded: Fold, ruling: Ruling) -> Explanation:
    holds = folded.rulings.in_force(ruling)
    without = summary(
        extend(folded, Ruling(id=f"{ruling.id}-without", on=ruling.id, verdict="overturned"))
        if holds
        else folded
    )
    return Explanation(
        on=str(ruling.id),
        entry=plain_entry(ruling),
        state="it holds" if holds else "a later ruling has overturned it",
        rulings=_about(folded, str(ruling.id)),
        makes=difference(without, summary(folded)),
    )


def _not_reached(folded: Fold, name: str) -> Explanation:
    entry, question = next((e for e in folded.entries if e.id == name), None), folded.question
    asked = () if question is None else (question,)
    shown, about = {} if entry is None else plain_entry(entry), _about(folded, name)
    if (
        question is None
        or entry is None
        or name not in (question.on, question.other)
        or isinstance(entry, Ruling)
    ):
        waits = "" if question is None else f": play waits for an answer about {question.on}"
        return Explanation(
            on=name,
            entry=shown,
            state=f"it has not been replayed yet{waits}",
            rulings=about,
            questions=asked,
        )
    before, item = folded.state, Item(name, 0, entry)
    rows = (
        *_happened(folded, item, asked),
        *clauses_of(folded.setup.game, before, entry, upheld=False),
    )
    return Explanation(
        on=name,
        entry=shown,
        state=ASKED,
        rulings=about,
        clauses=rows,
        questions=asked,
        turn=folded.game.turn(before),
        standings=tuple(folded.game.standings(before)),
    )


def _of_step(folded: Fold, place: int) -> Explanation:
    step = folded.steps[place]
    item, before, flick = step.item, _state_before(folded, place), flick_of(folded, place)
    verdicts = [
        verdict
        for other in folded.steps[place:]
        for verdict in other.verdicts
        if verdict.on == item.id
    ]
    if folded.question is not None and folded.question.on == item.id:
        verdicts.append(folded.question)
    calls, odd, asked = _parted(verdicts)
    return Explanation(
        on=item.id,
        entry=plain_entry(item.entry),
        state=_state_of(folded, item, flick),
        flick=flick,
        rulings=_about(folded, item.id),
        clauses=_clauses(folded, place, verdicts, flick),
        calls=calls,
        irregularities=odd,
        questions=asked,
        turn=folded.game.turn(before),
        standings=tuple(folded.game.standings(before)),
    )


def _state_before(folded: Fold, place: int) -> Any:
    item, state = folded.steps[place].item, folded.steps[place - 1].state if place else folded.begun
    pawns = knows_pawns(folded.game)
    if pawns is None or item.as_played is None or isinstance(item.entry, Ruling):
        return state
    return pawns.kept_state(state, item.as_played.was, item.as_played.ended, item.entry)[0]


def _parted(
    verdicts: Sequence[Verdict],
) -> tuple[tuple[Call, ...], tuple[Irregularity, ...], tuple[Question, ...]]:
    return (
        tuple(one for one in verdicts if isinstance(one, Call)),
        tuple(one for one in verdicts if isinstance(one, Irregularity)),
        tuple(one for one in verdicts if isinstance(one, Question)),
    )


def _about(folded: Fold, name: str) -> tuple[Ruling, ...]:
    """Return every ruling about an entry, in order, whether or not it holds. A ruling that added
    the entry is included.
    """
    rulings = (entry for entry in folded.entries if isinstance(entry, Ruling))
    return tuple(
        r
        for r in rulings
        if (added_id(r) == name if r.verdict == "added" else name in (r.on, r.other))
    )


def _state_of(folded: Fold, item: Item, flick: InFlick | None) -> str:
    if item.fate is Fate.TAKEN_AWAY and not isinstance(item.entry, Flicked):
        return "it was taken away with its flick"
    if item.fate is Fate.REWOUND:
        return "a later ruling took back the play that it was part of"
    decision = folded.rulings.decision(item.id)
    if not item.counts:
        return "it was overturned" if decision is not None else "it does not count"
    if folded.question is not None and folded.question.on == item.id:
        return ASKED
    if (certainty := too_close_of(folded.setup).certainty(item)) in LEFT_OUT:
        return LEFT_OUT[certainty]
    words = {
        "upheld": "a ruling upholds it",
        "replaced": "a ruling replaced the recorded entry by it",
    }
    if decision is not None and decision.verdict in words:
        return words[decision.verdict]
    if flick is not None and flick.void and not item.fate.flick_is_gone:
        return "it is void" if flick.on == item.id else "it is part of a void flick"
    if item.fate.void:
        return "it is void"
    return "a ruling has added it" if item.added else "it counts as recorded"


def _clauses(
    folded: Fold, place: int, verdicts: Sequence[Verdict], flick: InFlick | None
) -> tuple[Clause, ...]:
    """Return the clauses that were checked, in their order. If a clause about whether the entry
    happened is not met, leave the rules' clauses out, unless it is too close to call whether it
    happened.
    """
    item = folded.steps[place].item
    if flick is not None and not item.counts:
        return ()
    first = _happened(folded, item, verdicts)
    if (
        isinstance(item.entry, Ruling)
        or item.fate.flick_is_gone
        or item.fate is Fate.REWOUND
        or (first and first[0].met is False and first[0].text != UNASKED)
    ):
        return first
    kept = item.as_played
    if kept is not None and (kept.was is not None or kept.passes or item.fate.void):
        return (*first, *_kept(folded, place, kept))
    rows = clauses_of(
        folded.setup.game,
        _state_before(folded, place),
        item.entry,
        upheld=item.upheld,
        judged_at=_judged_at(folded, place, verdicts),
    )
    if isinstance(item.entry, MOVING):
        rows = _reached(rows, void=flick is not None and flick.void)
    return (*first, *rows)


def _kept(folded: Fold, place: int, kept: AsPlayed) -> tuple[Clause, ...]:
    """Return the clauses of an entry that a ruling keeps as it was played."""
    item, before = folded.steps[place].item, folded.begun
    if place:
        before = folded.steps[place - 1].state
    game, entry = folded.setup.game, item.entry
    assert not isinstance(entry, Ruling)
    if kept.was is not None:
        return clauses_of_kept_shot(game, before, kept.was, kept.ended, entry)
    return clauses_of_kept_flick(
        game,
        before,
        entry,
        passes=kept.passes,
        given_up=kept.given_up,
        void=item.fate.void,
        upheld=item.upheld,
    )


def _reached(rows: Sequence[Clause], *, void: bool) -> tuple[Clause, ...]:
    """Leave out the clauses that no longer matter: an entry without effect makes no step, and
    without a step it earns no flick.

    In a `void` flick no entry earns a flick, and the explanation has already said that.
    """
    failed = next(
        (STAGES.index(clause.about) for clause in rows if clause.met is False), len(STAGES)
    )
    if void and failed == STAGES.index("flicks"):
        return tuple(takewhile(lambda clause: clause.met is not False, rows))
    return tuple(clause for clause in rows if STAGES.index(clause.about) <= failed)


def _judged_at(folded: Fold, place: int, verdicts: Sequence[Verdict]) -> tuple[Any, AtRest] | None:
    """Return the `at_rest` at which the entry was judged, and the state just before that `at_rest`;
    None if the entry was judged at its own time.
    """
    own = folded.steps[place]
    if not verdicts or any(verdict.on == own.item.id for verdict in own.verdicts):
        return None
    for later in range(place + 1, len(folded.steps)):
        step: Step = folded.steps[later]
        if isinstance(step.item.entry, AtRest) and step.item.counts:
            return _state_before(folded, later), step.item.entry
    return None


def _happened(folded: Fold, item: Item, verdicts: Sequence[Verdict]) -> tuple[Clause, ...]:
    """Return whether it is certain enough that the entry happened, with what was measured."""
    entry = item.entry
    if isinstance(entry, Said):
        return (
            Clause(
                text=(
                    "It was declared."
                    if not entry.guessed
                    else "The program inferred it from what hands did."
                ),
                met=item.counts,
            ),
        )
    if not isinstance(entry, Measured):
        return ()
    facts = {
        name: getattr(entry, name)
        for name in ("margin_mm", "sigma_mm", "probability")
        if getattr(entry, name) is not None
    }
    if item.upheld or item.given or not item.counts:
        return (
            Clause(
                text="A ruling says that it happened." if item.counts else "It counts.",
                met=item.counts,
                facts=facts,
            ),
        )
    if entry.probability is None:
        return (
            Clause(
                text="It happened: no probability is given, so it is certain.",
                met=True,
                facts=facts,
            ),
        )
    low, high = option(folded.setup.options, folded.setup.game, "too_close_band")
    facts["too_close_band"] = [low, high]
    if low <= entry.probability <= high:
        return (_too_close(folded, verdicts, facts),)
    return (
        Clause(
            text="It is likely enough that it happened.", met=entry.probability > high, facts=facts
        ),
    )


def _too_close(folded: Fold, verdicts: Sequence[Verdict], facts: dict[str, Any]) -> Clause:
    setting = option(folded.setup.options, folded.setup.game, "too_close")
    if setting == "ask" and not any(isinstance(one, Question) for one in verdicts):
        return Clause(text=UNASKED, met=False, facts=facts)
    if setting == "ask":
        return Clause(text="It is too close to call: people must decide.", met=None, facts=facts)
    side = "for" if setting == "for-striker" else "against"
    return Clause(
        text=(
            f"It is too close to call. The options say to decide it {side} the player whose turn it"
            " is."
        ),
        met=bool(verdicts),
        facts=facts,
    )
