"""A command loads what it needs when it has something to do, so that its help comes at once."""

from __future__ import annotations

import pytest

from tests.module_imports import loaded_with, within


@pytest.mark.parametrize(
    ("command", "part"),
    [("follow", "referee.replay"), ("rules", "referee.replay"), ("watch", "referee.session")],
)
def test_the_help_of_a_command_does_not_wait_for(command: str, part: str) -> None:
    loaded = loaded_with(f"referee.commands.{command}", set())
    assert not [module for module in loaded if within(module, part)]


def test_a_command_that_begins_with_a_replay_shows_that_this_can_fail() -> None:
    loaded = loaded_with("referee.commands.adjudicate", set())
    assert "referee.replay.fold" in loaded
