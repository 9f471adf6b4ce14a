"""A bot with a parameter, for the tests of `tune`."""

from __future__ import annotations

from pathlib import Path

BOT = """
import os
from peloarena.botkit import play
greed = float(os.environ["GREED"])
play(lambda decide, game: int(greed * (len(decide["legal"]) - 1)), name="taker")
"""
"""Takes the move at this share of the list."""
TUNE = ("tune", "taker", "--games", "12", "--deals", "1", "--final", "8", "--sandbox", "off", "--seed", "x")


def lay_out_taker(folder: Path) -> Path:
    """The folder, with the bot in it."""
    (folder / "taker").mkdir()
    (folder / "taker" / "main.py").write_text(BOT)
    (folder / "taker" / "bot.toml").write_text('command = ["{python}", "main.py"]\n[env]\nGREED = "0.5"\n')
    return folder
