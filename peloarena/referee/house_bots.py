"""The built-in bots, found by name from anywhere: next to this code in an installed package, in bots/ in a clone."""

from __future__ import annotations

from pathlib import Path

NAMES = ("random", "greedy", "planner")
"""The ones in Python, weakest first. Others need a compiler or node, and are examples to read."""
PACKAGE = Path(__file__).parents[1]
PLACES = (PACKAGE / "house_bots", PACKAGE.parent / "bots")
"""In a wheel (pyproject.toml puts them there), in a clone."""


def house_bot(name: str) -> Path | None:
    """The path of the built-in bot of this name; None if there is none."""
    folders = (place / name for place in PLACES if name in NAMES)
    return next((folder for folder in folders if folder.is_dir()), None)
