"""Where the time of a tournament goes: a runner around another that notes when games were with a worker, and CPU time.

Workers that do not play wait: for the runner within a round, for the last game of a round, between two rounds.
"""

import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from msgspec import Struct

from peloarena.referee.job import GameJob, GameReport
from peloarena.tournament.game_runner import WorkerPool

WAITS = ("for the runner", "for a round's last game", "between rounds")


class Shares(Struct, frozen=True):
    """Of the time of all workers together."""

    playing: float
    waiting: tuple[float, ...]
    """As WAITS says."""


class Cpu(Struct, frozen=True):
    """Milliseconds a game."""

    runner: float
    workers: float
    bots: float

    @property
    def all(self) -> float:
        return self.runner + self.workers + self.bots


class TimedRunner:
    """Plays on the workers, of which none may be busy when a slot is free."""

    def __init__(self, workers: WorkerPool, slots: int) -> None:
        self._workers = workers
        self._slots = slots
        self._rounds: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
        self._before = self._cpu()

    async def play(self, job: GameJob) -> GameReport:
        start = time.perf_counter()
        report = await self._workers.play(job)
        self._rounds[job.game.partition("-")[0]].append((start, time.perf_counter()))
        return report

    def shares(self) -> Shares:
        rounds = sorted(self._rounds.values())
        begins = [min(start for start, _ in games) for games in rounds]
        ends = [sorted((end for _, end in games), reverse=True) for games in rounds]
        playing = sum(end - start for games in rounds for start, end in games)
        last = sum(latest[0] - end for latest in ends for end in latest[: self._slots])
        between = self._slots * sum(begin - latest[0] for latest, begin in zip(ends, begins[1:], strict=False))
        whole = self._slots * (ends[-1][0] - begins[0])
        return Shares(playing / whole, tuple(t / whole for t in (whole - playing - last - between, last, between)))

    def cpu(self) -> Cpu:
        games = sum(map(len, self._rounds.values()))
        now = self._cpu()
        return Cpu(*(1000 * (new - old) / games for new, old in zip(now, self._before, strict=True)))

    def _cpu(self) -> tuple[float, float, float]:
        """Seconds of this process, of the workers, and of all that they started."""
        workers = [worker.pid for worker in self._workers.workers]
        return time.process_time(), sum(map(_own_cpu, workers)), sum(_cpu_below(pid) for pid in workers)


def median_cpu(every: list[Cpu]) -> Cpu:
    return Cpu(*(median(getattr(cpu, name) for cpu in every) for name in Cpu.__struct_fields__))


def median_shares(every: list[Shares]) -> Shares:
    waits = zip(*(shares.waiting for shares in every), strict=True)
    return Shares(median(shares.playing for shares in every), tuple(median(wait) for wait in waits))


def _own_cpu(pid: int) -> float:
    return sum(int(file.read_text().split()[0]) for file in Path("/proc", str(pid), "task").glob("*/schedstat")) / 1e9


def _cpu_below(pid: int) -> float:
    return sum(_own_cpu(child) + _cpu_below(child) for child in _children(pid))


def _children(pid: int) -> Iterable[int]:
    for file in Path("/proc", str(pid), "task").glob("*/children"):
        yield from map(int, file.read_text().split())
