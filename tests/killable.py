"""A tournament that a test runs as a process and kills -9: whatever is started for it must be gone soon after."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from patience import PATIENCE

FINISHED = re.compile(r"^\d+(?:/\d+)? ([rcf][0-9]+-[0-9.]+-d[0-9]+-s[0-9]+)  ")


class KillableTournament:
    """A folder with a tournament file. Whatever is started for it carries a token in its environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "night.toml"
        self.token = uuid.uuid4().hex
        folder.mkdir(parents=True, exist_ok=True)

    def words(self, command: str, *more: str) -> list[str]:
        return [sys.executable, "-m", "peloarena.cli.main", "tournament", command, str(self.file), *more]

    def start(self, command: str, *more: str, output: int | IO[str] = subprocess.PIPE) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.words(command, *more),
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "CRASH_TOKEN": self.token, "COLUMNS": "120", "PYTHONUNBUFFERED": "1"},
        )

    def wait_until_alone(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while left := list(self.living()):
            assert time.monotonic() < deadline, f"still running long after the kill: {left}"
            time.sleep(0.01)

    def living(self) -> Iterator[str]:
        """Processes of this tournament: workers and guardians by their environment, bots by their folder."""
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


def finished(said: Iterable[str]) -> set[str]:
    """The games that a run reported."""
    return {found[1] for line in said if (found := FINISHED.match(line))}
