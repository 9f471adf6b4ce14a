"""How to start another process of this package: a module of it, with the interpreter that runs this one."""

from __future__ import annotations

import sys

SAFE_PATH = "-P"
"""Does not search the current folder for modules. A host may be in a bot's folder, and its msgspec.py would run with
all rights of the host."""


def own_module(name: str) -> list[str]:
    """The words that run `peloarena.NAME`; its arguments follow them."""
    return [sys.executable, SAFE_PATH, "-m", f"peloarena.{name}"]
