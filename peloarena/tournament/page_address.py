"""Where a night's pages are served at this moment: a small file beside the store (`friday.sqlite.page`).

Whoever serves writes it and takes it away; one that was killed leaves it, so it is a hint and nothing more.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

LONGEST = 200


def page_of(store: Path) -> str | None:
    """The address that people type; None if nobody serves it."""
    with contextlib.suppress(OSError, UnicodeDecodeError), _file(store).open("rb") as file:
        found = file.read(LONGEST).decode().strip()
        return found if found.startswith("http://") and found.isprintable() else None
    return None


def tell_page(store: Path, address: str) -> None:
    """A folder that may not be written to costs the hint."""
    with contextlib.suppress(OSError):
        _file(store).write_text(address)


def forget_page(store: Path) -> None:
    with contextlib.suppress(OSError):
        _file(store).unlink()


def _file(store: Path) -> Path:
    return Path(f"{store.resolve()}.page")
