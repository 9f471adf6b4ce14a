"""How long do standings, report and export take for a tournament of 10,000 games?

    python bench/big_night.py [--games 10000] [--bots 20] [--repeats 5] [--keep FOLDER]

First the generator: a store as a tournament leaves it. One real game is played; every game has its record, with a
winner drawn by strength, a fault in every tenth, so that everything in the store is as long as it would be. Then the
real commands, each a process of its own, on the clock and in CPU time.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import trio
from _timing import spread
from msgspec.structs import replace

from peloarena.game import make_options
from peloarena.referee.arena import open_arena
from peloarena.referee.job import GameJob, GameReport, SeatJob
from peloarena.referee.verdict import Evidence, Verdict
from peloarena.tournament.config import parse_config
from peloarena.tournament.entries import Entry, Version
from peloarena.tournament.fixtures import Fixture
from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import load_state

RANDOM = Path(__file__).parents[1] / "bots" / "random"
AIMS = {"standings": 1.0, "report": 3.0}
"""Seconds."""
ONE_FAULT_IN = 10


async def real_report() -> GameReport:
    seats = tuple(SeatJob(str(RANDOM), name) for name in ("a", "b"))
    async with open_arena("off") as arena:
        return await arena.play(GameJob("model", make_options(2), "model", seats))


def write_tournament(path: Path, games: int, bots: int, model: GameReport) -> int:
    """Writes a whole tournament of about this many games; returns how many there are."""
    names = [f"bot-{number:02}" for number in range(1, bots + 1)]
    deals = max(1, games // (bots * (bots - 1)) + 1)
    listed = ", ".join(f'"{name}"' for name in names)
    text = f'name = "Big tournament"\nbots = [{listed}]\ndeals = {deals}\nseed = "big night"\n'
    config = parse_config(text, "tournament.toml")
    chance = random.Random(1)
    played = 0
    with Store.open_to_play(path) as store, store.transaction():
        store.set_meta("config", text)
        for number, name in enumerate(names, 1):
            store.set_entry(Entry(number, name))
            store.set_version(Version(number, 1, f"v2-{number:064x}", state="ready"))
        state = load_state(store, config, ())
        while (round := state.next_round()) is not None:
            store.add_round(round)
            state.rounds.append(round)
            for fixture in state.fixtures(round):
                store.add_game(round.id, fixture, made_up(model, fixture, chance), played=True)
            rows = store.games(round.id)
            played += len(rows)
            state.played |= {row.fixture.game: row.played_game for row in rows}
    return played


def made_up(model: GameReport, fixture: Fixture, chance: random.Random) -> GameReport:
    """The model under another name; who entered earlier is stronger."""
    first, second = fixture.entries
    wins = chance.random() < 1 / (1 + 10 ** ((first - second) / 8))
    verdict = (Verdict(int(wins), "late", "it took 1.2 s, with 0 s left", 20),) * (not chance.randrange(ONE_FAULT_IN))
    ranks = (1, 2) if wins else (2, 1)
    return replace(
        model,
        game=fixture.game,
        seed=fixture.seed,
        seats=fixture.seats,
        outcome=replace(model.outcome, ranks=ranks),
        verdicts=verdict,
        evidence=tuple(Evidence() for _ in verdict),
    )


def measure(words: list[str], repeats: int) -> tuple[list[float], list[float]]:
    """Seconds on the clock and of CPU time, of whole processes."""
    clock, cpu = [], []
    for _ in range(repeats):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([sys.executable, "-m", "peloarena.cli.main", *words], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        clock.append(time.perf_counter() - start)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return clock, cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--bots", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--keep", metavar="FOLDER", help="Where to leave the store, for other questions.")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="peloarena-big-") as temporary:
        folder = Path(arguments.keep or temporary)
        folder.mkdir(exist_ok=True)
        store = folder / "tournament.sqlite"
        games = write_tournament(store, arguments.games, arguments.bots, trio.run(real_report))
        size = store.stat().st_size / 1024 / games
        print(f"{games} games of {arguments.bots} bots, {size:.1f} KiB each; load {os.getloadavg()[0]:.1f}", flush=True)
        for name, extra in (("standings", []), ("report", []), ("export", ["--to", str(folder / "export")])):
            clock, cpu = measure(["tournament", name, str(store), *extra], arguments.repeats)
            aim = f"; aim {AIMS[name]:.0f} s: {'met' if min(clock) < AIMS[name] else 'missed'}" if name in AIMS else ""
            print(f"{name}: {spread(clock, '.2f')} s, CPU {spread(cpu, '.2f')} s{aim}", flush=True)


if __name__ == "__main__":
    main()
