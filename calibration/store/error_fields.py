"""Reads and writes the part of table.yaml that holds the error of a surveyed table's shape."""

from __future__ import annotations

from typing import Any, Final

from calibration.store.yaml_fields import LARGEST, Fields
from calibration.tiles.field_error import FieldError

_KEYS: Final = ("middle_mm", "spread_mm", "covariance_mm2")
_FIELDS: Final = 4  # By definition: stretch, shear, and lean along x and y


def read_field_error(file: str, value: Any) -> FieldError:
    """Return the error of the table's shape that a file holds. Raises InputError (`FILE: key: what
    is wrong`).
    """
    fields = Fields(file, "field_error", value, _KEYS)
    rows = fields.numbers("covariance_mm2", _FIELDS * _FIELDS, most=LARGEST**2)
    return FieldError(
        fields.point("middle_mm", most=LARGEST),
        fields.point("spread_mm", most=LARGEST),
        tuple(rows[k : k + _FIELDS] for k in range(0, len(rows), _FIELDS)),
    )


def field_error_as_yaml(error: FieldError) -> dict[str, Any]:
    """Return the error of a table's shape as the plain values that a table.yaml holds."""
    return {
        "middle_mm": [round(float(c), 2) for c in error.middle_mm],
        "spread_mm": [round(float(c), 2) for c in error.spread_mm],
        "covariance_mm2": [round(float(v), 6) for row in error.covariance_mm2 for v in row],
    }
