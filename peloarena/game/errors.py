"""Whose fault it was. RulesError: the caller's move or state. ConfigError: the user's options or files."""


class RulesError(ValueError):
    """A move or a state that the rules do not allow; the game is unchanged."""


class ConfigError(ValueError):
    """Options or a file of the user's that cannot be used; the message says what would fit.

    `details` is text of several lines that belongs to it: a compiler's output.
    """

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details
