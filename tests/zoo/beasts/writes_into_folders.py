"""Writes into its own folder, the other bot's, the referee's temporary folder and cache."""

import os

from manners import play, sandboxed, sit, targets, tried


def write_in(folder, name="was-here"):
    with open(os.path.join(folder, name), "a") as file:
        return file.write("#")


sandboxed()
sit()
aims = targets()
play(
    tried(
        own=lambda: write_in("/bot"),
        own_code=lambda: write_in("/bot", "main.py"),
        own_mode=lambda: os.chmod("/bot/main.py", 0o777),
        own_on_host=lambda: write_in(aims["own"]),
        other=lambda: write_in(aims["other"]),
        temporary=lambda: write_in(aims["temporary"]),
        cache=lambda: write_in(aims["cache"]),
    )
)
