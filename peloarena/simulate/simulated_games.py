"""Plays the games of a series, in this process or in copies of it, one for each core; in the schedule's order."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import trio
from msgspec import Struct

from ..botkit import Choose
from ..engine.bot_functions import load_builtin_bot
from ..game import ConfigError, make_options
from ..referee.bot_finder import find_bot, number_duplicates
from ..referee.builtin_bots import builtin_bot_path
from ..referee.error_groups import unwrap_error_groups
from ..referee.game_table import GameTable
from ..referee.job import GameJob, SeatJob
from ..referee.record import SeatInfo
from ..referee.rotation import series
from ..referee.verdict import Outcome
from .players import FunctionPlayer

GAMES_PER_BATCH = 4
"""Games that a process plays before it reports."""


class House(Struct, frozen=True):
    """A built-in bot, with settings in its environment."""

    name: str
    env: dict[str, str] = {}


PlayerSpec = str | House | Choose
"""A built-in bot by its name, or `choose(decide, game)` as a bot would pass it to botkit."""


class SimulatedGame(Struct, frozen=True):
    number: int
    """Its number in the schedule, from 0."""
    seed: str
    """The deal's seed: all rotations of a deal have the same one."""
    seats: tuple[str, ...]
    """The players by seat."""
    outcome: Outcome
    record: bytes = b""
    """Only if asked for (`records=True`)."""


class SimulationPlan(Struct, frozen=True):
    """Everything that a process needs to play any game of the schedule."""

    jobs: list[GameJob]
    functions: dict[str, Choose]
    infos: dict[str, SeatInfo]
    keep_records: bool
    """Whether the results hold the records."""
    records_folder: Path | None
    """Where the records go."""


def play(
    players: Sequence[PlayerSpec],
    games: int = 1,
    *,
    seed: str = "simulate",
    modules: Sequence[str] = (),
    level: int = 0,
    components: str = "",
    jobs: int = 0,
    records: bool | str | Path = False,
    on_game: Callable[[SimulatedGame], None] | None = None,
) -> list[SimulatedGame]:
    """Plays the games, each deal once in every rotation of the seats. The same seed and players give the same games.

    `jobs`: processes at a time; 0 is one for each core, 1 plays here. `records`: True keeps them in the results, a
    folder gets a file for each. `on_game` is called for every game, in order. An exception from a function ends the
    whole run.
    """
    if games < 1 or jobs < 0:
        raise ConfigError(f"{games} games, {jobs} jobs: needs at least one game, and jobs of 0 (one per core) or more")
    functions, infos = _load_players(players)
    options = make_options(len(players), modules, level, components=components)
    seats = tuple(SeatJob(info.name, info.name, env=info.env) for info in infos)
    planned = list(series(GameJob("simulated", options, seed, seats), games))
    folder = None if isinstance(records, bool) else Path(records)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    named = {info.name: info for info in infos}
    plan = SimulationPlan(planned, dict(zip(named, functions, strict=True)), named, records is True, folder)
    results = []
    for game in _run_batches(plan, min(jobs or _usable_cores(), games)):
        results.append(game)
        if on_game is not None:
            on_game(game)
    return results


def _usable_cores() -> int:
    """The cores that this process may use, where the system says."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ---- who plays


def _load_players(players: Sequence[PlayerSpec]) -> tuple[list[Choose], list[SeatInfo]]:
    """The functions, and what the records say about them."""
    names = number_duplicates([_player_name(player) for player in players])
    functions, infos = [], []
    for player, name in zip(players, names, strict=True):
        spec = House(player) if isinstance(player, str) else player
        if isinstance(spec, House):
            functions.append(load_builtin_bot(spec.name, spec.env))
            folder = builtin_bot_path(spec.name)
            assert folder is not None, "it was loaded"
            bot = find_bot(folder)
            infos.append(SeatInfo(name, bot.digest, bot.version, bot.author, bot.language, env=spec.env))
        else:
            functions.append(spec)
            infos.append(SeatInfo(name, ""))
    return functions, infos


def _player_name(player: PlayerSpec) -> str:
    if isinstance(player, str):
        return player
    return player.name if isinstance(player, House) else getattr(player, "__name__", "function").strip("<>")


# ---- playing

_plan_for_forks: SimulationPlan | None = None
"""For the copies of this process, which are made while it is set: so functions need not be sent to them."""


def _run_batches(plan: SimulationPlan, processes: int) -> Iterator[SimulatedGame]:
    numbers = range(len(plan.jobs))
    batches = [list(numbers[first : first + GAMES_PER_BATCH]) for first in numbers[::GAMES_PER_BATCH]]
    if processes == 1:
        for batch in batches:
            yield from _play_batch(plan, batch)
        return
    global _plan_for_forks
    _plan_for_forks = plan
    # Not multiprocessing's own Pool: ending it early kills its workers, which may hold a lock that the others need, and
    # it waits in vain for one that died. An executor lets a batch end, and raises if a process was killed.
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("fork"))
    try:
        for played in pool.map(_play_batch_in_fork, batches):
            yield from played
    finally:
        pool.shutdown(cancel_futures=True)
        _plan_for_forks = None


def _play_batch_in_fork(numbers: list[int]) -> list[SimulatedGame]:
    assert _plan_for_forks is not None
    return _play_batch(_plan_for_forks, numbers)


def _play_batch(plan: SimulationPlan, numbers: list[int]) -> list[SimulatedGame]:
    async def play_all() -> list[SimulatedGame]:
        return [await _play_one(plan, number) for number in numbers]

    return trio.run(play_all)


async def _play_one(plan: SimulationPlan, number: int) -> SimulatedGame:
    job = plan.jobs[number]
    names = [seat.name for seat in job.seats]
    players = [FunctionPlayer(plan.functions[name], name) for name in names]
    try:
        with unwrap_error_groups():
            report = await GameTable(job, [plan.infos[name] for name in names], players).play()
    except Exception as error:
        error.add_note(f"in game {number}, deal {job.seed!r}, with {', '.join(names)} in seats 0 to {len(names) - 1}")
        raise
    if plan.records_folder is not None:
        (plan.records_folder / f"{job.game}.jsonl").write_bytes(report.record)
    return SimulatedGame(number, job.seed, tuple(names), report.outcome, report.record if plan.keep_records else b"")
