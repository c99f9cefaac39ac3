"""What the page and its server send each other, as a JSON schema: `python -m web_ui.contract`
prints it. The page's TypeScript declarations are generated from that.
"""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec

from referee.desk.messages import Answers, Requests
from referee.desk.topics import Topics
from referee.domain.declaration import Declaration
from referee.domain.incident import Incident

#: What the schema begins from; what these hold follows.
ROOTS = (Topics, Requests, Answers)
#: What people enter has one of several shapes.
KINDS = {"Declaration": get_args(Declaration), "Incident": get_args(Incident)}
#: A description says nothing of the shape, and the structs have it.
LEFT_OUT = ("default", "description")


def schema() -> str:
    """The schema as it is committed."""
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
    """A part of a schema as the generator reads it: in draft 4, where `items` are a tuple's parts,
    without defaults and descriptions, and saying of an object without declared fields that it may
    have any.
    """
    if isinstance(part, list):
        return [_older(one) for one in part]
    if not isinstance(part, dict):
        return part
    told = {
        name: _older(one) for name, one in part.items() if name not in (*LEFT_OUT, "properties")
    }
    if "properties" in part:  # by their names, whatever these are
        told["properties"] = {name: _older(one) for name, one in part["properties"].items()}
    if "prefixItems" in told:
        told["items"] = told.pop("prefixItems")
    if told.get("type") == "object" and "properties" not in told:
        told.setdefault("additionalProperties", {})
    return told


if __name__ == "__main__":
    print(schema(), end="")
