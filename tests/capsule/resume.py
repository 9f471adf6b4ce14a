"""How a stopped tournament of the capsule is resumed and closed: by commands that a host types, each a process of its
own.

make.py did it with 38049c6 and kept the result; the tests do it with the code as it is. Knows only the command line.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner
from ports import free_port

from peloarena.cli.main import cli

PATIENCE = 120.0
"""Seconds. Only a broken program makes anybody wait that long."""
ONE_AT_A_TIME = ("--jobs", "1")
"""A ladder chooses its next deal by the games that are over, so two at a time could give two different ladders."""
LADDER_GAMES = "18"


def peloarena(*words: str | Path, cwd: Path | None = None) -> str:
    """What a command prints."""
    done = subprocess.run(command(*words), cwd=cwd, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "peloarena.cli.main", *map(str, words)]


def resume(file: Path) -> None:
    """Play a tournament to its end and close it. `file`: its tournament file, in the folder of its name."""
    WAYS.get(file.parent.name, run)(file)
    peloarena("tournament", "close", file)


def run(file: Path) -> None:
    peloarena("tournament", "run", file, *ONE_AT_A_TIME)


def run_ladder(file: Path) -> None:
    """Some more deals that it chooses, then the finish."""
    peloarena("tournament", "run", file, *ONE_AT_A_TIME, "--games", LADDER_GAMES)
    peloarena("tournament", "finish", file)
    run(file)


def run_with_upload(file: Path) -> None:
    """The tournament is paused, and a zip waits beside it, which only a run with pages takes in. Then it goes on."""
    words = command("tournament", "run", file, *ONE_AT_A_TIME, "--serve", "--port", str(free_port()))
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as runner:
        try:
            wait_until(lambda: is_taken_in(file, "late"), runner)
        finally:
            runner.send_signal(signal.SIGINT)
            runner.wait(PATIENCE)
    peloarena("tournament", "pause", file, "--off")
    run(file)


WAYS: dict[str, Callable[[Path], None]] = {"ladder": run_ladder, "gauntlet": run_with_upload}
"""Tournaments that need more than `run`."""


def is_taken_in(file: Path, name: str) -> bool:
    """Whether the bot that waits beside the tournament has passed its trial."""
    upload = json.loads((file.with_suffix(".uploads") / "1.json").read_bytes())
    assert upload["state"] != "refused", upload["problem"]
    return state_of(file, name) == "ready"


def state_of(file: Path, name: str) -> str:
    """Of the newest version of an entry; empty if there is none."""
    told = json.loads(CliRunner().invoke(cli, ["tournament", "entries", str(file), "--json"]).stdout)
    numbers = {entry["name"]: entry["number"] for entry in told["entries"]}
    return next((v["state"] for v in reversed(told["versions"]) if v["entry"] == numbers.get(name)), "")


def wait_until(happened: Callable[[], bool], runner: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert runner.poll() is None, f"the run ended with exit code {runner.returncode}"
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)
