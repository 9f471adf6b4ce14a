"""The long night: a host's whole evening with real bots, in which everything happens that can, and its runner is
killed at every stage. LongNight.play does it; what must be true afterwards is asked by the test beside it.

Nothing waits for a time: only for what a run says or the store holds.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import threading
from pathlib import Path

from killable import KillableNight, finished
from little_bots import wait_until

from peloarena.tournament.store import Store

SOURCE = Path(__file__).parent / "marked.c"
PATIENCE = 120.0
ROUNDS = 8
FIELD = {"steady": "first", "calm": "last", "falls": "falls", "goes": "turns", "leaves": "turns"}
"""The bots of the file, entries 1 to 5, and how they play; nothing happens to the first two. Entry 6 comes late."""


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


class LongNight(KillableNight):
    def __init__(self, folder: Path) -> None:
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
        for name, style in FIELD.items():
            self.bot(name, name, style)
        self.write(*FIELD)

    def write(self, *bots: str) -> None:
        self.file.write_text(
            f'name = "Long"\nbots = {json.dumps(bots)}\ndeals = {ROUNDS}\njobs = 2\nbench_after = 3\n'
            f'sandbox = "off"\ntime = "60s"\n'
        )

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

    def order(self, command: str, *more: str, code: int = 0) -> str:
        """Another command, in a process of its own."""
        session = Session(self.start(command, *more))
        assert session.end() == code, "".join(session.said)
        return "".join(session.said)

    def pause(self, session: Session, reason: str) -> None:
        """Just now: no game ends between what was read last and the order."""
        self.halt.touch()
        self.order("pause", "--reason", reason)
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
        with Store.read(self.store_path) as store:
            return {
                row.fixture.game: (hashlib.sha256(store.record(row.fixture.game)).hexdigest(), row.at)
                for row in store.games()
            }

    def state_of(self, name: str) -> list[str]:
        """Of all versions that it handed in."""
        with Store.read(self.store_path) as store:
            number = next(entry.number for entry in store.entries() if entry.name == name)
            return [version.state for version in store.versions() if version.entry == number]

    # ---- the evening

    def play(self) -> None:
        self.first_trials()
        self.first_rounds()
        self.late_entry()
        self.versions_and_return()
        self.removal()
        self.the_end()

    def first_trials(self) -> None:
        session = self.run()
        session.read_until("^steady: plays")
        self.killed(session, "trials of the field")
        assert self.kept == {}

    def first_rounds(self) -> None:
        session = self.run()
        session.read_until("^round 1:")
        self.falling.touch()
        session.read_until("^7/")
        self.killed(session, "main round")
        session = self.run()
        session.read_until("^round 2:")
        session.read_until("r02-")
        self.pause(session, "pizza")
        self.waiting.touch()
        self.bot("late-1", "late", "waits")
        assert "The running night tries it" in self.order("enter", str(self.folder / "late-1"), "--author", "Anna")
        self.order("withdraw", "leaves", "--reason", "its author asked")
        self.killed(session, "pause")
        assert self.state_of("late") == ["queued"]
        shutil.rmtree(self.folder / "late-1")

    def late_entry(self) -> None:
        session = self.run()
        wait_until(lambda: self.state_of("late") == ["trying"], PATIENCE)
        self.killed(session, "trial of a late entry")
        assert self.state_of("late") == ["trying"]
        self.waiting.unlink()

    def versions_and_return(self) -> None:
        """One that fails, one that works, one that repairs who was benched; and who was withdrawn comes back."""
        session = self.run()
        session.read_until("late v1: plays from the next round on")
        session.read_until(r"r\d\d-[1-5]\.6-")
        self.pause(session, "prizes")
        assert "falls: benched after round" in self.order("standings")
        self.bot("late-2", "late", "dies")
        self.bot("late-3", "late", "last")
        self.bot("falls-2", "falls", "first")
        for place in ("late-2", "late-3", "falls-2"):
            self.order("enter", str(self.folder / place))
        self.order("readmit", "leaves", "--reason", "asked again")
        self.order("pause", "--off")
        ready = "plays from the next round on"
        session.read_all("late v2: refused", f"late v3: {ready}", f"falls v2: {ready}")
        self.killed(session, "main round after new versions")
        assert self.state_of("late") == ["ready", "refused", "ready"]
        assert "mark late-2" in self.order("entries", "late")

    def removal(self) -> None:
        self.write(*(name for name in FIELD if name != "goes"))
        gone = "goes is no longer in the file"
        assert gone in self.order("plan")
        refused = self.order("run", code=2)
        assert gone in refused
        assert f"All {len(self.kept)} finished games would be kept" in refused
        session = self.run("--accept-changes")
        session.read_until("^catch-up of round")
        session.read_until(r"^\d+/\d+ c")
        self.killed(session, "catch-up")

    def the_end(self) -> None:
        session = self.run()
        assert session.end() == 0, "".join(session.said)
        self.note(session)
        session = self.run()
        assert session.end() == 0
        assert not finished(session.said), "nothing was left to play"
