"""Where flicks begin and end among a record's items, and which items go with a flick that is taken
away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.domain.incident import AtRest, Flicked
from referee.replay.effective_entries import Item

#: What begins and ends flicks.
FRAMING = (Flicked, AtRest)


def flick_is_running(items: Sequence[Item]) -> bool:
    """Whether a flick is under way behind these items."""
    for item in reversed(items):
        if item.counts and isinstance(item.entry, FRAMING):
            return isinstance(item.entry, Flicked)
    return False


def end_of_flick(items: Sequence[Item], start: int) -> int:
    """The place behind the flick that begins at `start`."""
    for place in range(start + 1, len(items)):
        item = items[place]
        if item.counts and isinstance(item.entry, AtRest):
            return place + 1
        if item.counts and isinstance(item.entry, Flicked):
            return place
    return len(items)


def is_being_taken_away(items: Sequence[Item], end: int, *, but_added: bool = False) -> bool:
    """Whether behind the first `end` items a flick is being taken away, so that what follows goes
    with it; `but_added`: as an entry of the record sees it.
    """
    while but_added and end and items[end - 1].added:
        end -= 1
    return end > 0 and items[end - 1].gone and not isinstance(items[end - 1].entry, AtRest)


def goes_with_flick(
    item: Item, items: Sequence[Item], never_happened: Callable[[Item], bool]
) -> bool:
    """Whether the item behind `items` is taken away with the flick it stands in: one that was
    overturned, or never happened.
    """
    if isinstance(item.entry, Flicked) and (item.counts or not item.added):
        return not item.counts or never_happened(item)
    return is_being_taken_away(items, len(items), but_added=not item.added)
