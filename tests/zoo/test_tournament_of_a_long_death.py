"""A real tournament with a bot that takes long to die: its game is stored at once, the tournament goes on, and nothing
is left.

    ZOO_DEATH_SECONDS=60 .venv/bin/python -m pytest tests/zoo/test_tournament_of_a_long_death.py -s

makes it a minute, as a bot of a real attacker's would; the figures are printed.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

from killable import KillableTournament
from msgspec import Struct
from zookeeper import Zoo

from peloarena.referee.sandbox import cgroup, processes
from peloarena.referee.sandbox.bot_cgroup import GROUP_NAME_PATTERN
from peloarena.tournament.store import Store

SECONDS = float(os.environ.get("ZOO_DEATH_SECONDS", "8"))
DEATH = {"seconds": SECONDS, "locks": 5_000 if SECONDS < 30 else 12_000, "descriptors": 1_900, "most": 120}
LIMITS = {"processes": 130, "open_files": 2_000}
PATIENCE = 300.0
PAUSE = 2.0
PAUSES = f"""
import time
from manners import answer, play, question, sit

sit()
first = question()
time.sleep({PAUSE})
answer(first)
play()
"""
"""By which the beast tells a game from its trial, where everybody answers at once."""
MARK = "zoo-game-over"
BEAST = 1
"""The number of its entry."""


class Watched(Struct):
    """What was seen of a run from outside, in seconds since the epoch."""

    over: float = 0.0
    """When the beast heard `gameover`."""
    dead: float = 0.0
    """When the last group of that game was gone."""
    left: Sequence[str] = ()
    """Groups and processes that outlast the run for long; its guardian may have to go on for a while."""


def named_mark() -> bool:
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if Path("/proc", pid, "comm").read_text().strip() == MARK:
                return True
        except OSError:
            continue
    return False


def groups_of(owners: set[int]) -> set[str]:
    """The names tell whose they are."""
    found = cgroup.find()
    assert found is not None
    names = {folder.name for home in found.base_folders for folder in home.iterdir()}
    return {name for name in names if (match := GROUP_NAME_PATTERN.fullmatch(name)) and int(match["pid"]) in owners}


def watched_run(tournament: KillableTournament) -> Watched:
    seen, owners, terminating = Watched(), set[int](), set[str]()
    log = tournament.folder / "said.txt"
    with log.open("w") as out:
        process = tournament.start("run", "--quiet", output=out)
        deadline = time.monotonic() + PATIENCE + 3 * SECONDS
        while process.poll() is None and time.monotonic() < deadline:
            owners |= {process.pid, *processes.descendants(process.pid)}
            if not seen.over and named_mark():
                seen.over, terminating = time.time(), groups_of(owners)
            elif terminating and not seen.dead and not terminating & groups_of(owners):
                seen.dead = time.time()
            time.sleep(0.01)
    seen.dead = seen.dead or time.time()
    while (left := [*groups_of(owners), *tournament.living()]) and time.monotonic() < deadline:
        time.sleep(0.05)
    seen.left = left
    status = process.poll()
    process.kill()
    process.wait()
    assert status == 0, log.read_text()
    return seen


def tournament_of(zoo: Zoo) -> KillableTournament:
    tournament = KillableTournament(zoo.folder / "night")
    beast = zoo.lay_out(
        "beast",
        (Path(__file__).parent / "beasts" / "takes_long_to_die.py").read_text(),
        limits=LIMITS,
        targets={**DEATH, "mark": MARK, "pause": PAUSE / 2},
    )
    others = [zoo.lay_out(name, PAUSES) for name in ("calm", "slow", "steady")]
    bots = [str(bot) for bot in (beast, *others)]
    tournament.file.write_text(
        f'name = "Long"\nbots = {json.dumps(bots)}\ndeals = 1\njobs = 2\nrestart = "game"\nsandbox = "strict"\n'
        'time = "90s"\nbench_after = 0\n'
    )
    return tournament


def test_a_tournament_goes_on_while_a_bot_takes_long_to_die(zoo: Zoo) -> None:
    tournament = tournament_of(zoo)
    seen = watched_run(tournament)
    with Store.open_to_read(tournament.file.with_suffix(".sqlite")) as store:
        rows = sorted(store.games(), key=lambda row: row.at)
    first = next(row for row in rows if BEAST in row.fixture.entries)
    meanwhile = [row for row in rows if first.at < row.at < seen.dead and row.outcome.finished]
    stored, died = first.at - seen.over, seen.dead - seen.over
    print(f"stored {stored * 1000:.0f} ms after `gameover`, dead after {died:.1f} s; ", end="")
    print(f"{len(meanwhile)} games were played meanwhile")
    assert (first.outcome.finished, first.verdicts) == (True, ()), "its game counts"
    assert first.at < seen.dead, "it is stored while the beast is dying"
    assert died > SECONDS / 3, "it died too fast to show anything"
    assert meanwhile, "the next game is played while it is dying"
    assert seen.left == []
