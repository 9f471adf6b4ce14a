"""Makes text from outside harmless: shows every character that a reader's screen may obey.

Bots, files and people write names, notes and stderr; terminals and pages show them. Knows neither.
"""

from __future__ import annotations

import unicodedata

CONTROL_PICTURES = 0x2400
DELETE, DELETE_PICTURE = 0x7F, 0x2421
UNSAFE_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Unicode categories that a terminal may obey instead of showing: controls, bidi and zero-width marks, separators."""


def to_plain_text(text: str) -> str:
    """Untrusted text with every character that could steer a terminal replaced by a visible stand-in; one line."""
    return "".join(stand_in(char) if unicodedata.category(char) in UNSAFE_CATEGORIES else char for char in text)


def stand_in(char: str) -> str:
    """`␛` for an escape, `‹202E›` for a mark without a glyph."""
    code = ord(char)
    if code < 0x20:
        return chr(CONTROL_PICTURES + code)
    return chr(DELETE_PICTURE) if code == DELETE else f"‹{code:04X}›"


def escape_for_json(text: str) -> str:
    """The same characters as JSON escapes: JSON text keeps its meaning."""
    return "".join(json_escape(char) if unicodedata.category(char) in UNSAFE_CATEGORIES else char for char in text)


def json_escape(char: str) -> str:
    """`\\u202e`; beyond the first 65,536 as a pair of surrogates."""
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
