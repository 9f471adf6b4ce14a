"""The long tournament: a host's whole evening with real bots, in which everything happens that can, and its runner is
killed at every stage. LongNight.play does it; what must be true afterwards is asked by the test beside it.

Nothing waits for a time: only for what a run says or the store holds.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from hosted import PATIENCE, HostedTournament
from killable import finished
from little_bots import wait_until

ROUNDS = 8
ROSTER = {"steady": "first", "calm": "last", "falls": "falls", "goes": "turns", "leaves": "turns"}
"""The bots of the file, entries 1 to 5, and how they play; nothing happens to the first two. Entry 6 comes late."""


class LongTournament(HostedTournament):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder, ROSTER)
        self.write(*ROSTER)

    def write(self, *bots: str) -> None:
        self.file.write_text(
            f'name = "Long"\nbots = {json.dumps(bots)}\ndeals = {ROUNDS}\njobs = 2\nbench_after = 3\n'
            f'sandbox = "off"\ntime = "60s"\n'
        )

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
        assert "The running tournament plays its trial" in self.run_command(
            "enter", str(self.folder / "late-1"), "--author", "Blue"
        )
        self.run_command("withdraw", "leaves", "--reason", "its author asked")
        self.killed(session, "pause")
        assert self.state_of("late")[0] in ("queued", "building", "trying")  # in a pause it is tried, but waits there
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
        session.read_until("^paused pizza")  # it outlives the runner
        session.read_until("late v1: plays from the next round on")
        self.run_command("pause", "--off")
        session.read_until(r"r\d\d-[1-5]\.6-")
        self.pause(session, "prizes")
        assert "falls: benched after round" in self.run_command("standings")
        self.bot("late-2", "late", "dies")
        self.bot("late-3", "late", "last")
        self.bot("falls-2", "falls", "first")
        for place in ("late-2", "late-3", "falls-2"):
            self.run_command("enter", str(self.folder / place))
        self.run_command("readmit", "leaves", "--reason", "asked again")
        self.run_command("pause", "--off")
        ready = "plays from the next round on"
        session.read_all("late v2: refused", f"late v3: {ready}", f"falls v2: {ready}")
        self.killed(session, "main round after new versions")
        assert self.state_of("late") == ["ready", "refused", "ready"]
        assert "mark late-2" in self.run_command("entries", "late")

    def removal(self) -> None:
        self.write(*(name for name in ROSTER if name != "goes"))
        gone = "goes is no longer in the file"
        assert gone in self.run_command("plan")
        refused = self.run_command("run", code=2)
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
