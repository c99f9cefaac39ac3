import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from referee.desk.feed import Feed, Picture
from web_ui import pages

ROOT = Path(pages.__file__).parent
ASSETS = sorted(
    p
    for folder in ("static", "templates")
    for p in (ROOT / folder).rglob("*")
    if p.is_file() and p.suffix != ".wav"  # the only files that are no text
)

#: Names of XML vocabularies, which are never fetched.
NAMESPACES = ("http://www.w3.org/2000/svg",)


def test_the_page_comes_with_everything_it_asks_for(client: FlaskClient) -> None:
    page = client.get("/")
    wanted = re.findall(r'(?:src|href)="(/[^"]+)"', page.text)
    assert page.status_code == 200
    assert len(wanted) >= 3
    assert all(client.get(address, buffered=True).status_code == 200 for address in wanted)


def test_scripts_import_only_what_there_is() -> None:
    scripts = ROOT / "static" / "js"
    imports = [
        (script, name)
        for script in scripts.rglob("*.js")
        for name in re.findall(r'from "([^"]+\.js)"', script.read_text("utf-8"))
    ]
    assert imports
    assert [(one.name, name) for one, name in imports if not (one.parent / name).is_file()] == []


#: Types named in a comment: nothing is fetched for them.
TYPES = re.compile(r'@import \{[^}]*\} from "[./]+/types/page"')


@pytest.mark.parametrize("asset", ASSETS, ids=lambda p: p.name)
def test_nothing_is_fetched_from_elsewhere(asset: Path) -> None:
    text = TYPES.sub("", asset.read_text("utf-8"))
    for name in NAMESPACES:
        text = text.replace(name, "")
    assert not re.search(r"https?://|\bsrc=\"//|url\(\s*['\"]?//|@import", text)


@pytest.mark.parametrize("asset", [a for a in ASSETS if a.suffix == ".html"], ids=lambda p: p.name)
def test_no_script_or_style_stands_in_a_page(asset: Path) -> None:
    text = asset.read_text("utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=|javascript:", text)


@pytest.mark.parametrize("asset", ASSETS, ids=lambda p: p.name)
def test_names_never_go_in_as_markup(asset: Path) -> None:
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\|\s*safe\b",
        asset.read_text("utf-8"),
    )


def test_the_policy_lets_only_the_page_itself_in(client: FlaskClient) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]
    allowed = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert allowed["default-src"] == "'none'"
    assert allowed["script-src"] == allowed["style-src"] == allowed["connect-src"] == "'self'"
    assert "unsafe" not in policy


def test_a_picture_is_shown_with_its_type(client: FlaskClient, feed: Feed) -> None:
    feed.publish_picture("naming", Picture("image/png", b"\x89PNG"))
    shown = client.get("/pictures/naming")
    assert (shown.mimetype, shown.data) == ("image/png", b"\x89PNG")
    assert client.get("/pictures/other").status_code == 404
