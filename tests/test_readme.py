"""The README under test: its YAML is read by the real readers, its commands, options, make targets,
links and folders exist.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from calibration.piece_store import read_pieces
from calibration.store import read_camera, read_table
from referee.cli import cli
from referee.games.words import words_of
from referee.match import read_match

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of one language, without the indent of the list they stand in."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", TEXT, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", body, flags=re.MULTILINE) for indent, body in found]


def yaml_block(name: str) -> str:
    (block,) = [block for block in blocks("yaml") if block.startswith(f"# {name}\n")]
    return block


READERS: dict[str, Callable[[Path], Any]] = {
    "match.yaml": read_match,
    "camera.yaml": read_camera,
    "table.yaml": read_table,
    "pieces.yaml": read_pieces,
}


@pytest.mark.parametrize("name", READERS)
def test_the_examples_are_read_by_the_real_readers(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(yaml_block(name), encoding="utf-8")
    READERS[name](path)


def test_every_yaml_block_is_one_of_the_four_files() -> None:
    assert {block.split("\n")[0] for block in blocks("yaml")} == {f"# {name}" for name in READERS}


def test_the_options_shown_are_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "match.yaml"
    path.write_text(yaml_block("match.yaml"), encoding="utf-8")
    match = read_match(path)
    assert match.coins == ("moons", "null", "2")
    for name, value in match.options.items():
        default = words_of(match.game).options[name].default
        assert value == (list(default) if isinstance(default, tuple) else default), name


def commands() -> list[str]:
    lines = [
        line.split("#")[0].strip()
        for language in ("sh", "powershell")
        for block in blocks(language)
        for line in block.splitlines()
    ]
    lines += re.findall(r"`(referee [a-z][^`]*)`", TEXT)
    return [line[line.index("referee ") :] for line in lines if re.search(r"(^|\\)referee ", line)]


@pytest.mark.parametrize("line", commands())
def test_every_command_and_option_exists(line: str) -> None:
    words = line.split()[1:]
    command: click.Command = cli
    context = click.Context(cli)
    while isinstance(command, click.Group) and words:
        found = command.get_command(context, words.pop(0))
        assert found is not None, line
        command = found
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known


def test_there_are_commands_to_check() -> None:
    named = " ".join(commands())
    wanted = (
        "watch",
        "adjudicate",
        "demo",
        "calibrate sheet",
        "calibrate lens",
        "calibrate pieces",
        "calibrate table",
    )
    assert all(f"referee {name}" in named for name in wanted)


def test_options_named_in_the_text_exist() -> None:
    known: set[str] = {"--help", "--editable"}
    top = [("watch",), ("demo",), ("adjudicate",), ("rule",), ("what-if",), ("rules",), ("export",)]
    for path in (*top, *(("calibrate", what) for what in ("table", "lens", "pieces", "sheet"))):
        command: click.Command | None = cli
        for name in path:
            assert isinstance(command, click.Group)
            command = command.get_command(click.Context(cli), name)
        assert command is not None
        known |= {option for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"--[a-z][a-z-]+", TEXT)) <= known


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(
        r"\bmake ([a-z]+)\b", " ".join([*blocks("sh"), *re.findall(r"`([^`]*)`", TEXT)])
    ):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_the_layout_shown_is_the_one_there_is() -> None:
    (tree,) = blocks("text")
    folder = ""
    for line in tree.splitlines():
        name = line.split()[0]
        if not line.startswith(" "):
            folder = name
        path = ROOT / (folder + name if line.startswith(" ") else name)
        assert path.exists(), path
        assert path.is_dir() == name.endswith("/")
