"""Tests the documentation: the real readers and commands accept its examples, and everything that
it names exists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import click
import msgspec
import pytest
from click.testing import CliRunner

from calibration.store.piece_store import read_pieces
from calibration.store.store import read_camera, read_table
from referee.cli import cli
from referee.domain.entry import GameName
from referee.domain.incident import Measured
from referee.free_play.free_lines import read_lines
from referee.games.words import words_of
from referee.session.match_file import read_match

ROOT = Path(__file__).resolve().parent.parent
FOR_PLAYERS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
FOR_AUTHORS = [
    ROOT / "CONTRIBUTING.md",
    ROOT / "benchmarks" / "README.md",
    ROOT / "fixtures" / "README.md",
    ROOT / "fixtures" / "matches" / "README.md",
]
PAGES = [*FOR_PLAYERS, *FOR_AUTHORS]
MOST_LINES = 200  # of the README; longer texts go to docs/
FOLDERS = ("calibration", "referee", "web_ui", "fixtures", "tests", "benchmarks", "docs")
READERS: dict[str, Callable[[Path], Any]] = {
    "match.yaml": read_match,
    "camera.yaml": read_camera,
    "table.yaml": read_table,
    "pieces.yaml": read_pieces,
    "lines.yaml": partial(read_lines, with_mm=True),
}


def each_page(pages: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(ROOT)))


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path, language: str) -> list[tuple[str, str]]:
    """Return the fenced blocks of one language, each with the name after the language ("" for
    none).
    """
    fence = rf"^( *)```{language}(?: (\S+))?\n(.*?)^ *```$"
    found = re.findall(fence, text_of(page), re.MULTILINE | re.DOTALL)
    return [
        (name, re.sub(rf"^{indent}", "", body, flags=re.MULTILINE)) for indent, name, body in found
    ]


def spans(page: Path) -> list[str]:
    """Return what is between backticks in a page's running text."""
    running = re.sub(r"^ *```.*?^ *```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"`([^`\n]+)`", running)


YAML = [body for page in PAGES for _, body in blocks(page, "yaml")]
RECORDS = dict(block for page in PAGES for block in blocks(page, "json"))
SHOWN = [(page, *body.split("\n", 1)) for page in PAGES for _, body in blocks(page, "console")]


def test_the_layout_names_every_package_of_the_referee() -> None:
    (layout,) = (body for _, body in blocks(ROOT / "README.md", "text"))
    packages = {path.name for path in (ROOT / "referee").iterdir() if any(path.glob("*.*"))}
    packages -= {"__pycache__"}
    named = set(re.findall(r"^  (\w+)/", layout, re.MULTILINE))
    assert named == packages


def test_the_readme_is_short() -> None:
    assert len(text_of(ROOT / "README.md").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("body", YAML, ids=range(len(YAML)))
def test_a_yaml_example_is_read_by_its_reader(tmp_path: Path, body: str) -> None:
    path = tmp_path / body.split("\n")[0].removeprefix("# ")
    path.write_text(body, encoding="utf-8")
    READERS[path.name](path)


def test_each_file_that_people_write_has_an_example() -> None:
    assert {body.split("\n")[0] for body in YAML} == {f"# {name}" for name in READERS}


def test_the_options_shown_first_are_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "match.yaml"
    path.write_text(next(body for body in YAML if body.startswith("# match")), encoding="utf-8")
    match = read_match(path)
    assert match.coins == ("moons", "null", "2")
    assert match.options
    for name, value in match.options.items():
        default = words_of(match.game).options[name].default
        assert value == (list(default) if isinstance(default, tuple) else default), name


@pytest.mark.parametrize("what", ["check", "adjudicate"])
@pytest.mark.parametrize("name", RECORDS)
def test_a_record_shown_is_started_by_the_commands(tmp_path: Path, name: str, what: str) -> None:
    path = tmp_path / name
    path.write_text(RECORDS[name], encoding="utf-8")
    done = CliRunner().invoke(cli, [what, str(path)])
    assert (done.exit_code, done.stderr) == (0, "")


def test_every_game_has_a_first_line_for_single_players_or_for_teams() -> None:
    records = [msgspec.json.decode(body.splitlines()[0]) for body in RECORDS.values()]
    assert {record["game"] for record in records} == set(get_args(GameName))
    fields = {field for record in records for player in record["players"] for field in player}
    assert fields == {"name", "coin", "pawn", "pawns", "team", "progress"}


@pytest.mark.parametrize(("page", "command", "shown"), SHOWN, ids=[line for _, line, _ in SHOWN])
def test_what_a_command_is_shown_to_print_is_what_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: Path, command: str, shown: str
) -> None:
    for name, record in blocks(page, "json"):
        (tmp_path / name).write_text(record, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    words = command.removeprefix("$ referee ").split()
    done = CliRunner().invoke(cli, words, env={"COLUMNS": "80"})
    assert [line.rstrip() for line in done.stdout.splitlines()] == shown.splitlines()


def test_the_page_on_records_names_every_kind_of_entry_and_its_fields() -> None:
    named = set(spans(ROOT / "docs" / "records.md"))
    carried = {field.encode_name for field in msgspec.structs.fields(Measured)} | {"player"}
    for game in get_args(GameName):
        words = words_of(game)
        for kind, entry in {**words.incidents, **words.declarations}.items():
            fields = {field.encode_name for field in msgspec.structs.fields(entry)}
            assert {kind, *fields} - carried - {"guessed"} <= named, (game, kind)


def commands() -> Iterator[str]:
    for page in PAGES:
        shell = [body for language in ("sh", "powershell") for _, body in blocks(page, language)]
        for line in [*"\n".join(shell).splitlines(), *spans(page)]:
            found = re.search(r"(?:^|\\)(referee [a-z][^#]*)", line)
            if found:
                yield found[1].strip()


@pytest.mark.parametrize("line", sorted(set(commands())))
def test_every_command_and_option_exists(line: str) -> None:
    words = line.split()[1:]
    command: click.Command = cli
    context = click.Context(cli)
    while isinstance(command, click.Group) and words:
        found = command.get_command(context, words.pop(0))
        assert found is not None, line
        command = found
    known = {"--help", *(option for parameter in command.params for option in parameter.opts)}
    assert {word for word in words if word.startswith("--")} <= known


def every_command(group: click.Group) -> Iterator[click.Command]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from every_command(command)
        elif command is not None:
            yield command


def test_the_readme_shows_what_people_start_with() -> None:
    named = " ".join(commands())
    calibrated = ("calibrate sheet", "calibrate lens", "calibrate pieces", "calibrate table")
    wanted = ("watch", "adjudicate", "demo", "follow", *calibrated)
    assert all(f"referee {name}" in named for name in wanted)


@each_page(FOR_PLAYERS)
def test_options_named_in_the_text_exist(page: Path) -> None:
    params = [param for command in every_command(cli) for param in command.params]
    known = {"--help", "--editable", *(option for param in params for option in param.opts)}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text_of(page))) <= known


@each_page(PAGES)
def test_make_targets_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    shell = [body for _, body in blocks(page, "sh")]
    for target in re.findall(r"\bmake ([a-z-]+)", " ".join([*shell, *spans(page)])):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@each_page(PAGES)
def test_modules_to_be_run_exist(page: Path) -> None:
    ours = [name for name in re.findall(r"python -m ([\w.]+)", text_of(page)) if "." in name]
    assert all(find_spec(name) for name in ours), ours


@each_page(PAGES)
def test_paths_named_in_the_text_exist(page: Path) -> None:
    for span in spans(page):
        if span.split("/")[0] in FOLDERS and not re.search(r"[A-Z]{4}| ", span):
            assert (ROOT / span).exists(), span


def anchors(page: Path) -> set[str]:
    """Return what a link may point to in a page: its headings, as GitHub names them."""
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@each_page(PAGES)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", text_of(page)):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_layout_shown_is_the_one_there_is() -> None:
    ((_, tree),) = blocks(ROOT / "README.md", "text")
    folder = ""
    for line in tree.splitlines():
        name = line.split()[0]
        if not line.startswith(" "):
            folder = name
        path = ROOT / (folder + name if line.startswith(" ") else name)
        assert path.exists(), path
        assert path.is_dir() == name.endswith("/")
