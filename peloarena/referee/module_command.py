"""How to start another process of this package: a module of it, with the interpreter that runs this one."""

from __future__ import annotations

import sys

SAFE_PATH_FLAG = "-P"
"""Does not search the current folder for modules. A host may be in a bot's folder, and its msgspec.py would run with
all rights of the host."""


def module_command(name: str) -> list[str]:
    """The words that run `peloarena.NAME`; its arguments follow them."""
    return [sys.executable, SAFE_PATH_FLAG, "-m", f"peloarena.{name}"]
