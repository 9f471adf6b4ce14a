"""Little bots in Python, written into a folder by a test, and a look at what they leave behind."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from patience import PATIENCE

TEMPLATE = """
import json, os, signal, sys, time

def say(message):
    sys.stdout.write((message if isinstance(message, str) else json.dumps(message)) + "\\n")
    sys.stdout.flush()

def once(name):
    try:
        os.close(os.open(os.path.join({home!r}, name), os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False

games = asked = 0
{start}
for line in iter(sys.stdin.readline, ""):
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        {hello}
        say({{"type": "hello", "name": "little", "wants": {wants!r}}})
    elif kind == "newgame":
        games, asked = games + 1, 0
        {newgame}
        say({{"type": "ready"}})
    elif kind == "decide":
        asked += 1
        index = 0
        {decide}
        say({{"type": "answer", "id": message["id"], "index": index}})
    elif kind == "gameover":
        {gameover}
        pass
    elif kind == "quit":
        {quit}
        break
"""
LAST_MOVE = "index = len(message['legal']) - 1"
CRASH = "sys.stderr.write('first line\\nmy last words\\n'); sys.exit(3)"
ILLEGAL = "index = 99999"
SILENT = "time.sleep(3600)"


def after_trial(variable: str, name: str) -> str:
    """A `start` that sets the variable in every process but the first two, which play the trial before a tournament.

    Nothing that a bot is told gives a trial away. The mark lies beside the bot, whose own files must not change.
    """
    return f"{variable} = not (once('../{name}.tried') or once('../{name}.tried-again'))"


def little_bot(
    folder: Path,
    name: str,
    *,
    start: str = "",
    hello: str = "pass",
    newgame: str = "pass",
    decide: str = "pass",
    gameover: str = "pass",
    quit: str = "pass",
    wants: str = "state",
) -> str:
    """A bot that plays the first legal move; each snippet runs before it would say something. Its path."""
    home = folder / name
    home.mkdir()
    folder.chmod(0o755)
    parts = {"hello": hello, "newgame": newgame, "decide": decide, "gameover": gameover, "quit": quit}
    (home / "main.py").write_text(TEMPLATE.format(home=str(home), start=start, wants=wants, **parts))
    (home / "bot.toml").write_text(f'name = "{name}"\ncommand = ["{{python}}", "-ISE", "main.py"]\n')
    return str(home)


def wait_until(happened: Callable[[], bool], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.005)


def living_in(folder: Path) -> list[int]:
    """The processes whose working folder is in here: bots (without a sandbox) and whatever a test started there."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and Path(os.readlink(f"/proc/{entry}/cwd")).is_relative_to(folder):
                found.append(int(entry))
        except OSError:
            pass  # it ended meanwhile
    return found
