"""What a decision is about: the fields of the step that asks, as `decide` tells them.

Knows steps by their fields only: the question of a new module needs nothing here.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from ..game.kinds import Step
from ..game.registry import EVERYTHING

Fact = str | int | bool
About = dict[str, Fact | tuple[Fact | tuple[Fact, ...], ...]]
"""Names, numbers, and lists of them or of their pairs: what a step that asks may hold."""


def _told(step: type[Step]) -> tuple[str, ...]:
    """All but the seat: the one asked knows its own."""
    assert issubclass(step, Struct)
    return tuple(name for name in step.__struct_fields__ if name != "seat")


TOLD: dict[type[Step], tuple[str, ...]] = {step: _told(step) for module in EVERYTHING for step in module.questions}
"""By step that asks: the fields that are told, in their order. A table, because it is looked up for every question."""


def about(step: Step) -> About | UnsetType:
    """What `decide` tells of the step that asks; left out where there is nothing to tell, as with every `bid`."""
    names = TOLD[type(step)]
    return {name: getattr(step, name) for name in names} if names else UNSET
