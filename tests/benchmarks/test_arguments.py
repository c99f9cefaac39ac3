"""A wrong argument of a benchmark is refused in one line, with status 2, before anything runs."""

import re
from pathlib import Path

import pytest

from benchmarks import cost, fold, openings, render, structure

FOLDER = Path(structure.__file__).parent


@pytest.mark.parametrize(
    ("main", "arguments", "said"),
    [
        pytest.param(cost.main, ["FILE"], "FILE has no table", id="odd"),
        pytest.param(cost.main, ["FILE", "b"], "there is no file b", id="no file"),
        pytest.param(cost.main, ["FILE", "FILE"], "FILE: line 1: not YAML", id="no table"),
        pytest.param(fold.main, ["a"], "unrecognized arguments: a", id="nothing to name"),
        pytest.param(structure.main, ["a", "b"], "unrecognized arguments: a b", id="two"),
        pytest.param(openings.main, ["FOLDER"], "holds no clip with a truth.json", id="no clips"),
        pytest.param(render.main, ["FILE"], "FILE: is not YAML", id="no scene"),
    ],
)
def test_a_wrong_argument_gets_one_line_and_status_2(main, arguments, said, tmp_path, capsys):
    (tmp_path / "FILE").write_text("not: [what is wanted", encoding="utf-8")
    named = {"FILE": str(tmp_path / "FILE"), "FOLDER": str(tmp_path)}
    with pytest.raises(SystemExit) as ended:
        main([named.get(word, word) for word in arguments])
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (2, "")
    assert said.replace("FILE", named["FILE"]) in told.err
    assert told.err.startswith("python -m benchmarks.")
    assert told.err.count("\n") == 1


def test_every_benchmark_reads_its_arguments_so():
    others = [path for path in FOLDER.glob("*.py") if path.stem != "arguments"]
    assert len(others) > 50
    reading = re.compile(r"sys\.argv|argparse\.ArgumentParser")
    assert [path.name for path in others if reading.search(path.read_text(encoding="utf-8"))] == []
