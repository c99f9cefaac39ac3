"""Draws sentences of the project at random, to find out whether a reader understands them at first
reading.

  python -m benchmarks.sixty_sentences [--seed TEXT] [--count N] [--places]

Somebody who did not write them says in a line of their own words what each means, before looking
at the code, and then compares it with the code. The bar is two misunderstood of sixty. With
`--places` the list also says where each stands.

The sentences come from docstrings and comments in Python and JavaScript, from the documents, from
the texts that the program prints, and from the page. Each of these kinds gives its share of
sentences. The seed is the hash of the last commit unless another is given.
"""

from __future__ import annotations

import ast
import io
import random
import re
import subprocess
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.arguments import Arguments
from tests.module_imports import PACKAGES, ROOT

#: Shorter texts are names, and say nothing that could be misunderstood.
LEAST_WORDS = 5
#: Each gives as many sentences. In messages and on the page, `{}` is what the program fills in.
KINDS = ("docstring", "comment", "document", "message", "page")


class Sentence(NamedTuple):
    """A sentence, its kind, and where the text that contains it begins."""

    kind: str
    where: str
    text: str


def sentences(kind: str, where: str, text: str) -> Iterator[Sentence]:
    """Yield the sentences of a text that have words enough."""
    if re.search(r'="|\.js$', text):  # markup, or the name of a module
        return
    for one in re.split(r"(?<=[.!?])\s+(?=[A-Z`\"(*{])", " ".join(text.split())):
        if len(re.findall(r"[A-Za-z]{2,}", one)) >= LEAST_WORDS:
            yield Sentence(kind, where, one)


def of_module(path: Path) -> Iterator[Sentence]:
    """Yield the docstrings, comments and messages of a Python file."""
    where, source = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    known: set[ast.AST] = set()  # strings that are a docstring or part of another string
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text is not None and isinstance(begun := node.body[0], ast.Expr):
                known.add(begun.value)
                for part in re.split(r"\n\s*\n", re.sub(r"(?m)^\s*>>>(.*\n?)*", "", text)):
                    yield from sentences("docstring", f"{where}:{begun.lineno}", part)
        elif isinstance(node, ast.JoinedStr):
            known.update(set(ast.walk(node)) - {node})
    yield from of_comments(where, source)
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and node not in known and (text := spoken(node)):
            yield from sentences("message", f"{where}:{node.lineno}", text)


def spoken(node: ast.expr) -> str:
    """Return the text of a string, with `{}` for what is filled in; empty for anything else."""
    if isinstance(node, ast.JoinedStr):
        return "".join(p.value if isinstance(p, ast.Constant) else "{}" for p in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def of_comments(where: str, source: str) -> Iterator[Sentence]:
    """Yield the comments of a Python file. Lines that follow each other are one comment."""
    begun, text = 0, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if re.match(r"# (type: ignore|noqa)", token.string):
                continue
            begun = begun if text else token.start[0]
            text += " " + token.string.lstrip("#: ")
        elif text and token.type != tokenize.NL:
            yield from sentences("comment", f"{where}:{begun}", text)
            text = ""


def of_script(path: Path) -> Iterator[Sentence]:
    """Yield the comments and the page's words in a file of JavaScript."""
    where, source = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    blocks = re.findall(r"(?s)/\*\*(.*?)\*/", source)
    rest = re.sub(r"(?s)/\*.*?\*/", "", source)
    lines = re.findall(r"(?m)((?:^ *//.*\n)+)", rest)
    for comment in (*blocks, *lines):
        text = re.sub(r"(?m)^ *(\*|//) ?", "", comment)
        for part in re.split(r"(?ms)^ ?@\w+.*|\n\s*\n", text):
            yield from sentences("comment", where, part)
    for quoted in re.findall(r'"([^"\n]+)"|`([^`]+)`', re.sub(r"(?m)//.*$", "", rest)):
        text = re.sub(r"\$\{[^{}]*\}", "{}", "".join(quoted))
        if not re.search(r"=>|===|\$\{|\);|\w\(|\(\)", text):  # code between two texts
            yield from sentences("page", where, text)


def of_template(path: Path) -> Iterator[Sentence]:
    """Yield the words of a page's template."""
    where, source = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    bare = re.sub(r"\{[%#].*?[%#]\}", " ", source)
    for text in re.findall(r">([^<>]+)<", re.sub(r"\{\{.*?\}\}", "{}", bare)):
        yield from sentences("page", where, text)


def of_document(path: Path) -> Iterator[Sentence]:
    """Yield the running text of a Markdown file, and the cells of its tables."""
    where, source = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    text = re.sub(r"(?ms)^ *```.*?^ *```$|^    .*?$", "", source)
    for part in re.split(r"(?m)\n\s*\n|^ *[-*] |^ *\d+\. |^#+ .*$|^\||[^\\]\| |\|$", text):
        yield from sentences("document", where, part)


def everything() -> list[Sentence]:
    """Return every sentence of the project, each text once."""
    found: list[Sentence] = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            found += of_module(path)
    for path in sorted((ROOT / "web_ui" / "static" / "js").rglob("*.js")):
        found += of_script(path)
    for path in sorted((ROOT / "web_ui" / "templates").rglob("*.html")):
        found += of_template(path)
    for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]:
        found += of_document(path)
    for folder in ("benchmarks", "fixtures"):
        for path in sorted((ROOT / folder).rglob("*.md")):
            found += of_document(path)
    return list({one.text: one for one in found}.values())


def drawn(found: Sequence[Sentence], seed: str, count: int) -> list[Sentence]:
    """Draw sentences, as many of each kind, or one more of the first kinds."""
    chance = random.Random(seed)
    chosen: list[Sentence] = []
    for place, kind in enumerate(KINDS):
        some = [one for one in found if one.kind == kind]
        share = (count + len(KINDS) - 1 - place) // len(KINDS)
        chosen += chance.sample(some, min(share, len(some)))
    return chosen


def last_commit() -> str:
    """Return the hash of the last commit."""
    command = ["git", "rev-parse", "HEAD"]
    return subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=60
    ).stdout.strip()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Arguments("sixty_sentences", __doc__)
    parser.add_argument("--seed")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--places", action="store_true")
    given = parser.parse_args(arguments)
    seed = given.seed or last_commit()
    print(f"seed {seed}")
    for number, one in enumerate(drawn(everything(), seed, given.count), start=1):
        place = f" ({one.where})" if given.places else ""
        print(f"{number:2} {one.kind}{place}: {one.text}")


if __name__ == "__main__":
    main()
