"""What a decision is about: the fields of the asking step that `decide` sends.

Knows steps by their fields only: the question of a new module needs no code here.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from ..game.kinds import Step
from ..game.registry import ALL_MODULES

AboutValue = str | int | bool
About = dict[str, AboutValue | tuple[AboutValue | tuple[AboutValue, ...], ...]]
"""Names, numbers, and lists of them or of their pairs: what an asking step may hold."""


def _about_field_names(step: type[Step]) -> tuple[str, ...]:
    """All fields but the seat: the asked bot knows its own."""
    assert issubclass(step, Struct)
    return tuple(name for name in step.__struct_fields__ if name != "seat")


ABOUT_FIELDS: dict[type[Step], tuple[str, ...]] = {
    step: _about_field_names(step) for module in ALL_MODULES for step in module.questions
}
"""By asking step: the fields to send, in order. A table, because it is looked up for every question."""


def about_of(step: Step) -> About | UnsetType:
    """The fields of the asking step for `decide`; left out where there are none, as with every `bid`."""
    names = ABOUT_FIELDS[type(step)]
    return {name: getattr(step, name) for name in names} if names else UNSET
