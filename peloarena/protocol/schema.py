"""The JSON Schema of all messages, generated from the Structs."""

from __future__ import annotations

import msgspec

from peloarena.game.kinds import Component, Event, Move, Part, Step
from peloarena.game.registry import CARDS, EVENTS, MOVES, PARTS, STEPS

from .messages import FromBot, ToBot

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
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "peloarena protocol",
        "$defs": {name: null_last(found) for name, found in sorted(defs.items())},
        "anyOf": [{"$ref": "#/$defs/to_bot"}, {"$ref": "#/$defs/from_bot"}],
    }


def family_schema(kind: type) -> dict[str, object]:
    return {"$ref": f"#/$defs/{kind.__name__}"}


def any_of(kinds: tuple[type, ...]) -> dict[str, object]:
    return {"anyOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in kinds]}


def null_last(found: object) -> object:
    """`X or null`, in this order: versions of msgspec differ in it."""
    if isinstance(found, list):
        return sorted((null_last(item) for item in found), key=lambda item: item == {"type": "null"})
    return {key: null_last(value) for key, value in found.items()} if isinstance(found, dict) else found


def schema_text() -> str:
    return msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode() + "\n"
