"""The current address of a tournament's pages: a small file next to the store (`friday.sqlite.page`).

The server writes and removes it; a killed server leaves it behind, so it is only a hint.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

MAX_ADDRESS_BYTES = 200


def read_page_address(store: Path) -> str | None:
    """The address that people type; None if no server is running."""
    with contextlib.suppress(OSError, UnicodeDecodeError), _address_file(store).open("rb") as file:
        address = file.read(MAX_ADDRESS_BYTES).decode().strip()
        return address if address.startswith("http://") and address.isprintable() else None
    return None


def write_page_address(store: Path, address: str) -> None:
    """Without write permission for the folder there is no hint."""
    with contextlib.suppress(OSError):
        _address_file(store).write_text(address)


def remove_page_address(store: Path) -> None:
    with contextlib.suppress(OSError):
        _address_file(store).unlink()


def _address_file(store: Path) -> Path:
    return Path(f"{store.resolve()}.page")
