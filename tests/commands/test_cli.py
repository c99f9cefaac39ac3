"""The commands: what they print where, and with which status they end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from referee import cli
from referee.commands.options.camera_size import parse_size
from referee.commands.watch import parse_names
from referee.domain.errors import InputError
from tests.commands.processes import running

COINS = ("moons", "suns", "2")


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Add a function to the group as the command `trial`."""

    def add(does):  # type: ignore[no-untyped-def]
        monkeypatch.setitem(cli.cli.commands, "trial", click.command("trial")(does))

    return add


def test_bad_input_is_one_line_on_standard_error_and_status_2(added, capsys) -> None:
    def does() -> None:
        raise InputError("table.yaml: camera.fx_px: is missing")

    added(does)
    assert cli.run(["trial"]) == 2
    assert capsys.readouterr() == ("", "table.yaml: camera.fx_px: is missing\n")


def test_an_interrupted_command_ends_with_130_in_one_line(added, capsys) -> None:
    def does() -> None:
        raise KeyboardInterrupt

    added(does)
    assert cli.run(["trial"]) == 130
    assert capsys.readouterr().err.strip() == "Interrupted; what was recorded so far is kept."


@pytest.mark.parametrize("status", [0, 1, 3])
def test_a_command_gives_its_own_status(added, status: int) -> None:  # type: ignore[no-untyped-def]
    def does() -> int:
        return status

    added(does)
    assert cli.run(["trial"]) == status


def test_an_unforeseen_error_is_not_swallowed(added) -> None:  # type: ignore[no-untyped-def]
    def does() -> None:
        raise ZeroDivisionError

    added(does)
    with pytest.raises(ZeroDivisionError):
        cli.run(["trial"])


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["watch"], "referee watch: Missing argument 'SOURCE'. (see referee watch --help)"),
        (["watch", "a.mp4"], "referee watch: Missing option '--match'. (see referee watch --help)"),
        (["calibrate", "tables"], "referee calibrate: No such command 'tables'."),
        (["umpire"], "referee: No such command 'umpire'."),
    ],
)
def test_a_wrong_command_line_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], line: str
) -> None:
    assert cli.run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(line)
    assert err.count("\n") == 1


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name} " in shown for name in ("demo", "watch", "adjudicate", "calibrate"))
    assert cli.run(["calibrate", "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name} " in shown for name in ("sheet", "lens", "table", "pieces"))


def test_a_match_file_that_is_missing_stops_watching(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        cli.run(
            ["watch", "clip.mp4", "--match", str(tmp_path / "match.yaml"), "--table", "table.yaml"]
        )
        == 2
    )
    assert capsys.readouterr().err == f"{tmp_path / 'match.yaml'}: no such file\n"


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("command", ["adjudicate", "watch"])
def test_help_needs_no_vision_libraries(command: str) -> None:
    code = (
        f"import sys; from referee.cli import run; run(['{command}', '--help']); sys.exit(any(m in"
        " sys.modules for m in ('cv2', 'av', 'numpy', 'scipy')))"
    )
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Usage: referee {command}")


def test_a_reader_that_goes_away_is_no_error() -> None:
    code = (
        "import sys, click; from referee import cli; cli.cli.commands['trial'] ="
        " click.command('trial')(lambda: click.echo('line ' * 100_000));"
        " sys.exit(cli.run(['trial']))"
    )
    with running("-c", code, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
        assert writer.stdout is not None and writer.stderr is not None
        writer.stdout.close()
        assert writer.stderr.read() == ""
        assert writer.wait() == 1


def test_names_of_coins_are_places() -> None:
    assert parse_names(("suns=100,-20.5", "2=0,0"), COINS) == {
        "suns": (100.0, -20.5),
        "2": (0.0, 0.0),
    }


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (("suns",), "--name suns: should read COIN=X,Y in mm, such as suns=100,-20"),
        (("suns=1",), "--name suns=1: should read COIN=X,Y in mm, such as suns=100,-20"),
        (("suns=1,2,3",), "--name suns=1,2,3: should read COIN=X,Y in mm, such as suns=100,-20"),
        (("suns=nan,2",), "--name suns=nan,2: should read COIN=X,Y in mm, such as suns=100,-20"),
        (("arms=1,2",), "--name arms=1,2: 'arms' is not a coin of this match (moons, suns, 2)"),
        (("suns=1,2", "suns=3,4"), "--name suns=3,4: suns is named twice"),
    ],
)
def test_names_that_cannot_be_used(given: tuple[str, ...], line: str) -> None:
    with pytest.raises(InputError) as wrong:
        parse_names(given, COINS)
    assert str(wrong.value) == line


def test_sizes_of_pictures() -> None:
    assert parse_size("1920x1080") == (1920, 1080)
    for text in ("1920", "1920x", "0x5", "axb", "-1x5"):
        with pytest.raises(InputError, match="should read WxH"):
            parse_size(text)


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("watch x.mp4 --match m --table t --camera-fps", "--camera-fps"),
        ("calibrate table x.mp4 --game carroms --out t --endposts-mm", "--endposts-mm"),
    ],
)
@pytest.mark.parametrize("number", ["nan", "inf"])
def test_a_number_that_is_not_finite(words: str, option: str, number: str, capsys) -> None:
    assert cli.run([*words.split(), number]) == 2
    error = capsys.readouterr().err
    assert f"Invalid value for '{option}': {number} is not a finite number." in error
    assert error.count("\n") == 1
