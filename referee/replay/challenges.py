"""Counts how many challenges each player has left."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from referee.domain.call import Irregularity
from referee.domain.declaration import Challenge
from referee.domain.entry import Ruling
from referee.games.words import option
from referee.replay.fold import Fold

RIGHT: Final = ("overturned", "replaced", "added")


@dataclass
class Challenges:
    """The challenges each player has `left`, and the irregularities of `refused` challenges by
    entry. `left` is empty if the options set no limit.
    """

    left: dict[str, int] = field(default_factory=dict)
    refused: dict[str, tuple[Irregularity, ...]] = field(default_factory=dict)
    waiting: list[tuple[str | None, str]] = field(default_factory=list)

    def left_of(self, player: str) -> dict[str, int]:
        """Return the field `challenges_left` of a player's standing; an empty dictionary without a
        limit.
        """
        return {"challenges_left": self.left[player]} if player in self.left else {}


def count_challenges(folded: Fold, steps: int) -> Challenges:
    """Count the challenges in the first `steps` steps of a fold. A ruling that settles one of them
    may come after these steps.
    """
    options, game = folded.setup.options, folded.setup.game
    limit, kept = (
        option(options, game, "challenges"),
        option(options, game, "challenge_kept_when_right"),
    )
    counted = Challenges()
    if limit is None:
        return counted
    counted.left = dict.fromkeys(folded.game.players(folded.begun), limit)
    made = {
        step.item.line: step
        for step in folded.steps[:steps]
        if isinstance(step.item.entry, Challenge) and step.item.counts
    }
    for line, entry in enumerate(folded.entries):
        if line in made:
            challenge = made[line].item.entry
            assert isinstance(challenge, Challenge)
            _made(
                counted, made[line].item.id, challenge, folded.game.active_player(made[line].state)
            )
        elif isinstance(entry, Ruling) and folded.rulings.in_force(entry):
            _settled(counted, entry, kept=kept)
    return counted


def _made(counted: Challenges, name: str, challenge: Challenge, active: str) -> None:
    player = challenge.player or active
    if counted.left.get(player, 0) == 0:
        text = f"{player} has no challenge left."
        counted.refused[name] = (
            Irregularity(
                on=name, what="no_challenge_left", rule="Challenges", text=text, player=player
            ),
        )
        return
    counted.left[player] -= 1
    counted.waiting.append((challenge.on, player))


def _settled(counted: Challenges, ruling: Ruling, *, kept: bool) -> None:
    about = None if ruling.verdict == "added" else ruling.on
    if ruling.verdict != "added" and about is None:
        return
    for waiting in [one for one in counted.waiting if one[0] == about]:
        counted.waiting.remove(waiting)
        if kept and ruling.verdict in RIGHT:
            counted.left[waiting[1]] += 1
