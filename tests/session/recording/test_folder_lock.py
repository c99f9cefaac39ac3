"""One program at a time referees into a folder, and the lock of a killed program is free."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from referee.desk.serving.hosting import Hosting
from referee.domain.errors import InputError
from referee.session.recording.folder_lock import folder_lock
from referee.session.watching import watch
from tests.clips.bundled import options, true_table
from tests.commands.processes import running

HOLDS = """
import sys, time
from pathlib import Path
from referee.session.recording.folder_lock import folder_lock

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


@pytest.mark.parametrize("how", [{}, {"overwrite": True}, {"resume": True}])
def test_who_is_refused_has_served_and_printed_nothing(
    how: dict[str, bool], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = options("wicket-missed", true_table("wicket-missed"), tmp_path)
    with (
        running("-c", HOLDS, tmp_path, stdout=subprocess.PIPE) as other,
        pytest.raises(InputError, match="referees this match already"),
    ):
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        shown = replace(asked, ui=True, hosting=Hosting(browser=False), greeting="Ctrl-C ends it.")
        watch(replace(shown, out=tmp_path, **how))
    assert capsys.readouterr().out == ""


def test_resume_and_overwrite_together_are_refused_before_anything_is_served(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = options("wicket-missed", true_table("wicket-missed"), tmp_path)
    both = replace(asked, out=tmp_path, resume=True, overwrite=True)
    with pytest.raises(InputError, match="use only one of them"):
        watch(replace(both, ui=True, hosting=Hosting(browser=False)))
    assert capsys.readouterr().out == ""
