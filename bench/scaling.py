"""How do tournaments scale: games a second with one and two workers, and the runner's cost of a game as rosters grow?

    python bench/scaling.py [--repeats 7] [--games 240] [--fields 4,10,20,40]

First whole tournaments over a real store with real workers, jobs = 1 and 2 in turns: trivial C bots, for which the
runner is as busy as can be; bots/random; and bots that wait without using the CPU, which a busy machine disturbs least.
Of each, what a game costs (CPU time) and what workers do with their time. Then the runner alone: tournaments of a
number of bots whose games come back at once, the report of one real game as a worker would send it; CPU time of the
process per game, with plain lines and live screen.
"""

import argparse
import io
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from statistics import median

import msgspec
import trio
from _bots import compiled
from _night_time import WAITS, Cpu, Shares, TimedRunner, median_cpu, median_shares
from _quiet import outweighing
from _timing import spread
from msgspec.structs import replace
from rich.console import Console

from peloarena.cli.live_view import LiveView
from peloarena.cli.tournament_view import PlainView, TournamentView
from peloarena.referee.arena import open_arena
from peloarena.referee.job import GameJob, GameReport
from peloarena.tournament.config import TournamentConfig, TournamentFile
from peloarena.tournament.director import Director
from peloarena.tournament.entries import Entry, Version
from peloarena.tournament.game_runner import GamePlayed, Runner, WorkerMessage, WorkerPool, open_workers
from peloarena.tournament.plan_summary import summary
from peloarena.tournament.store import Store

RANDOM = Path(__file__).parents[1] / "bots" / "random"
ROSTER_SIZE = 6
AIM = 1.85
CORES = 2


def tournament_of(names: list[str], deals: int, table: int = 2) -> TournamentFile:
    config = TournamentConfig(
        "Scaling", list(names), table=table, deals=deals, seed="scaling", sandbox="off", restart="never", pondering=True
    )
    return TournamentFile(config, "", "", "")


def deals_for(games: int, bots: int, table: int = 2) -> int:
    """The number of deals for about this number of games."""
    names = [f"b{number}" for number in range(bots)]
    return max(1, round(games / summary(tournament_of(names, 1, table).config, bots).games))


class BenchTournament:
    """One tournament with a store of its own."""

    def __init__(self, bots: int, deals: int, path: str, table: int = 2) -> None:
        self.names = [f"b{number}" for number in range(bots)]
        self.file = tournament_of(self.names, deals, table)
        self.seconds = 0.0
        """How long it was played; making and removing its store does not count."""
        self.folder = tempfile.TemporaryDirectory(prefix="peloarena-scaling-")
        self.store = Store.open_to_play(Path(self.folder.name, "tournament.sqlite"))
        listed = ", ".join(f'"{name}"' for name in self.names)
        text = f'name = "Scaling"\nbots = [{listed}]\ntable = {table}\ndeals = {deals}\nseed = "scaling"\n'
        self.store.set_meta("config", text)  # the live view reads it
        for number, name in enumerate(self.names, 1):
            self.store.set_entry(Entry(number, name, "", path))
            self.store.set_version(Version(number, 1, "0", state="ready", copy=path))

    async def play(self, runner: Runner, view: TournamentView, slots: int) -> int:
        with view:
            start = time.perf_counter()
            await Director(self.file, self.store, runner, view.show_news, slots).play()
            self.seconds = time.perf_counter() - start
        games = len(self.store.finished_game_names())
        self.store.close()
        self.folder.cleanup()
        return games


# ---- workers


class Measurements:
    """The tournaments with one number of workers: rate, CPU time and shares of each."""

    def __init__(self, workers: WorkerPool, slots: int, bot: str) -> None:
        self.workers = workers
        self.slots = slots
        self.bot = bot
        self.rates: list[float] = []
        self.cpu: list[Cpu] = []
        self.shares: list[Shares] = []

    async def play(self, games: int) -> None:
        tournament = BenchTournament(ROSTER_SIZE, deals_for(games, ROSTER_SIZE), self.bot)
        watched = TimedRunner(self.workers, self.slots)
        self.rates.append(await tournament.play(watched, TournamentView(), self.slots) / tournament.seconds)
        self.cpu.append(watched.cpu())
        self.shares.append(watched.shares())

    async def warm_up(self) -> None:
        """All workers and bots are started before anything is measured."""
        await self.play(4 * ROSTER_SIZE)
        self.rates, self.cpu, self.shares = [], [], []

    def print_all(self) -> None:
        cpu, shares = median_cpu(self.cpu), median_shares(self.shares)
        waits = ", ".join(f"{share:.1%} {what}" for share, what in zip(shares.waiting, WAITS, strict=True))
        busy = cpu.all * median(self.rates) / 1000
        print(f"  jobs = {self.slots}: {spread(self.rates, '.1f')} games/s, {busy:.2f} cores busy")
        print(f"    CPU ms a game: runner {cpu.runner:.2f}, workers {cpu.workers:.2f}, bots {cpu.bots:.2f}")
        print(f"    workers play {shares.playing:.1%} of their time; wait {waits}")


async def compare(name: str, bot: str, games: int, repeats: int) -> None:
    """One and two workers in turns, all of them warm."""
    async with open_workers(1, "off") as one, open_workers(2, "off") as two:
        single, double = Measurements(one, 1, bot), Measurements(two, 2, bot)
        await single.warm_up()
        await double.warm_up()
        for _ in range(repeats):
            await single.play(games)
            await double.play(games)
    gains = [two / one for one, two in zip(single.rates, double.rates, strict=True)]
    print(f"{name}: gain {spread(gains, '.2f')}; aim {AIM}: {'met' if median(gains) >= AIM else 'missed'}")
    single.print_all()
    double.print_all()
    bound = 1000 * CORES / (median_cpu(double.cpu).all * median(single.rates))
    print(f"    {CORES} cores have CPU time for a gain of {bound:.2f} at most", flush=True)


# ---- the runner alone


class AtOnce:
    """Gives back the same game at once, read from the line that a worker would write."""

    def __init__(self, report: GameReport) -> None:
        self.line = msgspec.json.encode(GamePlayed(report))

    async def play(self, job: GameJob) -> GameReport:
        await trio.lowlevel.checkpoint()
        message: WorkerMessage = msgspec.json.decode(self.line, type=WorkerMessage)
        assert isinstance(message, GamePlayed)
        return replace(message.report, game=job.game, seed=job.seed, seats=tuple(seat.name for seat in job.seats))


async def real_report(bot: str, table: int) -> GameReport:
    tournament = BenchTournament(table, 1, bot, table)
    kept: list[GameReport] = []

    class Keep:
        async def play(self, job: GameJob) -> GameReport:
            kept.append(await arena.play(job))
            return kept[-1]

    async with open_arena("off") as arena:
        await tournament.play(Keep(), TournamentView(), 1)
    return kept[0]


def plain_view(tournament: BenchTournament) -> TournamentView:
    return PlainView()


def live_view(tournament: BenchTournament) -> TournamentView:
    out = Console(file=io.StringIO(), force_terminal=True, width=100, height=40)
    return LiveView(out, tournament.store.path)


async def cost(
    bots: int, games: int, table: int, report: GameReport, view: Callable[[BenchTournament], TournamentView]
) -> float:
    """CPU milliseconds of this process per game."""
    tournament = BenchTournament(bots, deals_for(games, bots, table), "", table)
    start = time.process_time()
    with redirect_stdout(io.StringIO()):
        played = await tournament.play(AtOnce(report), view(tournament), 2)
    return 1000 * (time.process_time() - start) / played


async def grow(roster_sizes: list[int], games: int, repeats: int, bot: str) -> None:
    for table in (2, 4):
        report = await real_report(bot, table)
        for name, view in (("plain", plain_view), ("live", live_view)):
            print(f"runner, tables of {table}, {name}: CPU ms per game in tournaments of about {games} games")
            for bots in roster_sizes:
                rounds = deals_for(games, bots, table)
                costs = [await cost(bots, games, table, report, view) for _ in range(repeats)]
                print(f"  {bots:3} bots, {rounds:4} rounds: {spread(costs, '.2f')}", flush=True)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--games", type=int, default=240)
    parser.add_argument("--runner-games", type=int, default=3000)
    parser.add_argument("--fields", default="4,10,20,40")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    with compiled("trivial") as program, compiled("waits") as waits, outweighing() as group:
        print(f"{arguments.repeats} repeats in turns, {os.cpu_count()} cores, load {load:.1f}, {group}")
        print("median (lowest – highest)")
        await compare("trivial C bots", str(program), arguments.games, arguments.repeats)
        await compare("bots/random", str(RANDOM), arguments.games, arguments.repeats)
        await compare("waiting bots", str(waits), arguments.games // 4, arguments.repeats)
        roster_sizes = [int(word) for word in arguments.fields.split(",")]
        await grow(roster_sizes, arguments.runner_games, 3, str(program))
    print(f"load at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    trio.run(main)
