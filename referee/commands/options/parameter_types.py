"""What the values of several options may be."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

FILE: Final = click.Path(path_type=Path)
LENGTH: Final = click.FloatRange(min=0, min_open=True)
