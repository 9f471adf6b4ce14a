"""What does a question to a bot cost beyond the stream, with a bot that answers at once and one that thinks 100 µs?

    python bench/link.py [--repeats 60] [--trips 60]
    python bench/link.py REVISION [--compiled-before VENV] [--compiled .venv-fast]

The same question, of median length in a four-player game, goes to the same C program in three ways, in turns, all on
one core, sandbox off: *raw* writes the finished bytes to a blocking stream and reads; *link* is Link.exchange,
which encodes the message, keeps the dialogue, polls, and decodes; *player* is LinkPlayer.decide, which adds the clock
and the CPU time. A figure is the median of the trips of a repeat; printed are the median and the lowest of the repeats.

Beside another revision: processes of all versions measure in turns, and of each figure the lowest counts.
"""

import argparse
import json
import os
import subprocess
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from statistics import median

import trio
from _bots import bot_of, compiled
from _quiet import outweighing
from _revision import Version, add_options, compared
from _timing import pin
from msgspec.structs import replace

from peloarena.game import Game, make_options
from peloarena.game.kinds import Move
from peloarena.protocol import codec
from peloarena.protocol.about import about_of
from peloarena.protocol.messages import Answer, Decide, NewGame, TableOptions
from peloarena.referee.bot_process import BotProcess
from peloarena.referee.game_tokens import random_for_bot
from peloarena.referee.link_player import LinkPlayer
from peloarena.referee.sandbox.isolation import prepare
from peloarena.referee.time_control import TimeControl

AIM = 20
THINKING = 100
WAYS = ("raw", "link", "player")
TURNS = 5
Trip = Callable[[], Awaitable[object]]


def question() -> tuple[Game, Decide]:
    """Of a game of random moves, the question of the median length."""
    chance = Random(1)
    asked = []
    game = Game(make_options(4), "bench")
    while (decision := game.decision) is not None:
        tiles = tuple(game.rules.tiles[tile] for tile in game.state.open + game.state.conquest)
        subject, view = about_of(game.state.agenda[-1]), game.view(decision.seat)
        asked.append(Decide(1, decision.kind, decision.legal, 30_000, subject, view, tiles))
        game.choose(chance.choice(decision.legal))
    asked.sort(key=lambda message: len(codec.encode(message)))
    return game, asked[len(asked) // 2]


def newgame(game: Game) -> NewGame:
    rules = game.rules
    options = TableOptions(4, (), 0, rules.rounds, rules.tiles_per_round)
    clock = TimeControl().limits()
    return NewGame("bench", 0, ("a", "b", "c", "d"), options, clock, random_for_bot("bench", 0), rules.catalogue)


class Seat:
    """One process and the three ways to ask it."""

    def __init__(self, process: BotProcess, message: Decide) -> None:
        self.process = process
        self.player = LinkPlayer(process.transport, process)
        self.message = message
        self.line = codec.encode(message)
        self.number = 0

    def first(self, answer: Answer) -> Move:
        return self.message.legal[0]

    async def raw(self) -> None:
        os.write(self.process.transport.stdin, self.line)
        os.read(self.process.transport.stdout, 1000)

    def next(self) -> Decide:
        self.number += 1
        return replace(self.message, id=self.number)

    async def times(self, trip: Trip, trips: int) -> float:
        found = []
        for _ in range(trips):
            start = time.perf_counter_ns()
            await trip()
            found.append((time.perf_counter_ns() - start) / 1000)
        return median(found)

    async def ask(self, way: str, trips: int) -> float:
        """The median microseconds of a trip."""
        blocking = way == "raw"
        for descriptor in (self.process.transport.stdin, self.process.transport.stdout):
            os.set_blocking(descriptor, blocking)
        if blocking:
            return await self.times(self.raw, trips)
        messages = iter([self.next() for _ in range(trips)])
        if way == "link":
            return await self.times(lambda: self.player.link.exchange(next(messages), 30.0), trips)
        return await self.times(lambda: self.player.decide(next(messages), self.first), trips)


async def measure(program: Path, repeats: int, trips: int) -> dict[tuple[int, str], list[float]]:
    game, message = question()
    found: dict[tuple[int, str], list[float]] = {}
    with prepare("off") as isolation:
        processes = {thinking: BotProcess(bot_of(program, str(thinking)), isolation) for thinking in (0, THINKING)}
        try:
            seats = {thinking: Seat(process, message) for thinking, process in processes.items()}
            for seat in seats.values():
                await seat.player.greet(10.0)
                await seat.player.start_game(newgame(game), TimeControl(3600.0))
            for _ in range(repeats):
                for thinking, seat in seats.items():
                    for way in WAYS:
                        found.setdefault((thinking, way), []).append(await seat.ask(way, trips))
        finally:
            for process in processes.values():
                process.end()
    return found


def lowest_of(version: Version, oldest: Version, repeats: int) -> dict[str, float]:
    """Measured by a process of that version. A revision uses its own bench: this one imports names that it may lack."""
    of_revision = version.name in ("before", "compiled before")
    script = oldest.folder / "bench" / "link.py" if of_revision else Path(__file__)
    words = [version.python, str(script), "--json", "--repeats", str(repeats)]
    done = subprocess.run(words, env={**os.environ, "PYTHONPATH": str(version.folder)}, capture_output=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def compare(arguments: argparse.Namespace) -> None:
    with compared(arguments) as versions, outweighing() as group:
        print(f"{TURNS} turns, {group}; lowest µs a question")
        found = [
            {version: lowest_of(version, versions[0], arguments.repeats) for version in versions} for _ in range(TURNS)
        ]
    for version in versions:
        figures = {key: min(turn[version][key] for turn in found) for key in found[0][version]}
        print(f"  {version.name:15}", *(f"{key} {figure:.1f}" for key, figure in figures.items()), sep="  ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    parser.add_argument("--json", action="store_true", help="Print the lowest figures for another process.")
    parser.add_argument("--repeats", type=int, default=60)
    parser.add_argument("--trips", type=int, default=60, help="in each repeat")
    arguments = parser.parse_args()
    if arguments.revision or arguments.compiled or arguments.compiled_before:
        compare(arguments)
        return
    if arguments.json:
        pin()
        with compiled("trivial") as program:
            found = trio.run(measure, program, arguments.repeats, arguments.trips)
        print(json.dumps({f"{way} at {thinking} µs": min(times) for (thinking, way), times in found.items()}))
        return
    size = len(codec.encode(question()[1]))
    print(
        f"{arguments.repeats} repeats of {arguments.trips} trips in turns, {pin()}, {size} bytes a question; µs a trip"
    )
    with compiled("trivial") as program:
        found = trio.run(measure, program, arguments.repeats, arguments.trips)
    for thinking in (0, THINKING):
        raw = found[thinking, "raw"]
        print(f"a bot that thinks {thinking} µs")
        for way in WAYS:
            times = found[thinking, way]
            over = median([one - base for one, base in zip(times, raw, strict=True)])
            added = "" if way == "raw" else f"   {over:+.1f} over raw (of minima {min(times) - min(raw):+.1f})"
            print(f"  {way:7} {median(times):6.1f}   lowest {min(times):6.1f}{added}")
    raw, link = found[THINKING, "raw"], found[THINKING, "link"]
    for what, over in (
        ("median", median([one - base for one, base in zip(link, raw, strict=True)])),
        ("of minima", min(link) - min(raw)),
    ):
        met = "met" if over <= AIM else "missed"
        print(f"aim: the link adds at most {AIM} µs at {THINKING} µs of thinking; {what} {over:.1f}: {met}")


if __name__ == "__main__":
    main()
