"""Surfaces that are added to the path tracer."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.traced_surfaces import SURFACES, Drawn, extended, main


def plain(kind: str, size_mm: object, **_: object) -> Drawn:
    raise ValueError(kind)


@pytest.mark.parametrize("kind", SURFACES)
def test_a_surface_covers_the_table_and_follows_from_its_seed(kind: str) -> None:
    surface = extended(plain)
    drawn, bump, finish = surface(kind, (300, 180), seed=3)
    assert drawn.shape == (400, 666, 3) and bump.shape == (400, 666)  # 0.45 mm a pixel
    assert 0 < finish["roughness"] <= 1
    assert drawn.std() > 1
    assert np.array_equal(drawn, surface(kind, (300, 180), seed=3)[0])
    assert not np.array_equal(drawn, surface(kind, (300, 180), seed=4)[0])


def test_the_tracer_draws_its_own_surfaces_as_before() -> None:
    with pytest.raises(ValueError, match="oak"):
        extended(plain)("oak", (300, 180))


def test_the_tracer_learns_the_surfaces_once(tmp_path: Path) -> None:
    art = tmp_path / "tablesim" / "art.py"
    art.parent.mkdir()
    art.write_text("STOCK, PALETTES = {}, {}\n\n\ndef surface(kind, size_mm):\n    return kind\n")
    main([str(tmp_path)])
    once = art.read_text()
    main([str(tmp_path)])
    assert art.read_text() == once and once.count("more_surfaces.extended") == 1
    assert "def extended" in (art.parent / "more_surfaces.py").read_text()
