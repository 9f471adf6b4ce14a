"""Untrusted TOML: any text gives a table or a ConfigError, in bounded time. Nothing is executed."""

import re
import tomllib

from .errors import ConfigError

MAX_DOTS_PER_LINE = 100
"""In one line. Python's parser takes a minute for a key of 20,000 parts, which has 40 KB."""
ERROR_LINE_PATTERN = re.compile(r"\(at line (\d{1,6}), column \d+\)")
UNQUOTED_PATTERN = re.compile(r"([\w-]{1,40}) *= *(\[?) *([A-Za-z.{/][\w .,{}/+-]{0,80}?) *\]?")
"""A key and bare words: `name = mybot`, `command = [python, main.py]`."""


def read_toml(text: str, where: str) -> dict[str, object]:
    if any(line.count(".") > MAX_DOTS_PER_LINE for line in text.split("\n")):
        raise ConfigError(f"{where}: a line with more than {MAX_DOTS_PER_LINE} dots")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # not only TOML's own errors: a number of 5,000 digits raises another
        raise ConfigError(f"{where}: not valid TOML: {error}{_mistake_hint(text, str(error))}") from None


def _mistake_hint(text: str, problem: str) -> str:
    """The most likely mistake of a beginner in the line that the parser names."""
    if text.startswith("\ufeff"):
        return " (it begins with a byte order mark: save it as UTF-8 without one)"
    place = ERROR_LINE_PATTERN.search(problem)
    line = text.split("\n")[int(place[1]) - 1] if place is not None else ""
    unquoted = UNQUOTED_PATTERN.fullmatch(line.strip())
    if "Invalid value" not in problem or unquoted is None:
        return ""
    key, bracket, words = unquoted.groups()
    quoted = ", ".join(f'"{word.strip()}"' for word in words.split(","))
    return f" (text needs quotes: {key} = [{quoted}])" if bracket else f' (text needs quotes: {key} = "{words}")'
