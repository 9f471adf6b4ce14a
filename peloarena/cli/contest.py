"""Playing the games of a match or of solo levels: progress while they run, records kept as they end."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO

import trio
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from peloarena.game import ConfigError
from peloarena.referee.job import GameJob, GameReport
from peloarena.referee.sandbox.cage import Policy
from peloarena.tournament.ratings import Decision, SprtState, elo_difference, sprt
from peloarena.tournament.runner import Runner, Spoiled, open_runner
from peloarena.tournament.series import deal_scores, standings

from .account import Account
from .common import safe

TRIES = 3
"""A game spoiled by the machine is played again, so often in all."""


class Keeper:
    """Writes records into a folder, whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"--record {str(folder)!r}: {error.strerror}") from None

    def path(self, game: str) -> Path:
        return self.folder / f"{game}.jsonl"

    def keep(self, report: GameReport) -> None:
        path = self.path(report.game)
        partial = path.with_suffix(".part")
        partial.write_bytes(report.record)
        partial.replace(path)


class LineLog:
    """--log: every line both ways, with the time and the seat's name."""

    def __init__(self, path: str | None) -> None:
        self._file: IO[bytes] | None = None
        if path is not None:
            self._file = Path(path).open("wb")  # noqa: SIM115 - closed on the way out of `with`

    def __enter__(self) -> Callable[[str, str, bytes], None] | None:
        return None if self._file is None else self.write

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, name: str, way: str, line: bytes) -> None:
        assert self._file is not None
        self._file.write(f"{time.time():.6f} {name} {way} ".encode() + line.rstrip(b"\n") + b"\n")


@dataclass
class Contest:
    """The games to play and what came of them so far."""

    jobs: list[GameJob]
    names: list[str]
    keeper: Keeper
    sprt: tuple[float, float] | None = None
    reports: list[GameReport] = field(default_factory=list)
    """In the order of `jobs`, those that are done."""
    verdict: SprtState | None = None

    @property
    def seatings(self) -> int:
        return len(self.names)

    def add(self, report: GameReport) -> None:
        self.keeper.keep(report)
        self.reports.append(report)
        order = {job.game: place for place, job in enumerate(self.jobs)}
        self.reports.sort(key=lambda r: order[r.game])

    def test(self) -> bool:
        """True when the SPRT is decided. Looks at deals in schedule order only, without gaps."""
        if self.sprt is None:
            return False
        self.verdict = sprt(self.first_scores(), *self.sprt)
        return self.verdict.decision is not Decision.CONTINUE

    def first_scores(self) -> list[float]:
        """The first bot's score of each complete deal."""
        return deal_scores(self.names[0], self.reports, self.seatings)


async def play_all(
    contest: Contest, places: int, policy: Policy, out: Console | None, log: Callable[[str, str, bytes], None] | None
) -> None:
    """Play every job, so many at a time. `out`: tell about it there."""
    alone = len(contest.jobs) == 1
    watch = Account(out, [s.name for s in contest.jobs[0].seats]) if out is not None and alone else None
    async with open_runner(1 if alone else places, policy, watch, log) as runner:
        with progress(out if not alone else None, contest) as advance:
            await spread(contest, runner, places, advance)


async def spread(contest: Contest, runner: Runner, places: int, advance: Callable[[], None]) -> None:
    jobs = iter(contest.jobs)

    async def work(scope: trio.CancelScope) -> None:
        for job in jobs:
            contest.add(await play_soundly(runner, job))
            advance()
            if contest.test():
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


class progress:
    """A bar with the running score in a terminal, a line now and then elsewhere, nothing without `out`."""

    def __init__(self, out: Console | None, contest: Contest) -> None:
        self.out = out
        self.contest = contest
        self.bar: Progress | None = None
        self.every = max(1, len(contest.jobs) // 10)

    def __enter__(self) -> Callable[[], None]:
        if self.out is not None and self.out.is_terminal:
            self.bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=self.out,
            )
            self.bar.start()
            self.task = self.bar.add_task(self.score(), total=len(self.contest.jobs))
        return self.advance

    def advance(self) -> None:
        if self.bar is not None:
            self.bar.update(self.task, advance=1, description=self.score())
        elif self.out is not None and len(self.contest.reports) % self.every == 0:
            self.out.print(f"{len(self.contest.reports)}/{len(self.contest.jobs)} games: {self.score()}")

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def score(self) -> str:
        rows = standings(self.contest.names, self.contest.reports)
        text = ", ".join(f"{safe(row.name)} {row.points:g}" for row in rows[:4])
        if len(self.contest.names) == 2 and len(scores := self.contest.first_scores()) > 1:
            found = elo_difference(scores)
            if found.low is not None and found.high is not None:
                text += f"  Elo {found.elo:+.0f} [{found.low:+.0f}, {found.high:+.0f}]"
        if self.contest.verdict is not None:
            text += f"  LLR {self.contest.verdict.llr:+.2f}"
        return text
