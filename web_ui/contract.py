"""Prints a JSON schema of what the server and the page send each other
(`python -m web_ui.contract`). The page's TypeScript declarations are generated from it.
"""

from __future__ import annotations

import json
from typing import Any, Final, get_args

import msgspec

from referee.desk.messages import Answers, Requests
from referee.desk.page_topics.topic_splices import TopicsSent
from referee.desk.page_topics.topics import Topics
from referee.domain.declaration import Declaration
from referee.domain.incident import Incident

#: The types from which the schema begins. All types in them are included.
ROOTS: Final = (Topics, TopicsSent, Requests, Answers)
#: What people enter has one of several shapes.
KINDS: Final = {"Declaration": get_args(Declaration), "Incident": get_args(Incident)}
#: Keys left out of the schema, because they do not change the shape of the data. The descriptions
#: are in the Python types.
LEFT_OUT: Final = ("default", "description")


def schema() -> str:
    """Return the schema as it is committed."""
    shown = (*ROOTS, *(kind for kinds in KINDS.values() for kind in kinds))
    _, shapes = msgspec.json.schema_components(shown, ref_template="#/definitions/{name}")
    roots = {root.__name__: _defined(root.__name__) for root in ROOTS}
    for name, kinds in KINDS.items():
        shapes[name] = {"anyOf": [_defined(kind.__name__) for kind in kinds]}
    whole = {
        "title": "Contract",
        "type": "object",
        "properties": roots,
        "additionalProperties": False,
        "definitions": {name: _older(one) for name, one in shapes.items()},
    }
    return json.dumps(whole, indent=2) + "\n"


def _defined(name: str) -> dict[str, str]:
    return {"$ref": f"#/definitions/{name}"}


def _older(part: Any) -> Any:
    """Convert a part of the schema to draft 4 of JSON Schema, which the generator reads.

    There `items` lists a tuple's parts. Defaults and descriptions are removed. An object without
    declared fields may have any fields.
    """
    if isinstance(part, list):
        return [_older(one) for one in part]
    if not isinstance(part, dict):
        return part
    converted = {
        name: _older(one) for name, one in part.items() if name not in (*LEFT_OUT, "properties")
    }
    if "properties" in part:  # kept even where a property is called "default" or "description"
        converted["properties"] = {name: _older(one) for name, one in part["properties"].items()}
    if "prefixItems" in converted:
        converted["items"] = converted.pop("prefixItems")
    if converted.get("type") == "object" and "properties" not in converted:
        converted.setdefault("additionalProperties", {})
    return converted


if __name__ == "__main__":
    print(schema(), end="")
