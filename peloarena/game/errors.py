"""Whose fault an error is, and what would be right.

RulesError: the caller's move or state. ConfigError: the user's options or files.
"""

import difflib
from collections.abc import Iterable


class RulesError(ValueError):
    """A move or a state that the rules do not allow; the game is unchanged."""


class ConfigError(ValueError):
    """User options or a file that cannot be used; the message says what would fit.

    `details` is further text of several lines: a compiler's output.
    """

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'sea'?)`, or nothing: for an unknown word from the user."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
