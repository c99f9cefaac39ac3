"""Says what is wrong with a live source while it runs, each kind of trouble once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

_NUMBER: Final = re.compile(r"\d+")


class SourceNotes:
    """Says the notes of a source. A note that only counts further is not said again."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._said: set[str] = set()

    def tell(self, notes: Iterable[str]) -> None:
        """Say the notes that are new."""
        for note in notes:
            kind = _NUMBER.sub("#", note)
            if kind not in self._said:
                self._said.add(kind)
                self._say(note)
