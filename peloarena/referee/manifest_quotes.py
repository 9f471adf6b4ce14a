"""The usual mistake in a bot.toml that is valid TOML: quotes missing around text, or put around a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

TEXTS = ("name", "version", "author", "language")
PRINTABLE = 10**12
"""Python refuses to print numbers of more than 4,300 digits, which TOML may hold in hexadecimal."""


def quotes_problem(content: Mapping[str, object], limits: Iterable[str]) -> str:
    """The first such key with its fix; empty where no quotes are wrong. `limits`: the keys of [limits]."""
    for key in TEXTS:
        if is_scalar(content.get(key)):
            return needs_quotes(key, key, content[key])
    for key, value in table(content, "env").items():
        if is_scalar(value):
            return needs_quotes(f"env: {key[:80]!r}", key[:80], value)
    for key, value in table(content, "limits").items():
        if key in limits and isinstance(value, str):
            number = value.strip()
            plain = number.isascii() and number.isdecimal() and len(number) <= len(str(PRINTABLE))
            return f"limits.{key}: a number without quotes" + (f": {key} = {int(number)}" if plain else "")
    return ""


def table(content: Mapping[str, object], key: str) -> dict[str, object]:
    found = content.get(key)
    return found if isinstance(found, dict) else {}


def is_scalar(value: object) -> bool:
    """Values that a person writes without quotes and means as text: numbers, true and false."""
    return isinstance(value, int | float)


def needs_quotes(where: str, key: str, value: object) -> str:
    if isinstance(value, bool):
        return f'{where}: text needs quotes: {key} = "{str(value).lower()}"'
    short = isinstance(value, float) or (isinstance(value, int) and abs(value) < PRINTABLE)
    return f'{where}: text needs quotes: {key} = "{value if short else "..."}"'
