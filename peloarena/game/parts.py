"""What modules keep in the state (`parts`), read and replaced by type."""

from __future__ import annotations

from typing import TypeVar

from .kinds import Part, tag_of
from .state import Seat, State

P = TypeVar("P", bound=Part)

TAGS: dict[type[Part], str] = {}
"""Results of `tag_of` by kind of part: a game with many modules asks a thousand times."""


def part(owner: State | Seat, kind: type[P]) -> P:
    """A module's part of the state or of a seat."""
    found = owner.parts[cached_tag(kind)]
    assert isinstance(found, kind)
    return found


def put_part(owner: State | Seat, new: Part) -> None:
    owner.parts = {**owner.parts, cached_tag(type(new)): new}


def cached_tag(kind: type[Part]) -> str:
    found = TAGS.get(kind)
    if found is None:
        found = TAGS[kind] = tag_of(kind)
    return found
