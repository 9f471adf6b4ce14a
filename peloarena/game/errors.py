"""Whose fault it was, and what would be right.

RulesError: the caller's move or state. ConfigError: the user's options or files.
"""

import difflib
from collections.abc import Iterable


class RulesError(ValueError):
    """A move or a state that the rules do not allow; the game is unchanged."""


class ConfigError(ValueError):
    """Options or a file of the user's that cannot be used; the message says what would fit.

    `details` is text of several lines that belongs to it: a compiler's output.
    """

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details


def nearest(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'sea'?)`, or nothing: for a word of the user's that is not among those known."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
