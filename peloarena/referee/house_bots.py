"""The house's own bots, found by name from anywhere: in an installed package beside this code, in a clone in bots/."""

from __future__ import annotations

from pathlib import Path

NAMES = ("random", "greedy", "planner")
"""Those in Python, the weakest first. Others need a compiler or node, and are for reading."""
PACKAGE = Path(__file__).parents[1]
PLACES = (PACKAGE / "house_bots", PACKAGE.parent / "bots")
"""In a wheel (pyproject.toml puts them there), in a clone."""


def house_bot(name: str) -> Path | None:
    """Where the bot of this name lies; None if the house has none."""
    folders = (place / name for place in PLACES if name in NAMES)
    return next((folder for folder in folders if folder.is_dir()), None)
