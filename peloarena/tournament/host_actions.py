"""Host actions: the host's decisions during a tournament, and their effect on its entries. Pure.

A host action is never changed or deleted; a later one undoes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct


class HostAction(Struct, frozen=True):
    """A decision of the host, and its reason."""

    id: int
    kind: str
    target: str
    reason: str
    at: float


def withdrawn_entries(actions: Sequence[HostAction]) -> dict[str, str]:
    """The reason by name; `readmit` undoes it."""
    return _active_reasons(actions, {"withdraw": True, "readmit": False})


def removed_entries(actions: Sequence[HostAction]) -> dict[str, str]:
    """Entries that left the tournament file and did not return: out from the next round on, without forfeits."""
    return _active_reasons(actions, {"remove": True, "restore": False})


def entries_are_locked(actions: Sequence[HostAction]) -> bool:
    kinds = [action.kind for action in actions if action.kind in ("lock", "unlock")]
    return bool(kinds) and kinds[-1] == "lock"


def readmission_text(at_once: bool) -> str:
    """When a readmitted bot plays, in words; at once on a ladder, which has no rounds."""
    return "plays again at once" if at_once else "plays again from the next round on"


def is_finish_requested(actions: Sequence[HostAction]) -> bool:
    """The host has ended a ladder: its finish decides."""
    return any(action.kind == "finish" for action in actions)


def active_pause(actions: Sequence[HostAction]) -> HostAction | None:
    """The action that pauses the tournament. It lasts until the host resumes, even for a runner that starts later."""
    last = next((action for action in reversed(actions) if action.kind in ("pause", "resume")), None)
    return last if last is not None and last.kind == "pause" else None


def requested_pause(actions: Sequence[HostAction]) -> HostAction | None:
    """A pause that was requested but has not begun: the runner pauses when the round is over."""
    kinds = ("pause", "pause-after-round", "resume")
    last = next((action for action in reversed(actions) if action.kind in kinds), None)
    return last if last is not None and last.kind == "pause-after-round" else None


def _active_reasons(actions: Sequence[HostAction], kinds: Mapping[str, bool]) -> dict[str, str]:
    """`kinds`: whether an action of that kind sets the state or ends it."""
    reasons: dict[str, str] = {}
    for action in actions:
        if action.kind in kinds:
            reasons.pop(action.target, None)
        if kinds.get(action.kind):
            reasons[action.target] = action.reason
    return reasons
