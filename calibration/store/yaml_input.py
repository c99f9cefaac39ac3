"""Reads YAML that people write by hand, strictly. An error is one line that names file, line and
problem.
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from referee.domain.errors import InputError


class _StrictLoader(yaml.SafeLoader):
    """Refuses a key given twice. A value left empty becomes "", and so differs from a written
    `null`.
    """


def _mapping(loader: _StrictLoader, node: yaml.MappingNode) -> dict[Hashable, Any]:
    keys: set[Hashable] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, Hashable):
            raise yaml.constructor.ConstructorError(
                None, None, "a key must be a single value", key_node.start_mark
            )
        if key in keys:
            raise yaml.constructor.ConstructorError(
                None, None, f"{key!r} is given twice", key_node.start_mark
            )
        keys.add(key)
    return loader.construct_mapping(node, deep=True)


def _null(loader: _StrictLoader, node: yaml.ScalarNode) -> str | None:
    return "" if node.value == "" else None


_StrictLoader.add_constructor("tag:yaml.org,2002:map", _mapping)
_StrictLoader.add_constructor("tag:yaml.org,2002:null", _null)


def read_yaml(path: Path) -> Any:
    """Read the plain values of a YAML file. Raises InputError: `FILE: line N: what is wrong`, or
    why the file cannot be read.
    """
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_StrictLoader)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8 text'})"
        ) from error
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        kind = "" if isinstance(error, yaml.constructor.ConstructorError) else "not YAML: "
        raise InputError(f"{path}: {line}{kind}{error.problem or error.context}") from error
    except RecursionError as error:
        raise InputError(f"{path}: nested too deeply to be meant") from error
    except (yaml.YAMLError, ValueError) as error:
        raise InputError(f"{path}: not YAML ({' '.join(str(error).split())})") from error
