"""The sentences among which some are drawn, in files written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import sixty_sentences
from benchmarks.sixty_sentences import KINDS, Sentence, drawn, of_document, of_module, of_script


@pytest.fixture(autouse=True)
def root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sixty_sentences, "ROOT", tmp_path)


def test_docstrings_comments_and_messages_of_a_module(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        '"""Says what a module of this name holds. Short."""\n'
        "# Tuned on our own clips, in mm.\n"
        'A = f"{B} strikes the coin that lies {C}"\n'
    )
    assert [(one.kind, one.text) for one in of_module(module)] == [
        ("docstring", "Says what a module of this name holds."),
        ("comment", "Tuned on our own clips, in mm."),
        ("message", "{} strikes the coin that lies {}"),
    ]


def test_comments_and_words_of_a_script(tmp_path: Path) -> None:
    script = tmp_path / "page.js"
    script.write_text(
        "/**\n * Draws the table from above once more.\n * @param {string} no sentence of its own\n"
        " */\nconst a = `The clip of ${coin} is missing here.`; // no comment of its own line\n"
    )
    assert [(one.kind, one.text) for one in of_script(script)] == [
        ("comment", "Draws the table from above once more."),
        ("page", "The clip of {} is missing here."),
    ]


def test_running_text_and_tables_of_a_document(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A title of five words\n\nOne line\nand a second one.\n\n| a | b cc |\n")
    assert [one.text for one in of_document(page)] == ["One line and a second one."]


def test_each_kind_gives_its_share_and_a_seed_the_same_sentences() -> None:
    found = [Sentence(kind, "", f"{kind} {n}") for kind in KINDS for n in range(9)]
    one = drawn(found, "seed", 12)
    assert [[s.kind for s in one].count(kind) for kind in KINDS] == [3, 3, 2, 2, 2]
    assert one == drawn(found, "seed", 12)
