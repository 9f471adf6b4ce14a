"""JSON for all types of the game: states, views, moves, events. Finds a member of an open family by its tag."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from .kinds import Event, Move, Part, Step, tag_of
from .registry import EVENTS, MOVES, PARTS, STEPS, UNIONS

MOVE_TYPES: dict[str, type[Move]] = {tag_of(kind): kind for kind in MOVES}
"""Tag → move; the protocol also reads bots' moves by it."""
BY_TAG: dict[type, dict[str, type]] = {
    Move: {**MOVE_TYPES},
    **{
        family: {tag_of(member): member for member in members}
        for family, members in ((Step, STEPS), (Event, EVENTS), (Part, PARTS))
    },
}

T = TypeVar("T")
_encoder = msgspec.json.Encoder()
encode: Callable[[object], bytes] = _encoder.encode
"""The only way in which peloarena writes JSON: to bots, into records and stores, between its own processes. The
encoder's own method, because every decision calls it."""
encode_lines: Callable[[Sequence[object]], bytes] = _encoder.encode_lines
"""The same for many values, one a line."""


def decode(text: bytes | str, kind: type[T]) -> T:
    """A State, View, Move ... from JSON; raises msgspec.ValidationError for anything else."""
    return msgspec.json.decode(text, type=kind, dec_hook=decode_family)


def encode_indented(value: object) -> str:
    """For people: two spaces a level, a line feed at the end."""
    return msgspec.json.format(encode(value), indent=2).decode() + "\n"


def decode_family(kind: type, value: object) -> object:
    """For msgspec: a field annotated with a marker holds any member of the family.

    Looks the member up by its tag: msgspec takes ten times as long with the whole union, each time.
    """
    if kind not in UNIONS:
        raise NotImplementedError(f"cannot decode {kind}")
    tag = value.get("type") if isinstance(value, dict) else None
    member = BY_TAG[kind].get(tag) if isinstance(tag, str) else None
    return msgspec.convert(value, member or UNIONS[kind], dec_hook=decode_family)
