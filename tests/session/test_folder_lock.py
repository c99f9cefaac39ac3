"""One program at a time referees into a folder, and the lock of a killed program is free."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from referee.domain.errors import InputError
from referee.session.folder_lock import folder_lock
from tests.commands.processes import running

HOLDS = """
import sys, time
from pathlib import Path
from referee.session.folder_lock import folder_lock

with folder_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_program_is_refused_in_a_line_that_names_the_first(tmp_path: Path) -> None:
    with running("-c", HOLDS, tmp_path, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        with (
            pytest.raises(InputError, match=rf"process {other.pid} referees this match already"),
            folder_lock(tmp_path),
        ):
            pass


def test_the_lock_of_a_killed_program_is_taken_over(tmp_path: Path) -> None:
    with running("-c", HOLDS, tmp_path, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        other.kill()
        other.wait()
    assert [file.name for file in tmp_path.iterdir()] == ["watch.lock"]
    with folder_lock(tmp_path):
        pass
    assert not list(tmp_path.iterdir())


def test_the_lock_ends_with_an_error(tmp_path: Path) -> None:
    with pytest.raises(BlockingIOError, match="of something else"), folder_lock(tmp_path):
        raise BlockingIOError("of something else")
    with folder_lock(tmp_path):
        pass
