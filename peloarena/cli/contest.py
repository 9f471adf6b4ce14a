"""Playing the games of a match or of solo levels: progress while they run, records kept as they end."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

import trio
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column

from ..game import ConfigError
from ..referee.arena import Log
from ..referee.job import GameJob, GameReport
from ..referee.sandbox.cage import Policy
from ..tournament.ratings import elo_difference
from ..tournament.runner import Runner, Spoiled, open_runner
from ..tournament.series_score import SeriesScore
from .account import Account
from .common import escaped, plain, safe

TRIES = 3
"""A game spoiled by the machine is played again, so often in all."""
REFRESH = 0.1
"""The running score is worked out anew so often at most, in seconds: with thousands of deals that takes a while."""
LINES = 10
"""Where there is no terminal, so many lines tell of the progress."""
BAR_WIDTH = 16


class Keeper:
    """Writes records into a folder, whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.write("try.part", b"").unlink()
        except OSError as error:
            raise self.problem(error) from None

    def path(self, game: str) -> Path:
        return self.folder / f"{game}.jsonl"

    def keep(self, report: GameReport) -> None:
        try:
            self.write(f"{report.game}.part", report.record).replace(self.path(report.game))
        except OSError as error:
            raise self.problem(error) from None

    def write(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(data)
        return path

    def problem(self, error: OSError) -> ConfigError:
        reason = "is not a folder" if isinstance(error, FileExistsError) else error.strerror
        return ConfigError(f"--record {str(self.folder)!r}: {reason}")


class LineLog:
    """--log: every line both ways, with the time and the seat's name."""

    def __init__(self, path: str | None) -> None:
        self._file: IO[bytes] | None = None
        if path is not None:
            try:
                self._file = Path(path).open("wb")  # noqa: SIM115 - closed on the way out of `with`
            except OSError as error:
                raise ConfigError(f"--log {path!r}: {error.strerror}") from None

    def __enter__(self) -> Log | None:
        return None if self._file is None else self.write

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, name: str, way: str, line: bytes) -> None:
        assert self._file is not None
        text = escaped(line.decode("utf-8", "backslashreplace").removesuffix("\n"))
        self._file.write(f"{time.time():.6f} {plain(name)} {way} {text}\n".encode())


@dataclass
class Contest:
    """The games to play and what came of them so far."""

    jobs: list[GameJob]
    tally: SeriesScore
    keeper: Keeper

    def add(self, place: int, report: GameReport) -> None:
        """Keep the record; what is only in there does not stay in memory: a long series has gigabytes of it."""
        self.keeper.keep(report)
        self.tally.add(place, replace(report, record=b"", stderr=()))


async def play_all(contest: Contest, places: int, policy: Policy, out: Console | None, log: Log | None) -> None:
    """Play every job, so many at a time. `out`: tell about it there."""
    alone = len(contest.jobs) == 1
    places = min(places, len(contest.jobs))
    watch = Account(out, [s.name for s in contest.jobs[0].seats]) if out is not None and alone else None
    async with open_runner(places, policy, watch, log) as runner:
        with Running(out if not alone else None, contest) as advance:
            await spread(contest, runner, places, advance)


async def spread(contest: Contest, runner: Runner, places: int, advance: Callable[[], None]) -> None:
    """As many games at a time as there are places, until all are played or the sequential test is decided."""
    jobs = iter(enumerate(contest.jobs))

    async def work(scope: trio.CancelScope) -> None:
        for place, job in jobs:
            contest.add(place, await play_soundly(runner, job))
            advance()
            if contest.tally.decided:
                scope.cancel()

    async with trio.open_nursery() as nursery:
        for _ in range(places):
            nursery.start_soon(work, nursery.cancel_scope)


async def play_soundly(runner: Runner, job: GameJob) -> GameReport:
    for attempt in range(1, TRIES + 1):
        try:
            return await runner.play(job)
        except Spoiled as error:
            if attempt == TRIES:
                raise ConfigError(f"{job.game}: the machine spoiled it {TRIES} times: {error}") from None
    raise AssertionError


class Running:
    """A bar with the running score in a terminal, a line now and then elsewhere, nothing without `out`."""

    def __init__(self, out: Console | None, contest: Contest) -> None:
        self.out = out
        self.tally = contest.tally
        self.total = len(contest.jobs)
        self.bar = bar(out) if out is not None and out.is_terminal else None
        self.shown = 0.0

    def __enter__(self) -> Callable[[], None]:
        if self.bar is not None:
            self.bar.start()
            self.task = self.bar.add_task(self.score(), total=self.total)
        return self.advance

    def advance(self) -> None:
        done = self.tally.games
        if self.bar is not None:
            now = time.monotonic()
            if now - self.shown >= REFRESH or done == self.total:
                self.bar.update(self.task, completed=done, description=self.score())
                self.shown = now
        elif self.out is not None and done * LINES // self.total > (done - 1) * LINES // self.total:
            self.out.print(f"{done}/{self.total} games: {self.score()}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def score(self) -> str:
        tally = self.tally
        if len(tally.names) == 1:
            return f"{sum(map(passed, tally.reports))} passed"
        text = ", ".join(f"{safe(row.name)} {row.points:g}" for row in tally.standings()[:4])
        if len(tally.names) == 2 and len(scores := tally.first_scores()) > 1:
            found = elo_difference(scores)
            if found.low is not None and found.high is not None:
                text += f"  Elo {found.elo:+.0f} [{found.low:+.0f}, {found.high:+.0f}]"
        if tally.verdict is not None:
            text += f"  LLR {tally.verdict.llr:+.2f}"
        return text


def passed(report: GameReport) -> bool:
    """Solo: the bot reached what its level asks for."""
    result = report.outcome.result
    return result is not None and result.passed and not report.outcome.out[0]


def bar(out: Console) -> Progress:
    """The score takes what the bar leaves; in a narrow terminal its end is cut off, not the bar."""
    return Progress(
        TextColumn("{task.description}", table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis")),
        BarColumn(BAR_WIDTH),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=out,
        expand=True,
    )
