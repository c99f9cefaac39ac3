"""Writes records to disk, and runs commands on them as people do."""

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
    """Write a record from short texts, as a file."""
    path.write_bytes(text_of(first, *lines))
    return path


def runner(capfd: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command and returns its output. `status` is the exit status
    that it must have. With a status other than 0, the function returns the errors.
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
    """Return the JSON that a command printed."""
    return json.loads(text)
