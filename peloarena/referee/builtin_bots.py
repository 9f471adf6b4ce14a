"""The built-in bots, found by name from anywhere: next to this code in an installed package, in bots/ in a clone."""

from __future__ import annotations

from pathlib import Path

BUILTIN_BOT_NAMES = ("random", "greedy", "planner")
"""The ones in Python, weakest first. Others need a compiler or node, and are examples to read."""
PACKAGE_FOLDER = Path(__file__).parents[1]
BUILTIN_BOT_FOLDERS = (PACKAGE_FOLDER / "builtin_bots", PACKAGE_FOLDER.parent / "bots")
"""In a wheel (pyproject.toml puts them there), in a clone."""


def builtin_bot_path(name: str) -> Path | None:
    """The path of the built-in bot of this name; None if there is none."""
    folders = (parent / name for parent in BUILTIN_BOT_FOLDERS if name in BUILTIN_BOT_NAMES)
    return next((folder for folder in folders if folder.is_dir()), None)
