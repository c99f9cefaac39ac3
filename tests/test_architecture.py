"""Checks who imports whom. This list of packages is the architecture: add a new edge here first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import pytest

from tests.module_imports import (
    MODULES,
    ROOT,
    libraries,
    loaded_with,
    module_level_imports,
    ours,
    package_of,
    within,
)

#: Frozen values that everybody may use: no input or output, no pixels, no numpy.
NOUNS = ("referee.domain", "calibration.constants")

#: Which of our packages each package imports, besides `NOUNS`. An edge that nothing uses fails.
IMPORTS: dict[str, frozenset[str]] = {
    "calibration.course": frozenset({"calibration.lens"}),
    "calibration.discs": frozenset(
        {"calibration.lens", "calibration.pieces", "referee.vision.coins"}
    ),  # discs of free play are found and measured as coins are
    "calibration.lens": frozenset(),
    "calibration.pieces": frozenset(
        {"calibration.lens", "calibration.store", "referee.vision.coins", "referee.vision.image"}
    ),  # coins of a set are found and measured as coins on a table are
    "calibration.rough_survey": frozenset(
        {"calibration.course", "calibration.lens", "calibration.tiles"}
    ),
    "calibration.store": frozenset(
        {"calibration.course", "calibration.lens", "calibration.table", "calibration.tiles"}
    ),  # the error of a table's shape is written, and at which side of the picture an endpost is
    "calibration.table": frozenset(
        {
            "calibration.course",
            "calibration.lens",
            "calibration.rough_survey",
            "calibration.table_edge",
            "calibration.tile_places",
            "calibration.tiles",
        }
    ),
    "calibration.tile_places": frozenset({"calibration.lens", "calibration.tiles"}),
    "calibration.table_edge": frozenset({"calibration.lens", "calibration.tiles"}),
    "calibration.tiles": frozenset({"calibration.lens"}),
    "referee.games": frozenset(),
    "referee.games.carroms": frozenset({"referee.games"}),
    "referee.games.castle_croquetnole": frozenset({"referee.games"}),
    "referee.games.piecepack_croquet": frozenset({"referee.games"}),
    "referee.games.tabletop_croquet": frozenset({"referee.games"}),
    "referee.games.wickets": frozenset({"referee.games"}),
    "referee.record": frozenset(
        {"referee.games", "referee.games.wickets"}
    ),  # reading refuses what the game of the record does not know
    "referee.replay": frozenset(
        {"referee.games", "referee.replay.playing", "referee.replay.rulings"}
    ),
    "referee.replay.playing": frozenset({"referee.games", "referee.replay.rulings"}),
    "referee.replay.rulings": frozenset({"referee.games"}),
    "referee.reports": frozenset(
        {
            "referee.games",
            "referee.games.piecepack_croquet",
            "referee.games.wickets",
            "referee.replay",
            "referee.replay.playing",
            "referee.replay.rulings",
            "referee.reports.wording",
        }
    ),
    "referee.reports.wording": frozenset({"referee.games.carroms"}),
    "referee.library": frozenset(),
    "referee.desk": frozenset(
        {
            "referee.games",
            "referee.games.piecepack_croquet",
            "referee.record",
            "referee.replay",
            "referee.replay.rulings",
            "referee.reports",
            "referee.desk.page_topics",
        }
    ),
    "referee.desk.page_topics": frozenset(
        {
            "referee.games",
            "referee.games.carroms",
            "referee.games.piecepack_croquet",
            "referee.games.wickets",
            "referee.replay.rulings",
        }
    ),  # the lawn, the boards and the rack are part of their games
    "referee.desk.serving": frozenset(),
    "referee.vision": frozenset(
        {
            "calibration.table",
            "referee.vision.alignment",
            "referee.vision.background",
            "referee.vision.coins",
            "referee.vision.image",
            "referee.vision.moving_coins",
        }
    ),
    "referee.vision.alignment": frozenset(
        {"calibration.lens", "referee.vision.image", "referee.vision.sources"}
    ),
    "referee.vision.background": frozenset({"calibration.table", "referee.vision.image"}),
    "referee.vision.coins": frozenset({"calibration.lens", "referee.vision.image"}),
    "referee.vision.faces": frozenset(
        {"calibration.lens", "calibration.pieces", "calibration.store", "referee.vision.image"}
    ),  # a face is cut out as it was learnt
    "referee.vision.image": frozenset({"calibration.lens"}),
    "referee.vision.moving_coins": frozenset(
        {
            "calibration.lens",
            "calibration.table",
            "referee.vision.background",
            "referee.vision.coins",
            "referee.vision.image",
        }
    ),
    "referee.vision.overlay": frozenset({"calibration.lens", "referee.vision.sources"}),
    "referee.vision.sources": frozenset(
        {"calibration.store", "referee.library"}
    ),  # no picture is larger than one of a survey; a frame keeps its packets for clips
    "referee.vision.tiles": frozenset(
        {"calibration.lens", "calibration.tiles", "referee.vision.coins", "referee.vision.image"}
    ),  # a tile is measured as the survey measured it, a coin on a tower as one on the table
    "referee.tracking.identity": frozenset(),
    "referee.tracking.trajectory": frozenset(
        {"referee.tracking.trajectory.hypotheses", "referee.tracking.trajectory.proposals"}
    ),
    "referee.tracking.trajectory.hypotheses": frozenset(),
    "referee.tracking.trajectory.proposals": frozenset({"referee.tracking.trajectory.hypotheses"}),
    "referee.detectors": frozenset(
        {"referee.detectors.coin_motion", "referee.detectors.hands", "referee.detectors.unseen"}
    ),
    "referee.detectors.coin_motion": frozenset(),
    "referee.detectors.hands": frozenset({"referee.detectors.coin_motion"}),
    "referee.detectors.unseen": frozenset(
        {"referee.detectors.coin_motion", "referee.detectors.hands"}
    ),
    "referee.synthetic": frozenset({"referee.synthetic.pictures", "referee.synthetic.scenario"}),
    "referee.synthetic.physics": frozenset(),
    "referee.synthetic.pictures": frozenset(
        {"calibration.lens", "referee.synthetic.scenario"}
    ),  # the same camera model as the survey
    "referee.synthetic.scenario": frozenset({"calibration.lens", "referee.synthetic.physics"}),
    "referee.session": frozenset(
        {
            "calibration.store",
            "calibration.table",
            "referee.desk",
            "referee.desk.page_topics",
            "referee.desk.serving",
            "referee.detectors",
            "referee.games",
            "referee.games.carroms",
            "referee.library",
            "referee.record",
            "referee.replay",
            "referee.session.naming",
            "referee.session.recording",
            "referee.session.seeing",
            "referee.tracking.identity",
            "referee.vision.faces",
            "referee.vision.overlay",
            "referee.vision.sources",
            "web_ui",
        }
    ),  # sees every stage; racked coins get the names that Carroms gives them
    "referee.session.naming": frozenset(
        {
            "calibration.store",
            "referee.desk.page_topics",
            "referee.detectors",
            "referee.session.seeing",
            "referee.tracking.identity",
            "referee.tracking.trajectory",
            "referee.tracking.trajectory.hypotheses",
            "referee.vision.faces",
            "referee.vision.overlay",
        }
    ),
    "referee.session.recording": frozenset(
        {
            "calibration.lens",
            "referee.desk",
            "referee.detectors",
            "referee.games.castle_croquetnole",
            "referee.library",
            "referee.record",
            "referee.replay",
            "referee.session.naming",
            "referee.tracking.trajectory",
            "referee.vision.faces",
            "referee.vision.overlay",
        }
    ),  # a clip's outlines need the camera's pose, castles what hands show of a croquet
    "referee.session.seeing": frozenset(
        {
            "calibration.lens",
            "calibration.store",
            "calibration.table",
            "referee.reports.wording",
            "referee.vision",
            "referee.vision.alignment",
            "referee.vision.background",
            "referee.vision.coins",
            "referee.vision.faces",
            "referee.vision.image",
            "referee.vision.overlay",
            "referee.vision.sources",
            "referee.vision.tiles",
            "referee.tracking.identity",
            "referee.detectors",
        }
    ),
    "referee.free_play": frozenset(
        {
            "calibration.discs",
            "calibration.lens",
            "calibration.store",
            "calibration.table",
            "referee.detectors",
            "referee.detectors.coin_motion",
            "referee.detectors.unseen",
            "referee.session",
            "referee.session.naming",
            "referee.session.seeing",
            "referee.tracking.trajectory",
            "referee.vision.alignment",
            "referee.vision.background",
            "referee.vision.image",
            "referee.vision.overlay",
            "referee.vision.sources",
        }
    ),  # discs on a plain table, seen and followed as in a match
    "referee.commands": frozenset(
        {
            "calibration.store",
            "referee.commands.calibration",
            "referee.commands.options",
            "referee.commands.printing",
            "referee.desk",
            "referee.free_play",
            "referee.games",
            "referee.games.wickets",
            "referee.library",
            "referee.record",
            "referee.replay",
            "referee.reports",
            "referee.reports.wording",
            "referee.session",
            "web_ui",
        }
    ),
    "referee.commands.calibration": frozenset(
        {
            "calibration.course",
            "calibration.lens",
            "calibration.pieces",
            "calibration.store",
            "calibration.table",
            "referee.commands.options",
            "referee.games.tabletop_croquet",
            "referee.session",
            "referee.vision.faces",
            "referee.vision.sources",
        }
    ),  # the picture of a survey shows the ways of Tabletop Croquet, and it reads aces
    "referee.commands.options": frozenset({"referee.desk.serving"}),
    "referee.commands.printing": frozenset(
        {"referee.replay", "referee.reports", "referee.reports.wording"}
    ),
    "web_ui": frozenset(
        {
            "referee.desk",
            "referee.desk.page_topics",
            "referee.desk.serving",
            "referee.library",
            "referee.record",
        }
    ),  # pages show a match's feed and folder, and read requests like lines of a record
    "referee": frozenset(),
}

#: The parts that compute with arrays.
ARRAYS = (
    "calibration",
    "referee.vision",
    "referee.tracking",
    "referee.detectors",
    "referee.synthetic",
)
#: Which parts alone may import heavy libraries, or libraries that show what a part does.
LIBRARIES: dict[str, tuple[str, ...]] = {
    "cv2": ("calibration", "referee.vision", "referee.synthetic", "referee.commands"),
    "av": ("calibration", "referee.vision", "referee.synthetic", "referee.library.clips"),
    "numpy": (*ARRAYS, "referee.session", "referee.commands"),
    "scipy": ARRAYS,
    "flask": ("web_ui",),
    "werkzeug": ("web_ui",),  # comes with Flask
    "uvicorn": ("referee.desk.serving.connections", "referee.desk.serving.server"),
    "a2wsgi": ("referee.desk.serving.wsgi_bridge",),
    "psutil": ("referee.desk.serving.hosting",),
    "segno": ("referee.desk.serving.qr_code",),
    "click": ("referee.cli", "referee.commands", "referee.synthetic.__main__", "web_ui.opening"),
    "rich": ("referee.session.progress", "referee.commands"),
}
#: What may be installed at all. pyproject.toml says why.
KNOWN_LIBRARIES = {*LIBRARIES, "yaml", "msgspec", "platformdirs"}


@cache
def edges() -> dict[str, dict[str, str]]:
    """Return each package with the packages that it imports besides the nouns, and one module that
    does so.
    """
    found: dict[str, dict[str, str]] = {package_of(module): {} for module in MODULES}
    for module, path in MODULES.items():
        for name in ours(path):
            other = package_of(name)
            if other not in (package_of(module), *NOUNS):
                found[package_of(module)].setdefault(other, f"{module} imports {name}")
    return found


@pytest.mark.parametrize("package", dict.fromkeys(map(package_of, MODULES)))
def test_a_package_imports_exactly_what_the_list_says(package: str) -> None:
    listed = IMPORTS.get(package, frozenset())
    unlisted = [why for other, why in edges()[package].items() if other not in listed]
    assert not unlisted, f"{package} may import {', '.join(sorted(listed)) or 'only the nouns'}"
    unused = listed - set(edges()[package])
    assert not unused, (
        f"nothing in {package} imports {', '.join(sorted(unused))}: take it off the list"
    )


def test_every_package_of_the_list_exists() -> None:
    assert set(IMPORTS) <= set(edges())


def test_the_nouns_import_nothing_of_ours() -> None:
    assert not any(edges()[noun] for noun in NOUNS)


def test_the_root_of_the_referee_holds_packages_only() -> None:
    modules = {path.name for path in (ROOT / "referee").glob("*.py")}
    assert modules == {"__init__.py", "__main__.py", "cli.py"}


@pytest.mark.parametrize("module", MODULES)
def test_libraries_are_used_only_where_they_belong(module: str) -> None:
    for library in libraries(MODULES[module]):
        assert library in KNOWN_LIBRARIES, (
            f"{module} imports {library}, which the project does not list"
        )
        parts = LIBRARIES.get(library)
        assert parts is None or any(within(module, part) for part in parts), (
            f"{module} may not import {library}"
        )


AT_ONCE = (
    "adjudicate",
    "rule",
    "what_if",
    "rules",
    "follow",
    "check",
    "export",
    "watch",
    "calibration.table",
    "calibration.pieces",
)


@pytest.mark.parametrize(
    "module",
    [
        "referee.cli",
        *(f"referee.commands.{name}" for name in AT_ONCE),
        "referee.record.reading",
        "referee.replay.fold",
    ],
)
def test_what_must_start_at_once_loads_nothing_heavy(module: str) -> None:
    assert not heavy_imports(module)


@pytest.mark.parametrize("package", [m for m, p in MODULES.items() if p.name == "__init__.py"])
def test_a_package_alone_loads_nothing_heavy(package: str) -> None:
    assert not heavy_imports(package)


def heavy_imports(module: str) -> set[tuple[str, str]]:
    """Return the heavy libraries that importing a module loads, each with the module of ours that
    imports it.
    """
    return {
        (ours, name)
        for ours in loaded_with(module, set())
        for name in module_level_imports(MODULES[ours])
        if name.split(".")[0] in {"cv2", "av", "numpy", "scipy", "flask"}
    }


def assert_no_cycle(graph: Mapping[str, Iterable[str]]) -> None:
    done: set[str] = set()

    def walk(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, f"cycle: {' -> '.join((*trail[trail.index(name) :], name))}"
        if name not in done:
            for other in graph[name]:
                walk(other, (*trail, name))
            done.add(name)

    for name in graph:
        walk(name, ())


def test_there_are_no_cycles_between_modules() -> None:
    assert_no_cycle({module: ours(path) & set(MODULES) for module, path in MODULES.items()})


def test_there_are_no_cycles_between_packages() -> None:
    assert_no_cycle(edges())


@pytest.mark.parametrize("module", MODULES)
def test_names_say_what_they_hold(module: str) -> None:
    assert not {"common", "utils", "util", "core", "helpers", "misc"} & set(module.split("."))


def test_tests_and_fixtures_are_no_packages() -> None:
    assert not list((ROOT / "tests").rglob("__init__.py"))
    assert not list((ROOT / "fixtures").rglob("*.py"))
