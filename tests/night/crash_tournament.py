"""The crash test: a tournament whose runner is killed at random moments and started again, beside one that is not.

For the test beside it and for bench/crash.py. The bots are in C and deterministic; one leaves in the middle of every
game and is benched.
"""

from __future__ import annotations

import json
import random
import select
import shutil
import signal
import subprocess
import time
from pathlib import Path

from killable import FINISHED, KillableTournament, finished
from token_keys import fix_token_key

from peloarena.game import ConfigError
from peloarena.tournament.store import Store

ROOT = Path(__file__).parents[2]
GOOD = ROOT / "tests" / "zoo" / "good.c"
FALLS = ROOT / "tests" / "night" / "falls.c"
TINY = ROOT / "bots" / "tiny-c" / "bot.c"
PATIENCE = 600.0
LATEST = 0.03
"""A kill comes up to this many seconds after a game was reported: before, in and after the next transaction."""

Row = tuple[object, ...]


class CrashTournament(KillableTournament):
    """Four bots, and `deals` rounds."""

    def __init__(self, folder: Path, deals: int) -> None:
        super().__init__(folder)
        self.tried = folder / "falls.tried"
        for name, source in (("first", GOOD), ("tiny", TINY), ("falls", FALLS)):
            self.compile(name, source)
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

    def run(self, store: Path) -> subprocess.Popen[str]:
        if not is_set_up(store):
            for mark in (self.tried, self.tried.with_name("falls.tried-again")):  # there will be a trial of two games
                mark.unlink(missing_ok=True)
        return self.start("run", "--store", str(store))

    def finish(self, store: Path) -> str:
        """Run to the end: what was printed after the last game."""
        process = self.run(store)
        said, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, said
        return "\n".join(table_lines(said)).replace(str(store), "STORE")

    def killed(self, store: Path, after: int, chance: random.Random) -> set[str]:
        """Run until that number of games were reported, kill the runner; the games that it reported."""
        process = self.run(store)
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


def table_lines(said: str) -> list[str]:
    lines = said.splitlines()
    last = max((n for n, line in enumerate(lines) if FINISHED.match(line)), default=-1)
    told = [line for line in lines[last + 1 :] if not line.startswith("  ") or line.lstrip()[:1].isdigit()]
    return [line for line in told if not line.startswith("fastest: ")]  # which goes by the clock


def games(store: Path) -> list[Row]:
    """Everything that must be the same: seats, seeds, outcomes, verdicts, and the digest of each game."""
    with Store.open_to_read(store) as opened:
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
    """A whole tournament and one killed `kills` times: AssertionError if anything differs; a line of what was done."""
    tournament = CrashTournament(folder, deals)
    start = time.monotonic()
    table = tournament.finish(fix_token_key(folder / "whole.sqlite"))
    took = time.monotonic() - start
    whole = games(folder / "whole.sqlite")
    assert "benched after round" in table, "falls must fall, or nothing is tried here"
    chance = random.Random(seed)
    cut = fix_token_key(folder / "cut.sqlite")
    reported: set[str] = set()
    moments = []
    for number in range(kills):
        share = (len(whole) - len(reported)) // (kills - number + 1)  # and one for the games after the last kill
        now = tournament.killed(cut, chance.randrange(0, max(1, share)), chance)
        assert not now & reported, "a game was played twice"
        reported |= now
        done = names(cut)
        assert reported <= done, f"reported and lost: {sorted(reported - done)}"
        reported = done
        moments.append(len(done))
    assert len(reported) < len(whole), "the night was over before the last kill"
    assert tournament.finish(cut) == table
    assert games(cut) == whole
    return (
        f"{len(whole)} games, {took:.0f} s when not cut; killed after {', '.join(map(str, moments))} games; all equal"
    )


def is_set_up(store: Path) -> bool:
    """Whether its bots were tried; a runner may be killed before it has made a store."""
    try:
        with Store.open_to_read(store) as opened:
            return bool(opened.entries())
    except ConfigError:
        return False


def names(store: Path) -> set[str]:
    """Of finished games; a runner may be killed before it has made a store."""
    if not store.exists() or not store.stat().st_size:
        return set()
    with Store.open_to_read(store) as opened:
        return opened.finished_game_names()
