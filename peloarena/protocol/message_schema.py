"""The JSON Schema of all messages, generated from the Structs."""

from __future__ import annotations

from inspect import cleandoc

import msgspec

from ..game.json_codec import encode_indented
from ..game.kinds import Component, Event, Move, Part, Step
from ..game.registry import ALL_MODULES, CARDS, EVENTS, MOVES, PARTS, STEPS
from .about import ABOUT_FIELDS
from .messages import Decide, FromBot, ToBot

FAMILIES: dict[type, tuple[type, ...]] = {Move: MOVES, Event: EVENTS, Step: STEPS, Part: PARTS, Component: CARDS}


def schema() -> dict[str, object]:
    """One document: `$defs` holds every type, `to_bot` and `from_bot` are the two directions."""
    kinds = [*ToBot.__args__, *FromBot.__args__, *(kind for family in FAMILIES.values() for kind in family)]
    _, defs = msgspec.json.schema_components(
        dict.fromkeys(kinds), schema_hook=family_schema, ref_template="#/$defs/{name}"
    )
    for marker, members in FAMILIES.items():
        defs[marker.__name__] = any_of(members)
    defs["to_bot"] = any_of(ToBot.__args__)
    defs["from_bot"] = any_of(FromBot.__args__)
    defs["about"] = {"anyOf": about_schemas(defs)}
    defs[Decide.__name__]["properties"]["about"] = {"$ref": "#/$defs/about"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "peloarena protocol",
        "$defs": {name: tidy_schema(found) for name, found in sorted(defs.items())},
        "anyOf": [{"$ref": "#/$defs/to_bot"}, {"$ref": "#/$defs/from_bot"}],
    }


def family_schema(kind: type) -> dict[str, object]:
    return {"$ref": f"#/$defs/{kind.__name__}"}


def any_of(kinds: tuple[type, ...]) -> dict[str, object]:
    return {"anyOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in kinds]}


def about_schemas(defs: dict[str, dict[str, object]]) -> list[dict[str, object]]:
    """`about` of every kind of decision that has one: the asking step without its `type` and `seat`."""
    schemas: list[dict[str, object]] = []
    for step, question in ((step, q) for module in ALL_MODULES for step, q in module.questions.items()):
        properties = defs[step.__name__]["properties"]
        assert isinstance(properties, dict)
        fields = {name: without_default(properties[name]) for name in ABOUT_FIELDS[step]}
        if fields:
            title = f"about_{question.kind}"  # `bid` alone is the name of a move
            schemas.append({"title": title, "type": "object", "properties": fields, "required": list(fields)})
    return schemas


def without_default(found: dict[str, object]) -> dict[str, object]:
    """A step may leave a field at its default; `about` always contains it."""
    return {key: value for key, value in found.items() if key != "default"}


def tidy_schema(found: object) -> object:
    """The same text with every version of Python and msgspec.

    Versions of msgspec differ in where they put `null`: here it is the last of its list. Python 3.13 strips the
    indentation of docstrings, older ones leave it.
    """
    if isinstance(found, list):
        return sorted((tidy_schema(item) for item in found), key=lambda item: item == {"type": "null"})
    if isinstance(found, dict):
        return {key: tidy_schema(value) for key, value in without_prefix_items(found).items()}
    return cleandoc(found) if isinstance(found, str) else found


def without_prefix_items(found: dict[str, object]) -> dict[str, object]:
    """A list of a fixed length, in keywords that code generators know: quicktype fails at `"items": false`."""
    first = found.get("prefixItems")
    if not isinstance(first, list):
        return found
    assert all(item == first[0] for item in first), "the schema cannot describe a list of several kinds yet"
    return {key: first[0] if key == "items" else value for key, value in found.items() if key != "prefixItems"}


def schema_text() -> str:
    return encode_indented(schema())
