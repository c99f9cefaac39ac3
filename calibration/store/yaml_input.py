"""Reads YAML that people write by hand, strictly. An error is one line that names the file, the
line and the problem.
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any, Final

import yaml

from referee.domain.errors import MOST_NESTED, InputError

# Chosen: a hundred times as much as any file that people write.
MOST_BYTES: Final = 1_000_000
# A file of the longest size holds fewer values. Each counts as often as aliases repeat it.
MOST_VALUES: Final = MOST_BYTES


class _StrictLoader(yaml.SafeLoader):
    """Refuses keys given twice, and files that exceed the limits above. A value left empty becomes
    "", so that it differs from a written `null`.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._nested = self._values = 0
        self._values_of: dict[int, int] = {}

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Compose the next value, and count it against the limits."""
        mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
        before, is_alias = self._values, self.check_event(yaml.AliasEvent)
        self._nested += 1
        if self._nested > MOST_NESTED:
            raise yaml.constructor.ConstructorError(None, None, "is nested too deeply", mark)
        node = super().compose_node(parent, index)
        self._nested -= 1
        self._values += self._values_of.get(id(node), 1) if is_alias else 1
        if self._values > MOST_VALUES:
            raise yaml.constructor.ConstructorError(None, None, "aliases repeat too much", mark)
        if not is_alias:
            self._values_of[id(node)] = self._values - before
        return node

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        """Return the value of a node. A tag that does not fit the node's text raises a YAML
        error.
        """
        try:
            return super().construct_object(node, deep)
        except (KeyError, AttributeError, TypeError, ValueError, OverflowError) as error:
            what = f"{node.value!r} is not a value of {node.tag.rpartition(':')[2]}"
            raise yaml.constructor.ConstructorError(None, None, what, node.start_mark) from error


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


def _text_of(path: Path) -> str:
    """Return a file's text. Raises InputError if the path is not a file, or the file is too
    long.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise InputError(f"{path}: is not a file")
    if path.is_file() and path.stat().st_size > MOST_BYTES:
        raise InputError(f"{path}: is longer than {MOST_BYTES // 1_000_000} MB")
    return path.read_text(encoding="utf-8")


def read_yaml(path: Path) -> Any:
    """Read the plain values of a YAML file. Raises InputError: `FILE: line N: what is wrong`, or
    why the file cannot be read.
    """
    try:
        return yaml.load(_text_of(path), Loader=_StrictLoader)
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
        raise InputError(f"{path}: is nested too deeply") from error
    except (yaml.YAMLError, ValueError) as error:
        raise InputError(f"{path}: not YAML ({' '.join(str(error).split())})") from error
