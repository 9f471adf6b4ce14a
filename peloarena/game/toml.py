"""TOML that a stranger wrote: any text gives a table or a ConfigError, in good time. Nothing is executed."""

import tomllib

from .errors import ConfigError

MOST_DOTS = 100
"""In one line. Python's parser takes a minute for a key of 20,000 parts, which has 40 KB."""


def read_toml(text: str, where: str) -> dict[str, object]:
    if any(line.count(".") > MOST_DOTS for line in text.split("\n")):
        raise ConfigError(f"{where}: a line with more than {MOST_DOTS} dots")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # not TOML's own errors alone: a number of 5,000 digits is another
        raise ConfigError(f"{where}: not valid TOML: {error}") from None
