"""Text files that a person wrote: reads them up to a limit, and reports any error in one line."""

from __future__ import annotations

import os
from pathlib import Path

from ..game import ConfigError

MAX_TEXT_FILE_BYTES = 256 * 1024
"""For files that a person writes. Records and stores have limits of their own."""
REGULAR_FILE_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""How to open what was a regular file a moment ago: refuses a link, does not block on a pipe. Windows has neither."""


def read_text(path: str | os.PathLike[str], what: str, max_bytes: int = MAX_TEXT_FILE_BYTES) -> str:
    """A user's text file; ConfigError when it is missing, too large or not UTF-8."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(max_bytes + 1)
    except OSError as error:
        raise ConfigError(f"{what} {str(path)!r}: {error.strerror or error}") from None
    except ValueError as error:  # a null byte in the path
        raise ConfigError(f"{what} {str(path)!r}: {error}") from None
    if len(content) > max_bytes:
        raise ConfigError(f"{what} {str(path)!r}: larger than {max_bytes // 1024} KiB")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{what} {str(path)!r}: not UTF-8 text (byte {error.start})") from None
