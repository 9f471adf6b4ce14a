"""A ladder of twelve with real bots: some come late, some go, one falls, one is repaired; its runner is killed again
and again, also in the finish. LadderEvening.play does it; what must be true afterwards is asked by the test beside it.
"""

from __future__ import annotations

import json
from pathlib import Path

from hosted import HostedTournament, Session
from killable import finished

ROSTER = {
    "ann": "first",
    "bob": "last",
    "cat": "turns",
    "dan": "first",
    "eve": "last",
    "fay": "turns",
    "gus": "first",
    "falls": "falls",
    "goes": "turns",
}
"""Of the file, besides a built-in bot; two more come late."""
NEWCOMER_GAMES = 4
FINISH_DEALS = 2


class LadderEvening(HostedTournament):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder, ROSTER)
        self.file.write_text(
            f'name = "Ladder"\nbots = {json.dumps([*ROSTER, "random"])}\nformat = "ladder"\ndeals = {FINISH_DEALS}\n'
            f'newcomer_games = {NEWCOMER_GAMES}\njobs = 2\nbench_after = 2\nsandbox = "off"\ntime = "60s"\n'
        )

    def play(self) -> None:
        self.climbs()
        self.late_entries()
        self.one_goes()
        self.returns()
        self.the_finish()

    def climbs(self) -> None:
        """One falls in its first deal, and is benched."""
        session = self.run()
        session.read_until("^falls: plays")  # its trial is over
        self.falling.touch()
        session.read_until("falls: crashed")
        self.deals(session, 6)
        self.killed(session, "ladder")

    def late_entries(self) -> None:
        """From another terminal, while it plays; they play at once."""
        session = self.run()
        session.read_until(r"^\d+ r00-")
        for name, style in (("late", "last"), ("later", "first")):
            self.bot(name, name, style)
            assert "The running tournament plays its trial" in self.run_command("enter", str(self.folder / name))
        session.read_until("^deal .*: later is new: 2 of 4 games")
        self.killed(session, "newcomers")

    def one_goes(self) -> None:
        session = self.run()
        self.deals(session, 10)
        self.run_command("withdraw", "goes", "--reason", "its author asked")
        self.deals(session, 10)
        self.killed(session, "withdrawal")
        table = self.run_command("standings")
        assert "goes: withdrawn: its author asked" in table
        assert "falls: benched: 2 faults in a row" in table

    def deals(self, session: Session, count: int) -> None:
        for _ in range(count):
            session.read_until("^deal ")

    def returns(self) -> None:
        """Both are back; and a run that ends by itself."""
        self.bot("falls-2", "falls", "last")
        self.run_command("enter", str(self.folder / "falls-2"))
        self.run_command("readmit", "goes")
        session = self.run("--games", str(len(self.kept) + 40))
        assert session.end() == 0, "".join(session.said)
        assert "--games counts those of all runs" in "".join(session.said).replace("\n", " ")
        self.note(session)

    def the_finish(self) -> None:
        assert "entries are locked" in self.run_command("finish", "--reason", "late enough")
        session = self.run()
        session.read_until("^finish, round 1:")
        session.read_until("^[0-9/]+ f01-")
        self.killed(session, "finish")
        session = self.run()
        assert session.end() == 0, "".join(session.said)
        self.note(session)
        again = self.run()
        assert again.end() == 0
        assert not finished(again.said), "nothing was left to play"
