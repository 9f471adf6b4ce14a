"""The usual mistake in a bot.toml that is valid TOML: quotes missing around text, or put around a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

TEXT_KEYS = ("name", "version", "author", "language")
MAX_PRINTABLE_NUMBER = 10**12
"""Python refuses to print numbers of more than 4,300 digits, which TOML may hold in hexadecimal."""


def quotes_problem(content: Mapping[str, object], limits: Iterable[str]) -> str:
    """The first such key with its fix; empty where no quotes are wrong. `limits`: the keys of [limits]."""
    for key in TEXT_KEYS:
        if is_scalar(content.get(key)):
            return missing_quotes_text(key, key, content[key])
    for key, value in subtable(content, "env").items():
        if is_scalar(value):
            return missing_quotes_text(f"env: {key[:80]!r}", key[:80], value)
    for key, value in subtable(content, "limits").items():
        if key in limits and isinstance(value, str):
            number = value.strip()
            plain = number.isascii() and number.isdecimal() and len(number) <= len(str(MAX_PRINTABLE_NUMBER))
            return f"limits.{key}: a number without quotes" + (f": {key} = {int(number)}" if plain else "")
    return ""


def subtable(content: Mapping[str, object], key: str) -> dict[str, object]:
    found = content.get(key)
    return found if isinstance(found, dict) else {}


def is_scalar(value: object) -> bool:
    """Values that a person writes without quotes and means as text: numbers, true and false."""
    return isinstance(value, int | float)


def missing_quotes_text(where: str, key: str, value: object) -> str:
    if isinstance(value, bool):
        return f'{where}: text needs quotes: {key} = "{str(value).lower()}"'
    short = isinstance(value, float) or (isinstance(value, int) and abs(value) < MAX_PRINTABLE_NUMBER)
    return f'{where}: text needs quotes: {key} = "{value if short else "..."}"'
