"""How many whole games a second with trivial C bots, at 2 and 4 seats, and what does a decision spend its time on?

    python bench/games.py [--repeats 40] [--seconds 0.1]

The real arena, sandbox off, records made but not written to disk, everything on one core, bots included. Rates are
given for a second on the clock and, for a machine that others use too, for a second of CPU time of referee and bots
together. The parts come from runs of their own with a clock around each part; *link* is what is left of the exchange
without encoding and decoding: the pipes, the bot itself, and waiting for it. No clock can be put around what is
compiled: with `.venv-fast/bin/python` there are rates only.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import trio
from _bots import compiled
from _timing import pin

from peloarena.game import Game, engine, make_options
from peloarena.protocol import codec
from peloarena.referee.arena import Arena, open_arena
from peloarena.referee.game_table import GameTable
from peloarena.referee.job import GameJob, SeatJob
from peloarena.referee.link import Link
from peloarena.referee.record_writer import RecordWriter
from peloarena.referee.sandbox.bot_cgroup import BotCgroup
from peloarena.referee.sandbox.process_tree import ProcessTree

AIMS = {2: 250, 4: 100}
PARTS_SECONDS = 1.0
COMPILED = not engine.__file__.endswith(".py")
PARTS: dict[str, list[tuple[Any, str]]] = {
    "rules": [(Game, "choose"), (Game, "__init__")],
    "view": [(GameTable, "decide_message")],
    "encode": [(codec, "encode")],
    "decode": [(codec, "decode")],
    "exchange": [(Link, "exchange")],
    "CPU time": [(BotCgroup, "cpu_ns"), (ProcessTree, "cpu_ns")],
    "record": [(RecordWriter, "add"), (RecordWriter, "finish")],
}


@dataclass
class Rates:
    """The games of one table size."""

    seats: int
    games: int = 0
    decisions: float = 0
    rates: list[float] = field(default_factory=list)
    cpu_rates: list[float] = field(default_factory=list)

    async def run(self, arena: Arena, program: Path, seconds: float) -> float:
        """Play for about this time; the seconds it took for each decision."""
        options = make_options(self.seats)
        seats = tuple(SeatJob(str(program), f"bot{number}") for number in range(self.seats))
        start, cpu = time.perf_counter(), time.process_time()
        bots = played = decisions = 0.0
        while time.perf_counter() - start < seconds:
            self.games += 1
            report = await arena.play(GameJob("bench", options, f"bench-{self.games}", seats, sandbox="off"))
            assert report.verdicts == ()
            played += 1
            decisions += sum(stats.decisions for stats in report.stats)
            bots += sum(stats.cpu for stats in report.stats)
        took = time.perf_counter() - start
        self.decisions += decisions
        self.rates.append(played / took)
        self.cpu_rates.append(played / (time.process_time() - cpu + bots))
        return took / decisions


class Meter:
    """Clocks around the parts; the same part inside itself counts once."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = dict.fromkeys(PARTS, 0.0)

    @contextmanager
    def running(self) -> Iterator[None]:
        originals = [(place, name, getattr(place, name)) for part in PARTS.values() for place, name in part]
        for part, places in PARTS.items():
            for place, name in places:
                setattr(place, name, self.clocked(part, getattr(place, name)))
        try:
            yield
        finally:
            for place, name, original in originals:
                setattr(place, name, original)

    def clocked(self, part: str, call: Callable[..., Any]) -> Callable[..., Any]:
        spent, clock = self.spent, time.perf_counter

        def clocked(*args: Any, **options: Any) -> Any:
            start = clock()
            try:
                return call(*args, **options)
            finally:
                spent[part] += clock() - start

        async def clocked_async(*args: Any, **options: Any) -> Any:
            start = clock()
            try:
                return await call(*args, **options)
            finally:
                spent[part] += clock() - start

        return clocked_async if call is Link.exchange else clocked


def print_parts(meter: Meter, total: float, decisions: float) -> None:
    spent = {part: seconds / decisions * 1e6 for part, seconds in meter.spent.items()}
    spent["link"] = spent.pop("exchange") - spent["encode"] - spent["decode"]
    spent["rest"] = total * 1e6 - sum(spent.values())
    listed = ", ".join(f"{part} {spent[part]:.1f}" for part in spent)
    print(f"  µs a decision: {listed}; in all {total * 1e6:.1f}")


async def measure(program: Path, repeats: int, seconds: float) -> None:
    tables = [Rates(2), Rates(4)]
    async with open_arena("off") as arena:
        for _ in range(repeats):
            for table in tables:
                await table.run(arena, program, seconds)
        for table in tables:
            each = table.decisions / table.games
            aim = f"aim {AIMS[table.seats]}: {'met' if max(table.rates) >= AIMS[table.seats] else 'missed'} by the best"
            print(f"{table.seats} seats, {each:.1f} decisions a game")
            print(f"  games/s on the clock {median(table.rates):.0f}, best {max(table.rates):.0f}; {aim}")
            print(f"  games/s of CPU time {median(table.cpu_rates):.0f}, best {max(table.cpu_rates):.0f}")
            if COMPILED:
                continue
            meter, before = Meter(), table.decisions
            with meter.running():
                took = await table.run(arena, program, PARTS_SECONDS)
            print_parts(meter, took, table.decisions - before)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.1, help="for each repeat")
    arguments = parser.parse_args()
    print(f"{arguments.repeats} repeats of {arguments.seconds:g} s in turns, {pin()}, wall time")
    with compiled("trivial") as program:
        trio.run(measure, program, arguments.repeats, arguments.seconds)


if __name__ == "__main__":
    main()
