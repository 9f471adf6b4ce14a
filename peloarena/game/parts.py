"""What modules keep in the state (`parts`), read and replaced by type."""

from __future__ import annotations

from typing import TypeVar

from .kinds import Part, tag_of
from .state import Seat, State

P = TypeVar("P", bound=Part)


def part(owner: State | Seat, kind: type[P]) -> P:
    """A module's part of the state or of a seat."""
    found = owner.parts[tag_of(kind)]
    assert isinstance(found, kind)
    return found


def put_part(owner: State | Seat, new: Part) -> None:
    owner.parts = {**owner.parts, tag_of(type(new)): new}
