"""Explains a flick that was taken away, is void or earns nothing, for the entries in it: which
flick it is, why, and by which rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from referee.domain.call import Irregularity
from referee.domain.entry import Ruling, added_id
from referee.domain.incident import Flicked, Measured
from referee.replay.fold import Fold
from referee.replay.rulings.items import Fate, Item, Step

#: What a wrong flick does not give when a ruling lets it stand.
LET_STAND: Final = {"carroms": "what falls in it earns no flick and does not win"}
NO_HITS: Final = "contacts in it do not count as hits"
#: What still counts of a flick to which its player had no right.
STAYS: Final = {
    "carroms": (
        "The player's own coins and the black coin go back if they fell in it; the opponent's stay"
        " down."
    )
}
OTHERS_COUNT: Final = (
    "Every other coin counts as knocked, and all coins stay where they came to rest."
)


class InFlick(msgspec.Struct, frozen=True, kw_only=True):
    """What people must know about a flick before they read about an entry in it. `on` is the flick;
    `void` is True if it earns its player nothing.
    """

    on: str
    text: str
    rule: str = ""
    void: bool = True


def flick_of(folded: Fold, place: int) -> InFlick | None:
    """Return what people must know about the flick that a step belongs to; None if it is an
    ordinary flick, or if the step is between flicks.
    """
    item = folded.steps[place].item
    if not isinstance(item.entry, Measured):
        return None
    if item.fate is Fate.REWOUND:
        return _taken_back(folded, place)
    start = _start(folded.steps, place)
    if start is None:
        return None
    flick = folded.steps[start].item
    if flick.fate is Fate.TAKEN_AWAY:
        return _gone(folded, start)
    if flick.fate.void:
        return _void(folded, folded.steps[start])
    return _let_stand(folded, folded.steps[start]) if flick.upheld else None


def _start(steps: Sequence[Step], place: int) -> int | None:
    """Return the index of the step that begins the flick to which the step at `place` belongs, even
    if the flick was taken away.
    """
    item = steps[place].item
    if isinstance(item.entry, Flicked):
        return place
    if item.fate.flick_is_gone:
        return next(
            (
                i
                for i in range(place, -1, -1)
                if isinstance(steps[i].item.entry, Flicked)
                and steps[i].item.fate is Fate.TAKEN_AWAY
            ),
            None,
        )
    return steps[place - 1].flick_from if place else None


def _void(folded: Fold, flick: Step) -> InFlick:
    odd = next(
        (
            one
            for one in flick.verdicts
            if isinstance(one, Irregularity) and one.what == "void_entitlement"
        ),
        None,
    )
    why, rule = ("Its player had no right to it.", "") if odd is None else (odd.text, odd.rule)
    return InFlick(
        on=flick.item.id,
        text=(f"{_this(flick.item)} is void. {why} {STAYS.get(folded.setup.game, OTHERS_COUNT)}"),
        rule=rule,
    )


def _let_stand(folded: Fold, flick: Step) -> InFlick | None:
    wrong = next(
        (one for one in flick.verdicts if isinstance(one, Irregularity) and not one.placement), None
    )
    if wrong is None:
        return None
    nothing = LET_STAND.get(folded.setup.game, NO_HITS)
    return InFlick(
        on=flick.item.id,
        text=f"A ruling lets the flick {flick.item.id} stand: {nothing}. {wrong.text}",
        rule=wrong.rule,
        void=False,
    )


def _gone(folded: Fold, start: int) -> InFlick:
    flick = folded.steps[start].item
    wrong = _wrong(folded, start)
    because = "" if wrong is None else f" {wrong.text}"
    return InFlick(
        on=flick.id,
        text=f"{_this(flick)} counts for nothing: {_why_gone(folded, flick)}.{because}",
        rule="" if wrong is None else wrong.rule,
    )


def _why_gone(folded: Fold, flick: Item) -> str:
    ruling = folded.rulings.decision(flick.id)
    if ruling is not None and ruling.verdict == "overturned":
        return _decided(ruling, "overturned it")
    return (
        "the ruling that added it was taken back"
        if flick.added and not flick.counts
        else "it is too unlikely that it was made"
    )


def _wrong(folded: Fold, start: int) -> Irregularity | None:
    """Return the irregularity of a flick that no longer counts; None if it has none."""
    entry, state = (
        folded.steps[start].item.entry,
        folded.steps[start - 1].state if start else folded.begun,
    )
    assert isinstance(entry, Flicked)
    told = folded.game.apply(state, entry, upheld=False)[1]
    return next((one for one in told if isinstance(one, Irregularity) and not one.placement), None)


def _taken_back(folded: Fold, place: int) -> InFlick:
    """Return what people must know about play that a ruling took back. The text names the first
    such ruling after the item that is about the item or about an earlier entry.
    """
    item = folded.steps[place].item
    lines = {str(entry.id): line for line, entry in enumerate(folded.entries)}
    for line, entry in enumerate(folded.entries):
        if (
            line <= item.line
            or not isinstance(entry, Ruling)
            or entry.then != "rewind"
            or not folded.rulings.in_force(entry)
        ):
            continue
        about = (
            added_id(entry) if entry.verdict == "added" else folded.rulings.entry_of(str(entry.on))
        )
        if lines.get(folded.rulings.root(about), -1) <= item.line:
            return InFlick(
                on=item.id,
                text=(
                    "It counts for nothing:"
                    f" {_decided(entry, 'took back what was played after it')}."
                ),
            )
    return InFlick(
        on=item.id,
        text="It counts for nothing: a later ruling took back the play that it belongs to.",
    )


def _this(flick: Item) -> str:
    return f"The flick {flick.id}"


def _decided(ruling: Ruling, what: str) -> str:
    reason = f" ({ruling.reason})" if ruling.reason else ""
    return f"{ruling.by or f'the ruling {ruling.id}'} {what}{reason}"
