"""Hints for authors: what most first bots get wrong, told where a verdict looks like it."""

from __future__ import annotations

from ..protocol.errors import Fault

NO_FLUSH = "flush after each line: a line in a buffer never arrives"
STRAY_PRINT = "stdout is for messages only; debugging output goes to stderr"
HINTS: tuple[tuple[Fault, str, str], ...] = (
    ("no handshake", " within ", NO_FLUSH),
    ("no handshake", "JSON is malformed", STRAY_PRINT),
    ("malformed", "JSON is malformed", STRAY_PRINT),
)
"""(fault, part of the reason, what is behind it more often than not)."""


def hint(fault: Fault, reason: str) -> str:
    """What the author most likely did; empty when the reason looks like none of the usual mistakes."""
    return next((said for kind, part, said in HINTS if kind == fault and part in reason), "")
