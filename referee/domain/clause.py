"""The clauses of the rules: the conditions for a call, and whether they were met."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec


class Condition(msgspec.Struct, frozen=True, gc=False):
    """One condition that the rules checked for the entry `on`. `code` is the game's own name for
    it.

    `met` is None if it depends on a question that is not answered yet. `details` are the values
    that the game needs to put the condition into words later.
    """

    on: str
    code: str
    met: bool | None
    details: tuple[Any, ...] = ()


class Reasons:
    """Collects the conditions by which the rules decide one entry, in the order in which the rules
    check them.

    A rule checks a condition with `holds` and acts on the answer. So the decision and its
    explanation cannot differ. If nobody wants an explanation, the rules get `NO_REASONS`, which
    collects nothing.
    """

    __slots__ = ("conditions", "on")

    def __init__(self, on: str) -> None:
        """Collect the conditions that decide the entry with the id `on`."""
        self.on = on
        self.conditions: list[Condition] = []

    def holds(self, code: str, met: bool | None, *details: Any) -> bool:
        """Note a condition and return whether it is met; False if nobody can know it yet."""
        self.conditions.append(Condition(self.on, code, met, details))
        return bool(met)

    def fails(self, code: str, failed: bool, *details: Any) -> bool:
        """Return whether a condition fails, and note it only if it fails. A condition that is met
        needs no explanation.
        """
        return failed and not self.holds(code, False, *details)

    def succeeds(self, code: str, met: bool, *details: Any) -> bool:
        """Return whether a condition is met, and note it only if it is met."""
        return met and self.holds(code, True, *details)

    def about(self, on: str) -> Reasons:
        """Return a collector for another entry, which notes conditions in the same list. It is used
        for entries that are judged only once all pieces lie still.

        Conditions noted earlier for that entry are removed from the list, because the entry is
        judged anew.
        """
        self.conditions[:] = [one for one in self.conditions if one.on != on]
        other = Reasons(on)
        other.conditions = self.conditions
        return other


class _NoReasons(Reasons):
    """Answers like `Reasons`, but collects nothing."""

    __slots__ = ()

    def holds(self, code: str, met: bool | None, *details: Any) -> bool:
        """Return whether the condition is met, without noting it."""
        return bool(met)

    def about(self, on: str) -> Reasons:
        """Return this same object: it collects nothing about any entry."""
        return self


NO_REASONS: Final = _NoReasons("")


class Clause(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One condition of a rule in words. `text` says what must hold.

    `met` is None if it depends on a question that is not answered yet. `about` says what depends on
    the condition: the whole call, the flicks that the call earns or loses, or a step of the course.
    `facts` are the values by which the condition was judged, with the units in their names.
    """

    text: str
    met: bool | None
    about: Literal["call", "flicks", "step"] = "call"
    facts: dict[str, Any] = {}
