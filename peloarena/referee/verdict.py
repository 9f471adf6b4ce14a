"""Verdicts: what a bot did wrong, when, and what its author needs to mend it. Part of the record."""

from __future__ import annotations

from msgspec import Struct

from ..protocol.errors import Fault

SHOWN = 2000
STDERR_SHOWN = 4000
SIGNALLED = 128
"""What shells and bubblewrap add to the number of a signal."""


NO_FLUSH = "flush after each line: a line in a buffer never arrives"
STRAY_PRINT = "stdout is for messages only; debugging output goes to stderr"
HINTS: tuple[tuple[Fault, str, str], ...] = (
    ("no handshake", " within ", NO_FLUSH),
    ("no handshake", "JSON is malformed", STRAY_PRINT),
    ("malformed", "JSON is malformed", STRAY_PRINT),
)
"""(fault, part of the reason, what is behind it more often than not)."""


class Evidence(Struct, frozen=True, omit_defaults=True):
    """For the author. Not part of the game's digest: timing and stderr differ from run to run."""

    request: str = ""
    answer: str = ""
    stderr: str = ""
    exit_status: int | None = None
    out_of_memory: bool = False
    seconds: float | None = None
    cpu_seconds: float | None = None


class Verdict(Struct, frozen=True, omit_defaults=True):
    seat: int
    fault: Fault
    reason: str
    decision: int
    """The id of the question it failed; 0 before the first."""
    forgiven: bool = False
    """The caretaker answered in its place and it played on."""


def exit_text(status: int | None) -> str:
    if status is None:
        return "it still runs"
    if status < 0:
        return f"it was ended by signal {-status}"
    signalled = f", as after signal {status - SIGNALLED}" if status > SIGNALLED else ""
    return f"its exit status was {status}{signalled}"


def hint(fault: Fault, reason: str) -> str:
    """What most first bots get wrong, where the reason looks like it."""
    return next((said for kind, part, said in HINTS if kind == fault and part in reason), "")
