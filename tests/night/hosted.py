"""A tournament with real bots that a test hosts: its commands, each a process, and a runner that may be killed.

Nothing waits for a time: only for what a run says or the store holds.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path

from killable import KillableTournament, finished

from peloarena.tournament.store import Store

SOURCE = Path(__file__).parent / "marked.c"
PATIENCE = 600.0
"""Seconds for a whole run, which only a broken one needs."""


class Session:
    """One `run`, and what it said so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.said: list[str] = []
        self._guard = threading.Timer(PATIENCE, process.kill)
        self._guard.daemon = True
        self._guard.start()

    def read_until(self, pattern: str) -> None:
        """Up to a new line that fits."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            if re.search(pattern, line):
                return
        raise AssertionError(f"{pattern!r} was never said:\n{''.join(self.said)}")

    def read_all(self, *patterns: str) -> None:
        """Until each was said, in any order."""
        left = set(patterns)
        while left:
            self.read_until("|".join(left))
            left -= {pattern for pattern in left if re.search(pattern, self.said[-1])}

    def end(self, *, kill: bool = False) -> int:
        """The rest of what it says, and its exit code."""
        if kill:
            self.process.kill()
        assert self.process.stdout is not None
        self.said += self.process.stdout.readlines()
        self.process.stdout.close()
        self._guard.cancel()
        return self.process.wait()


class HostedTournament(KillableTournament):
    def __init__(self, folder: Path, roster: Mapping[str, str]) -> None:
        """`roster`: bots by name, and how they play (marked.c)."""
        super().__init__(folder)
        self.store_path = self.file.with_suffix(".sqlite")
        self.falling, self.waiting, self.halt = folder / "falling", folder / "waiting", folder / "halt"
        """While these are there a bot falls, one lets its trial wait, and all let their games wait."""
        self.reported: list[str] = []
        self.kept: dict[str, tuple[str, float]] = {}
        """Every game that was ever seen in the store: the digest of its record, and when it was stored."""
        self.stages: list[str] = []
        """Where the runner was killed."""
        compiler = shutil.which("cc")
        assert compiler is not None
        files = [f'-DFALLING="{self.falling}"', f'-DWAITING="{self.waiting}"', f'-DHALT="{self.halt}"']
        subprocess.run([compiler, "-O1", *files, "-o", folder / "marked", SOURCE], check=True)
        for name, style in roster.items():
            self.bot(name, name, style)

    def bot(self, folder: str, name: str, style: str) -> None:
        """Its mark is the name of its folder."""
        place = self.folder / folder
        place.mkdir()
        shutil.copy(self.folder / "marked", place / "bot")
        command = ["./bot", folder, style]
        (place / "bot.toml").write_text(f'name = "{name}"\ncommand = {json.dumps(command)}\n')

    # ---- what a host does

    def run(self, *more: str) -> Session:
        return Session(self.start("run", *more))

    def run_command(self, command: str, *more: str, code: int = 0) -> str:
        """Another command, in a process of its own."""
        session = Session(self.start(command, *more))
        assert session.end() == code, "".join(session.said)
        return "".join(session.said)

    def pause(self, session: Session, reason: str) -> None:
        """Just now: no game ends between what was read last and the command."""
        self.halt.touch()
        self.run_command("pause", "--reason", reason)
        session.read_until(f"^paused {reason}")
        self.halt.unlink()

    def killed(self, session: Session, stage: str) -> None:
        session.end(kill=True)
        self.wait_until_alone()
        self.stages.append(stage)
        self.note(session)

    def note(self, session: Session) -> None:
        """Whatever was reported is stored, was not reported before, and is as it was when it was first seen."""
        now = finished(session.said)
        assert not now & set(self.reported), "a game was played twice"
        self.reported += now
        before, self.kept = self.kept, self.stored()
        assert now <= self.kept.keys(), "reported and lost"
        assert before.items() <= self.kept.items(), "a finished game was touched"

    def stored(self) -> dict[str, tuple[str, float]]:
        with Store.open_to_read(self.store_path) as store:
            return {
                row.fixture.game: (hashlib.sha256(store.record(row.fixture.game)).hexdigest(), row.at)
                for row in store.games()
            }

    def state_of(self, name: str) -> list[str]:
        """Of all versions that it submitted."""
        with Store.open_to_read(self.store_path) as store:
            number = next(entry.number for entry in store.entries() if entry.name == name)
            return [version.state for version in store.versions() if version.entry == number]
