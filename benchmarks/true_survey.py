"""Makes the surveyed table from the truth, for runs without `calibrate table`. Then errors of a
survey cannot cause a shortfall.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from calibration.lens.camera import Camera, TableView
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes
from referee.domain.table_edge import EdgeSide

SIGMA_MM = 0.02  # the truth is written with so much rounding at most


def true_survey(
    truth: Mapping[str, Any], camera: Camera, sizes_mm: Mapping[str, float]
) -> SurveyedTable:
    """Return the truth of a clip as a surveyed table: x from the left to the right endpost where
    there are endposts, every side of the edge known.
    """
    sizes = PieceSizes(**sizes_mm)
    bottom = {tile["tile"]: tile for tile in truth["tiles"] if tile["level"] == 0}
    stacks = {name: sum(tile["tile"] == name for tile in truth["tiles"]) for name in bottom}
    turn = (
        -1.0
        if "left-endpost" in bottom
        and bottom["left-endpost"]["centre_mm"][0] > bottom["right-endpost"]["centre_mm"][0]
        else 1.0
    )  # half a turn about z
    tiles = {
        name: Tile(
            (turn * tile["centre_mm"][0], turn * tile["centre_mm"][1]),
            tile["rotation_deg"],
            stacks[name],
            SIGMA_MM,
        )
        for name, tile in bottom.items()
    }
    pose = np.array(truth["camera"]["R_world_to_cam"], dtype=np.float64) @ np.diag(
        [turn, turn, 1.0]
    )
    view = TableView(camera, pose, np.array(truth["camera"]["t_world_to_cam_mm"], dtype=np.float64))
    corners = [(turn * x, turn * y) for x, y in truth["table_edge_mm"]]
    sides = tuple(
        EdgeSide(begin, end, SIGMA_MM, 0.0, 1.0)
        for begin, end in zip(corners, [*corners[1:], corners[0]], strict=True)
    )
    return SurveyedTable(
        truth["game"],
        view,
        Course(MappingProxyType(tiles), sizes.tile_mm),
        sizes,
        sides,
        0.0,
        False,
        "left",
    )


def side_of_castle(table: SurveyedTable) -> str:
    """Return at which side of the table Moons' tower of a true survey is, as the camera sees it."""
    middle = np.mean([tile.centre_mm for tile in table.course.tiles.values()], axis=0)
    places = np.array([[*middle, 0.0], [*table.course.tiles["tower-moons"].centre_mm, 0.0]])
    right, down = np.diff(table.view.to_image(places), axis=0)[0]
    if abs(down) > abs(right):
        return "near" if down > 0 else "far"
    return "left" if right < 0 else "right"
