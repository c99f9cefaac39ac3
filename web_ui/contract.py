"""What the page is sent, as a JSON schema: `python -m web_ui.contract` prints it. The page's
TypeScript declarations are generated from that.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from referee.desk.topics import Topics

#: What the schema begins from; what these hold follows.
ROOTS = (Topics,)
#: A description says nothing of the shape, and the structs have it.
LEFT_OUT = ("default", "description")


def schema() -> str:
    """The schema as it is committed."""
    _, shapes = msgspec.json.schema_components(ROOTS, ref_template="#/definitions/{name}")
    roots = {root.__name__: {"$ref": f"#/definitions/{root.__name__}"} for root in ROOTS}
    whole = {
        "title": "Contract",
        "type": "object",
        "properties": roots,
        "additionalProperties": False,
        "definitions": {name: _older(one) for name, one in shapes.items()},
    }
    return json.dumps(whole, indent=2) + "\n"


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
