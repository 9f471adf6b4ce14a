"""The crash test: a night whose runner is killed at random moments and started again, beside one that is not.

For the test beside it and for bench/crash.py. The bots are in C and deterministic; one leaves in the middle of every
game and is benched.
"""

from __future__ import annotations

import json
import os
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

from peloarena.game import ConfigError
from peloarena.tournament.store import Store

ROOT = Path(__file__).parents[2]
GOOD = ROOT / "tests" / "zoo" / "good.c"
FALLS = ROOT / "tests" / "tournament" / "falls.c"
TINY = ROOT / "bots" / "tiny-c" / "bot.c"
GONE_WITHIN = 3.0
PATIENCE = 60.0
LATEST = 0.03
"""A kill comes up to this many seconds after a game was reported: before, in and after the next transaction."""
FINISHED = re.compile(r"^\d+/\d+ ([rc][0-9]+-[0-9.]+-d[0-9]+-s[0-9]+)  ")

Row = tuple[object, ...]


class CrashNight:
    """A folder with bots and a tournament file. Whatever is started for it carries a token in its environment."""

    def __init__(self, folder: Path, deals: int) -> None:
        self.folder = folder
        self.token = uuid.uuid4().hex
        self.tried = folder / "falls.tried"
        folder.mkdir(parents=True, exist_ok=True)
        for name, source in (("first", GOOD), ("tiny", TINY), ("falls", FALLS)):
            self.compile(name, source)
        self.file = folder / "night.toml"
        self.file.write_text(
            f'name = "Crash"\nbots = ["first", "tiny", {{path = "tiny", alias = "other"}}, "falls"]\n'
            f'deals = {deals}\nseed = "crash"\nsandbox = "off"\nrestart = "never"\njobs = 2\nbench_after = 5\n'
            f'pondering = true\ntime = "60s"\n'
        )

    def compile(self, name: str, source: Path) -> None:
        place = self.folder / name
        place.mkdir()
        compiler = shutil.which("cc")
        assert compiler is not None, "the crash test needs a C compiler"
        subprocess.run([compiler, "-O1", f'-DTRIED="{self.tried}"', "-o", place / "bot", source], check=True)
        (place / "bot.toml").write_text(f'name = "{name}"\ncommand = ["./bot"]\n')

    def start(self, store: Path) -> subprocess.Popen[str]:
        if not is_begun(store):
            for mark in (self.tried, self.tried.with_name("falls.tried-again")):  # there will be a trial of two games
                mark.unlink(missing_ok=True)
        return subprocess.Popen(
            [sys.executable, "-m", "peloarena.cli.main", "tournament", "run", str(self.file), "--store", str(store)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "CRASH_TOKEN": self.token, "COLUMNS": "120", "PYTHONUNBUFFERED": "1"},
        )

    def finish(self, store: Path) -> str:
        """Run to the end: what was printed after the last game."""
        process = self.start(store)
        said, _ = process.communicate(timeout=PATIENCE * 5)
        assert process.returncode == 0, said
        return "\n".join(table_lines(said)).replace(str(store), "STORE")

    def killed(self, store: Path, after: int, chance: random.Random) -> set[str]:
        """Run until that number of games were reported, kill the runner; the games that it reported."""
        process = self.start(store)
        assert process.stdout is not None
        said: list[str] = []
        deadline = time.monotonic() + PATIENCE
        while len(finished(said)) < after and (line := process.stdout.readline()):
            said.append(line)
            assert time.monotonic() < deadline, "the night hangs"
        select.select([], [], [], chance.uniform(0, LATEST))
        process.send_signal(signal.SIGKILL)
        said += process.stdout.readlines()  # what it had reported before
        process.stdout.close()
        process.wait()
        self.wait_until_alone()
        return finished(said)

    def wait_until_alone(self) -> None:
        deadline = time.monotonic() + GONE_WITHIN
        while left := list(self.living()):
            assert time.monotonic() < deadline, f"still running {GONE_WITHIN:g} s after the kill: {left}"
            time.sleep(0.01)

    def living(self) -> Iterator[str]:
        """Processes of this night: workers and keepers by their environment, bots by their folder."""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                environment = Path("/proc", pid, "environ").read_bytes()
                place = os.readlink(f"/proc/{pid}/cwd")
                state = Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()[0]
                command = Path("/proc", pid, "cmdline").read_bytes()
            except OSError:
                continue
            ours = self.token.encode() in environment or Path(place).is_relative_to(self.folder)
            if ours and state != "Z" and int(pid) != os.getpid():
                yield f"{pid}: {command.decode(errors='replace')}"


def table_lines(said: str) -> list[str]:
    lines = said.splitlines()
    last = max((n for n, line in enumerate(lines) if FINISHED.match(line)), default=-1)
    return [line for line in lines[last + 1 :] if not line.startswith("  ") or line.lstrip()[:1].isdigit()]


def finished(said: list[str]) -> set[str]:
    return {found[1] for line in said if (found := FINISHED.match(line))}


def games(store: Path) -> list[Row]:
    """Everything that must be the same: seats, seeds, outcomes, verdicts, and the digest of each game."""
    with Store.read(store) as opened:
        return [
            (row.fixture, row.played, row.outcome, row.verdicts, digest(opened.record(row.fixture.game)))
            for row in opened.games()
        ]


def digest(record: bytes) -> str:
    """The digest of the game, which holds no time."""
    end = json.loads(record.splitlines()[-1])
    assert end["type"] == "end"
    return str(end["game"])


def crash_test(folder: Path, deals: int, kills: int, seed: str) -> str:
    """A whole night and one killed `kills` times: AssertionError if anything differs; a line of what was done."""
    night = CrashNight(folder, deals)
    start = time.monotonic()
    table = night.finish(folder / "whole.sqlite")
    took = time.monotonic() - start
    whole = games(folder / "whole.sqlite")
    assert "benched after round" in table, "falls must fall, or nothing is tried here"
    chance = random.Random(seed)
    cut = folder / "cut.sqlite"
    reported: set[str] = set()
    moments = []
    for number in range(kills):
        share = (len(whole) - len(reported)) // (kills - number)
        now = night.killed(cut, chance.randrange(0, max(1, share)), chance)
        assert not now & reported, "a game was played twice"
        reported |= now
        done = names(cut)
        assert reported <= done, f"reported and lost: {sorted(reported - done)}"
        reported = done
        moments.append(len(done))
    assert len(reported) < len(whole), "the night was over before the last kill"
    assert night.finish(cut) == table
    assert games(cut) == whole
    return (
        f"{len(whole)} games, {took:.0f} s when not cut; killed after {', '.join(map(str, moments))} games; all equal"
    )


def is_begun(store: Path) -> bool:
    """Whether its bots were tried; a runner may be killed before it has made a store."""
    try:
        with Store.read(store) as opened:
            return bool(opened.entries())
    except ConfigError:
        return False


def names(store: Path) -> set[str]:
    """Of finished games; a runner may be killed before it has made a store."""
    if not store.exists() or not store.stat().st_size:
        return set()
    with Store.read(store) as opened:
        return opened.names()
