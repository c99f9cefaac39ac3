"""Records on disk, and commands run on them as people run them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from referee import cli
from tests.record.matches import text_of

Run = Callable[..., str]


def written(path: Path, first: Mapping[str, Any], *lines: str | Mapping[str, Any]) -> Path:
    """A record of a few words, as a file."""
    path.write_bytes(text_of(first, *lines))
    return path


def runner(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command; its output. `status` is the exit status it must have; of one that is not 0 the
    errors are given.
    """

    def run(*words: object, status: int = 0) -> str:
        try:
            ended: object = cli.run([str(word) for word in words])
        except SystemExit as end:
            ended = end.code
        out, err = capfd.readouterr()
        assert ended == status, err
        assert "Traceback" not in err
        if status:
            assert out == ""
            return err
        return out

    return run


def as_json(text: str) -> Any:
    """What a command printed as JSON."""
    return json.loads(text)
